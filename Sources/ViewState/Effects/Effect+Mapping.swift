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
