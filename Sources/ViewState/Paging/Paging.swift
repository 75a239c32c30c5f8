import Snapshots

/// A long list that is loaded page by page, in one of four states.
///
/// `shown` has the pages of earlier loads, which are shown until the next load ends.
public enum Paging<Item: Pageable>: Equatable, Sendable {
  /// No load was started.
  case notRequested
  /// A page is loading.
  case isLoading(PageRequest<Item.Position>, shown: Page<Item>?)
  /// No page is loading. The list goes on if the page has an `end`.
  case loaded(Page<Item>)
  /// The last load failed.
  case failed(LoadFailure, PageRequest<Item.Position>, shown: Page<Item>?)
}

extension Paging: Codable where Item: Codable, Item.Position: Codable {}

extension Paging {
  /// The name of the state in the `states` of a view model.
  public var stateName: String {
    switch self {
    case .notRequested: "notRequested"
    case .isLoading: "isLoading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }

  /// The pages to show; `nil` if none was loaded.
  public var shown: Page<Item>? {
    switch self {
    case .notRequested: nil
    case .isLoading(_, let shown), .failed(_, _, let shown): shown
    case .loaded(let shown): shown
    }
  }

  /// Returns the same state with the pages of a changed list.
  func showing(_ list: KeyedSequence<Item>) -> Paging {
    switch self {
    case .notRequested: self
    case .isLoading(let request, let shown):
      .isLoading(request, shown: shown?.showing(list, keepingEnd: true))
    case .loaded(let shown): .loaded(shown.showing(list, keepingEnd: false))
    case .failed(let failure, let request, let shown):
      .failed(failure, request, shown: shown?.showing(list, keepingEnd: true))
    }
  }
}

/// An action on a long list that is loaded page by page.
enum PagingAction<Item: Pageable>: Equatable, Sendable {
  /// Loads the list from its start.
  case load
  /// Loads the page after the shown ones.
  case loadNext
  /// Tries to load the failed page again.
  case retry
  /// Ends the load with this token with a page.
  case loaded(Page<Item>, LoadToken)
  /// Ends the load with this token with a failure.
  case failed(LoadFailure, LoadToken)
  /// Cancels the running load.
  case cancel
  /// Replaces the list by the whole list after a write.
  case changed(KeyedSequence<Item>)
}

extension PagingAction {
  /// The name of the case, for the log.
  var name: String {
    switch self {
    case .load: "load"
    case .loadNext: "loadNext"
    case .retry: "retry"
    case .loaded: "loaded"
    case .failed: "failed"
    case .cancel: "cancel"
    case .changed: "changed"
    }
  }
}
