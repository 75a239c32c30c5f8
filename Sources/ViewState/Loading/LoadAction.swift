/// An action on a source of a screen.
public enum LoadAction<Value> {
  /// Starts a load.
  case load
  /// Ends the load with this token with a value.
  case loaded(Value, LoadToken)
  /// Ends the load with this token with a failure.
  case failed(LoadFailure, LoadToken)
  /// Cancels the running load.
  case cancel
  /// Replaces the value by the one that a write to the store, or a load by the clock, has made.
  case changed(Value)
}

extension LoadAction: Sendable where Value: Sendable {}
extension LoadAction: Equatable where Value: Equatable {}

extension LoadAction {
  /// The name of the case, for the log.
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
  /// Returns the action that ends a load with the value, or with the reason why there is none.
  ///
  /// - Parameters:
  ///   - token: The token of the load.
  ///   - failure: The failure of the load; `nil` if it did not fail. It is set if there is no value.
  public func end(_ token: LoadToken, _ failure: inout LoadFailure?) -> LoadAction<Value> {
    if failure == nil, case .loaded(let value) = self { return .loaded(value, token) }
    let reason = failure ?? error ?? .missing
    failure = reason
    return .failed(reason, token)
  }
}
