public import CanonicalJSON

/// The stores as an input reads and changes them.
///
/// The changes of the input are published in one step, together with all view models that show them. If the input
/// is refused, nothing has changed.
///
/// ```swift
/// let count = transaction[numbers].numbers.count
/// try transaction.write(["next": count], to: numbers)
/// ```
public struct Transaction: Sendable {
  /// The time of the input. It never goes back from one input to the next.
  public let time: Timestamp
  /// The key of the view model whose command or work the input is: `1` in `profile/1`.
  public internal(set) var key: Text = ""
  /// The number of the input.
  let position: Int
  /// An id of the input, which is unique over all sessions, and over all runs of the program with one journal. It is
  /// the same when the input is applied again. Use it as the idempotency key of a change that is written back, so that
  /// the origin of the data recognizes a change that comes twice:
  ///
  /// ```swift
  /// Self.pay.writing { (state: inout State, transaction: inout Transaction) in
  ///   try state.payments.save(Payment(id: transaction.inputID, amount: state.total))
  /// }
  /// ```
  public var inputID: Text { "\(time.secondsSince1970)-\(position)" }
  /// The stores with what the input has changed so far.
  public private(set) var stores: Stores
  /// The changes of stores by the input, each with the index of the store.
  private(set) var changes: [(store: Int, change: StoreChange)] = []
  /// Further members of the reply to a command, which the description of the command explains.
  public var details: [Text: JSONValue] = [:]
  /// Whether clients may animate the changes; `true` unless set. If it is `false`, the diff of each view model that
  /// the input changes says `"animated":false`, for example after an undo that restores many rows at once:
  ///
  /// ```swift
  /// Command("undo", "Takes the last change back.", writing: { (state: inout State, transaction: inout Transaction) in
  ///   state = state.previous
  ///   transaction.isAnimated = false
  /// })
  /// ```
  ///
  /// A diff over several revisions says so if none of them may be animated.
  public var isAnimated = true

  /// The memory of what the command brings into the state beside its body, in bytes, estimated.
  private(set) var broughtByteCount = 0
  /// The memory of what the writes made beside the input, in bytes, estimated.
  private(set) var madeByteCount = 0

  init(_ stores: Stores, at position: Int, _ time: Timestamp) {
    self.stores = stores
    #if DEBUG
      self.stores.begin()
    #endif
    self.position = position
    self.time = time
  }

  /// The value of a store.
  public subscript<Value: StoreValue>(store: Store<Value>) -> Value { stores[store] }

  /// Notes that the command brings so much memory into the state, in bytes, estimated, beside its body.
  package mutating func brings(_ byteCount: Int) { broughtByteCount += byteCount }

  mutating func configure(_ settings: Settings) { stores.settings = settings }

  /// Applies a write to a store.
  ///
  /// - Throws: ``StoreError`` if the store refuses the write; nothing has changed then.
  @discardableResult
  public mutating func write<Value: StoreValue>(
    _ write: Value.Write, to store: Store<Value>
  ) throws(StoreError) -> Value.Output {
    let written = try stores.apply(write, to: store, at: position, time)
    if let change = written.change {
      changes.append((store.index, change))
      madeByteCount += written.madeByteCount
    }
    return written.output
  }
}
