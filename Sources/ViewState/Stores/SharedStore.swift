public import CanonicalJSON
import Synchronization

/// A value in memory that several screens show, each a part of it; one write moves all of them in
/// one step.
///
/// The owner of the screens is that of the value: while it takes a turn, the state of every screen
/// agrees with the value, so a command that is checked against the state of its screen is checked
/// against the store.
public final class SharedStore<Value: Equatable & Sendable>: Sendable {
  /// The owner of all screens that show the value.
  public let owner: SerialOwner
  let contents: Mutex<Contents>

  struct Contents: Sendable {
    var value: Value
    /// How many writes made the value.
    var version = 0
    var subscribers: [Int: Subscriber] = [:]
    var nextSubscriber = 0
  }

  typealias Subscriber = @Sendable (_ old: Value, _ new: Value, Turn) -> Void

  /// - Parameter owner: whose turns change the value; stores that are written together share one.
  public init(_ value: Value, owner: SerialOwner = SerialOwner()) {
    self.owner = owner
    contents = Mutex(Contents(value: value))
  }

  /// The value as the screens show it now.
  public var value: Value { contents.withLock { $0.value } }

  /// Changes the value and returns once every screen shows it.
  ///
  /// - Parameter change: gets a copy; where it throws, nothing has changed.
  public func write<Result: Sendable, Failure: Error>(
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await owner.run { turn in
      Swift.Result { () throws(Failure) in try self.write(in: turn, change).result }
    }.get()
  }

  /// The same write as what a command stands for.
  public func write(
    _ change: @escaping @Sendable (inout Value) throws(CommandRefusal) -> Void
  ) -> StoreWrite {
    detailedWrite({ value throws(CommandRefusal) in
      try change(&value)
      return [:]
    })
  }

  /// The same, where there is more to tell the sender than whether anything changed.
  ///
  /// - Parameter change: returns the details for `CommandOutcome.details`.
  public func detailedWrite(
    _ change:
      @escaping @Sendable (inout Value) throws(CommandRefusal) -> [Text:
      JSONValue]
  ) -> StoreWrite {
    StoreWrite(owner: owner) { turn throws(CommandRefusal) in
      let (details, isChange) = try self.write(in: turn, change)
      return StoreWrite.Outcome(isChange: isChange, details: details)
    }
  }

  /// Prepares a write; it becomes visible at the end of the turn. One that changes nothing is none.
  ///
  /// - Precondition: it is the only write to this store in the turn.
  private func write<Result, Failure: Error>(
    in turn: Turn, _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, isChange: Bool) {
    let old = value
    var new = old
    let result = try change(&new)
    guard new != old else { return (result, false) }
    turn.add(Draft(store: self, old: old, new: new))
    return (result, true)
  }
}
