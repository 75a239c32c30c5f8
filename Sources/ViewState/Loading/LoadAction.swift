/// An action on a source of a screen.
package enum LoadAction<Value> {
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
  var name: String {
    switch self {
    case .load: "load"
    case .loaded: "loaded"
    case .failed: "failed"
    case .cancel: "cancel"
    case .changed: "changed"
    }
  }
}
