import CanonicalJSON

/// The states of an engine between two inputs. A copy costs O(1) for each screen and store.
struct Moment: Sendable {
  let position: Int
  let time: Timestamp
  let stores: Stores
  let memory: EngineMemory
  /// The states of view models that the stores do not give, by their screens and keys.
  let rests: [Text: [Text: Rest]]
  /// The current revisions of view models, at most ``Looks/limit`` of each screen.
  let heads: [Revision]
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
  /// The time before the first input.
  let begun: Timestamp
  let settings: Settings
  let outcomes: Outcomes
}
