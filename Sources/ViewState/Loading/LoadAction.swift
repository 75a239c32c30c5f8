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
