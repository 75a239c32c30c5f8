/// What can happen to something that is looked up for an input.
public enum LookupAction<Query, Value> {
  /// The input is now this; `nil` where there is nothing to look up.
  case ask(Query?)
  /// Somebody asks once more for what did not come.
  case retry
  /// Somebody calls the running look-up off.
  case cancel
  /// The look-up named by the token brought a value.
  case found(Value, LoadToken)
  /// The look-up named by the token failed.
  case failed(LoadFailure, LoadToken)
}

extension LookupAction: Sendable where Query: Sendable, Value: Sendable {}
extension LookupAction: Equatable where Query: Equatable, Value: Equatable {}
