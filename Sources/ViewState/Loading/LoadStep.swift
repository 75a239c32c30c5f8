/// What one action did to one source, and what has to be done outside because of it.
public enum LoadStep: Hashable, Sendable {
  /// The source went into `isLoading`: run this load.
  case started(LoadToken)
  /// The load came to its end, by a result, a failure or a cancel: release what it holds.
  case ended(LoadToken)
  /// A loaded value was replaced in place.
  case replaced
  /// Nothing changed, and nothing is odd about it: there was nothing to do.
  case ignored
  /// Nothing changed, and the action should not have come in this state.
  case refused(Refusal)

  /// Why an action that should not have come was refused.
  public enum Refusal: String, Hashable, Sendable {
    /// A second load while the first one runs.
    case duplicate
    /// The result of an older load than the last one.
    case late
    /// A result where no load is running.
    case impossible
  }
}
