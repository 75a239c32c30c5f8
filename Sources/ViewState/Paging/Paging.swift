import Snapshots

/// How much of a long list is there. `shown` is what earlier loads have brought; it stays while the
/// next page, or the list from its start, is on its way.
public enum Paging<Item: Pageable>: Equatable, Sendable {
  /// Nobody has asked for the list yet.
  case notRequested
  /// A page is on its way.
  case isLoading(PageRequest<Item.Position>, shown: Page<Item>?)
  /// Nothing is on its way; the end of what is shown tells whether there is more.
  case loaded(Page<Item>)
  /// The page asked for last did not come.
  case failed(LoadFailure, PageRequest<Item.Position>, shown: Page<Item>?)
}

extension Paging: Codable where Item: Codable, Item.Position: Codable {}

extension Paging {
  /// The name of the state, as it stands in a view model's `states`.
  public var stateName: String {
    switch self {
    case .notRequested: "notRequested"
    case .isLoading: "isLoading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }

  /// What there is to show.
  public var shown: Page<Item>? {
    switch self {
    case .notRequested: nil
    case .isLoading(_, let shown), .failed(_, _, let shown): shown
    case .loaded(let shown): shown
    }
  }

  /// The same state over a list that a write has changed.
  func showing(_ list: KeyedSequence<Item>) -> Paging {
    switch self {
    case .notRequested: self
    case .isLoading(let request, let shown): .isLoading(request, shown: shown?.showing(list))
    case .loaded(let shown): .loaded(shown.showing(list))
    case .failed(let failure, let request, let shown):
      .failed(failure, request, shown: shown?.showing(list))
    }
  }
}
