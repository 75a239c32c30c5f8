/// What can happen to one source of a screen.
public enum LoadAction<Value> {
  /// Somebody asks for the value.
  case load
  /// The load named by the token brought a value.
  case loaded(Value, LoadToken)
  /// The load named by the token failed.
  case failed(LoadFailure, LoadToken)
  /// Somebody calls the running load off.
  case cancel
  /// A write to the store changed the value behind the screen's back.
  case changed(Value)
}

extension LoadAction: Sendable where Value: Sendable {}
extension LoadAction: Equatable where Value: Equatable {}

extension LoadAction {
  /// The name of the case, for records.
  public var name: String {
    switch self {
    case .load: "load"
    case .loaded: "loaded"
    case .failed: "failed"
    case .cancel: "cancel"
    case .changed: "changed"
    }
  }
}

extension Loadable {
  /// The action for the end of a load that has read this: the value, or why there is none.
  ///
  /// - Parameters:
  ///   - token: The token of the load.
  ///   - failure: Why the load failed; `nil` if it did not, and set if there is no value.
  public func end(_ token: LoadToken, _ failure: inout LoadFailure?) -> LoadAction<Value> {
    if failure == nil, case .loaded(let value) = self { return .loaded(value, token) }
    let reason = failure ?? error ?? .missing
    failure = reason
    return .failed(reason, token)
  }
}
