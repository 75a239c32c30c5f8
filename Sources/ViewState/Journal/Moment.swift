import CanonicalJSON

/// The states of an engine between two inputs. A copy costs O(1) for each screen and store.
struct Moment: Sendable {
  let position: Int
  /// The weight of the inputs up to it; see ``Checkpoint/Mark/weight``.
  let weight: Int
  let time: Timestamp
  let stores: Stores
  let memory: EngineMemory
  /// The states of view models that the stores do not give, by their screens and keys.
  let rests: [Text: [Text: Rest]]
  /// The current revisions of view models, at most ``Looks/limit`` of each screen.
  let heads: [Revision]
}
