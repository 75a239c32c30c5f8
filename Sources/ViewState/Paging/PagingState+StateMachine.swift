import Snapshots

extension PagingState {
  /// What can happen to a long list, whatever its load is called at the time.
  private enum Event: String, CaseIterable {
    case load
    case loadNext
    case retry
    case loaded = "page"
    case last = "last page"
    case failed
    case late = "late result"
    case cancel
    case changed

    func action(in state: PagingState, sample: Item) -> PagingAction<Item> {
      switch self {
      case .load: .load
      case .loadNext: .loadNext
      case .retry: .retry
      case .loaded: .loaded(Page(items: [sample], end: sample.position), state.token)
      case .last: .loaded(Page(items: [], end: nil), state.token)
      case .failed: .failed(.unavailable, state.token)
      case .late: .loaded(Page(items: [sample], end: nil), LoadToken(ordinal: -1))
      case .cancel: .cancel
      case .changed: .changed([])
      }
    }
  }

  /// The machine of a long list, found out by running its reducer. Its states are those that a view
  /// model tells; what an event does in one may depend on what is shown, and on the page asked for.
  ///
  /// - Parameter sample: any item.
  static func machine(of source: String, sample: Item) -> StateMachine {
    let (end, started) = (sample.position, LoadToken.none.next)
    let partial = Page(items: [sample], end: end)
    let pagings: [Paging<Item>] = [
      .notRequested, .isLoading(.first, shown: nil), .isLoading(.first, shown: partial),
      .isLoading(.behind(end), shown: partial), .loaded(partial),
      .loaded(Page(items: [sample], end: nil)),
      .failed(.unavailable, .first, shown: nil),
      .failed(.unavailable, .behind(end), shown: partial),
    ]
    return StateMachine(
      name: source,
      exploring: pagings.map {
        PagingState($0, token: $0.stateName == "notRequested" ? .none : started)
      },
      on: Event.allCases, stateName: \.paging.stateName, eventName: \.rawValue
    ) { state, event in
      let effects: [Effect<PageRequest<Item.Position>>] = state.reduce(
        event.action(in: state, sample: sample), of: { $0 })
      return effects.map { $0.pageName() }
    }
  }
}

/// An item that stands for any other: how a list moves does not depend on its items.
struct SampleItem: Pageable, Codable {
  var id: Int { position }
  var position = 1
}

extension Effect {
  /// The effect with the page that it starts.
  fileprivate func pageName<Position>() -> String where Source == PageRequest<Position> {
    switch self {
    case .start(.first, _): "start first"
    case .start(.behind, _): "start next"
    case .end, .record: name
    }
  }
}
