/// An effect of a part of a screen outside of the state: the start or the end of work, or an entry in the log.
///
/// Effects are data: a reducer returns them, and the engine acts on them after the input is published.
public enum Effect: Hashable, Sendable {
  /// Starts work.
  case start(PartWork, LoadToken)
  /// Cancels the call and the time-out of work that has ended for the screen.
  case end(PartWork, LoadToken)
  /// Records an action that the state does not allow.
  case record(PartWork, LoadStep.Refusal, action: String, state: String)
}

extension LoadState {
  /// Applies an action, and returns the effects for the work that loads the value.
  public mutating func reduce(_ action: LoadAction<Value>, of work: PartWork) -> [Effect] {
    let state = loadable.stateName
    switch reduce(action) {
    case .started(let token): return [.start(work, token)]
    case .ended(let token): return [.end(work, token)]
    case .replaced, .ignored: return []
    case .refused(let refusal):
      return [.record(work, refusal, action: action.name, state: state)]
    }
  }
}

extension Effect {
  /// The name of the effect in traces.
  public var name: String {
    switch self {
    case .start: "start"
    case .end: "end"
    case .record(_, let refusal, _, _): "record \(refusal.rawValue)"
    }
  }
}
