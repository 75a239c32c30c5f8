/// What a reducer wants done outside of it. Effects are data: a reducer returns them beside the
/// state, the engine runs each exactly once.
public enum Effect<Source: Hashable & Sendable>: Hashable, Sendable {
  /// Start loading a source.
  case start(Source, LoadToken)
  /// A load has come to its end: call off what of it still runs, and its time-out.
  case end(Source, LoadToken)
  /// Keep a note of an action that should not have come.
  case record(Source, LoadStep.Refusal, action: String, state: String)
}

extension LoadState {
  /// Reduces and names the effects after the source.
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
  /// The same effect of a screen that has the one it is of as a part.
  public func map<Whole>(_ wrap: (Source) -> Whole) -> Effect<Whole> {
    switch self {
    case .start(let source, let token): .start(wrap(source), token)
    case .end(let source, let token): .end(wrap(source), token)
    case .record(let source, let refusal, let action, let state):
      .record(wrap(source), refusal, action: action, state: state)
    }
  }

  /// What is done, in a word or two, for state machines.
  public var name: String {
    switch self {
    case .start: "start"
    case .end: "end"
    case .record(_, let refusal, _, _): "record \(refusal.rawValue)"
    }
  }
}
