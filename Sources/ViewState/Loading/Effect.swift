/// An effect of a reducer outside of the state: the start or the end of a load, or an entry in the log.
///
/// Effects are data: a reducer returns them, and the engine acts on them after the input is published.
public enum Effect<Source: Hashable & Sendable>: Hashable, Sendable {
  /// Starts a load of a source.
  case start(Source, LoadToken)
  /// Cancels the call and the time-out of a load that has ended for the screen.
  case end(Source, LoadToken)
  /// Records an action that the state does not allow.
  case record(Source, LoadStep.Refusal, action: String, state: String)
}

extension LoadState {
  /// Applies an action, and returns the effects for the source.
  public mutating func reduce<Source>(
    _ action: LoadAction<Value>, of source: Source
  ) -> [Effect<Source>] {
    let state = loadable.stateName
    switch reduce(action) {
    case .started(let token): return [.start(source, token)]
    case .ended(let token): return [.end(source, token)]
    case .replaced, .ignored: return []
    case .refused(let refusal):
      return [.record(source, refusal, action: action.name, state: state)]
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
