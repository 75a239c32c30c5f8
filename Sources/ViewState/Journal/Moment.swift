import CanonicalJSON

/// The states of an engine between two inputs. A copy costs O(1) for each screen and store.
struct Moment: Sendable {
  let position: Int
  let time: Timestamp
  let stores: Stores
  let memory: EngineMemory
  /// The states of view models that the stores do not give, by their screens and keys.
  let rests: [Text: [Text: Rest]]
}

/// What a checkpoint has beside stores and view models.
struct EngineRecord: Codable, Sendable {
  /// The part of a checkpoint with this value.
  static let part: Text = "engine"
  static let noSeed: [UInt8] = []

  /// The secret bytes that tokens are made with; ``noSeed`` if the next engine has to make others.
  let seed: [UInt8]
  /// Identifies the program that gave the tokens.
  let program: Text
  let time: Timestamp
  let settings: Settings
  let outcomes: Outcomes
  let stateByteCount: Int
}

/// The state and the token of a view model, as a checkpoint has them.
struct RestRecord: Codable, Sendable {
  let state: RecordedState
  let token: RevisionToken
  let shownSince: Int
  let cause: RevisionCause
  let hadArguments: Bool
  let date: Timestamp
  let broughtByteCount: Int
  let share: Int

  init(_ rest: Rest, _ state: RecordedState) {
    self.state = state
    token = rest.token
    shownSince = rest.shownSince
    cause = rest.cause
    hadArguments = rest.hadArguments
    date = rest.date
    broughtByteCount = rest.broughtByteCount
    share = rest.share
  }

  /// Returns the rest with a state.
  func rest(_ state: AnyState) -> Rest {
    Rest(
      state: state, token: token, shownSince: shownSince, cause: cause, hadArguments: hadArguments,
      date: date, broughtByteCount: broughtByteCount, share: share)
  }
}
