import CanonicalJSON
import Snapshots
import ViewState

/// Numbers by name.
struct Counters: StoreValue {
  struct TooHigh: Error, Equatable {}

  /// The numbers to change; `nil` takes one away.
  typealias Write = [Text: Int?]

  var numbers: [Text: Int]

  init(_ numbers: [Text: Int]) {
    self.numbers = numbers
  }

  mutating func apply(_ write: Write, at time: Timestamp) throws(TooHigh) -> Written<Int> {
    let before = numbers
    for (name, number) in write { numbers[name] = number }
    guard numbers.values.allSatisfy({ $0 < 100 }) else {
      numbers = before
      throw TooHigh()
    }
    if numbers == before { return Written(unchanged: numbers.count) }
    let changed = write.keys.filter { before[$0] != numbers[$0] }
    return Written(
      numbers.count, creating: changed.filter { before[$0] == nil },
      changing: changed.filter { before[$0] != nil && numbers[$0] != nil },
      removing: changed.filter { numbers[$0] == nil }, of: "numbers")
  }
}

/// The smallest screen on a store: one row with the number of its key.
struct CounterScreen: ScreenMachine {
  let store: Store<Counters>
  /// Called with the number each time that rows are made of it.
  var whileAssembling: @Sendable (Int) -> Void = { _ in }
  /// Of which numbers there is one row too many.
  var isTwice: @Sendable (Int) -> Bool = { _ in false }
  var opening: Text?

  var descriptor: ScreenDescriptor {
    let by: [Text: JSONValue] = ["by": ["type": "integer"]]
    return ScreenDescriptor(
      name: "counter", keyName: "name", summary: "A number.",
      commands: [
        CommandDescriptor(type: "add", summary: "Adds.", arguments: by, required: ["by"])
      ], sources: [], opening: opening)
  }

  var shownPart: StorePart? { .element(of: store) }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return number
  }

  /// Adds to all numbers.
  func run(
    _ command: SentCommand, on state: inout Int, for key: Text, in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    let by = try command.read { body throws(JSONShapeError) in try body.member("by").integer() }
    if state + by > 9 { throw command.refusal(of: "by", "the number would be too high") }
    _ = try? transaction.write(transaction[store].numbers.mapValues { $0 + by }, to: store)
    return []
  }

  func assemble(_ state: Int, rows: inout RowCache) throws(SnapshotError) -> Snapshot {
    whileAssembling(state)
    return try Snapshot(reusing: rows.snapshot) {
      let row = Row(id: "r", type: "number", fields: ["n": .integer(state)])
      Section(id: "s", rows: isTwice(state) ? [row, row] : [row])
    }
  }
}
