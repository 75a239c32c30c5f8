/// What inputs compute of an instance, beside what readers see.
struct InstanceState: Sendable {
  var value: AnyState
  /// Whether `initialState` does not give the value.
  var hasOwnState: Bool
  /// The memory of all that inputs have brought into the value, in bytes, estimated.
  var broughtByteCount: Int
  /// The share of the instance in ``EngineMemory/stateByteCount``, after the last input for it.
  var share: Int
}
