public import Snapshots

/// What can happen to a long list that is loaded page by page.
public enum PagingAction<Item: Pageable>: Equatable, Sendable {
  /// Somebody asks for the list from its start.
  case load
  /// Somebody has come to the end of what is shown.
  case loadNext
  /// Somebody asks once more for the page that did not come.
  case retry
  /// The load named by the token brought a page.
  case loaded(Page<Item>, LoadToken)
  /// The load named by the token failed.
  case failed(LoadFailure, LoadToken)
  /// Somebody calls the running load off.
  case cancel
  /// A write changed the list; this is all of it.
  case changed(KeyedSequence<Item>)
}

extension PagingAction {
  /// The name of the case, for records.
  public var name: String {
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
