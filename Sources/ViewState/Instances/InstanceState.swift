/// What inputs compute of an instance, beside what readers see.
struct InstanceState: Sendable {
  var value: AnyState
  /// Whether `initialState` does not give the value.
  var hasOwnState: Bool
  /// The memory of what inputs had brought into the value when it was last measured, in bytes, estimated; 0 before.
  var measuredByteCount: Int
  /// The memory of all that inputs have brought into the value since then, in bytes, estimated.
  var broughtByteCount: Int
  /// The share of the instance in ``EngineMemory/stateByteCount``, after the last input for it.
  var share: Int
}
