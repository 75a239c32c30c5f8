import CanonicalJSON
import Snapshots
import ViewState

/// Numbers by name.
struct Counters: StoreValue {
  static let tooHigh = StoreError.malformed(JSONShapeError([], "the number would be too high"))

  /// The numbers to change; `nil` takes one away.
  typealias Write = [Text: Int?]

  var numbers: [Text: Int]

  init(_ numbers: [Text: Int]) {
    self.numbers = numbers
  }

  mutating func apply(_ write: Write, at time: Timestamp) throws(StoreError) -> Written<Int> {
    let before = numbers
    for (name, number) in write { numbers[name] = number }
    guard numbers.values.allSatisfy({ $0 < 100 }) else {
      numbers = before
      throw Self.tooHigh
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
struct CounterScreen: Screen {
  static let name: Text = "counter"
  static let keyName = "name"
  static let summary = "A number."

  let store: Store<Counters>
  /// Called with the number each time that rows are made of it.
  var whileAssembling: @Sendable (Int) -> Void = { _ in }
  /// Of which numbers there is one row too many.
  var isTwice: @Sendable (Int) -> Bool = { _ in false }
  var opening: Text?

  /// Adds to all numbers.
  var commands: [AnyCommand<Int>] {
    Command<Int, Int>("add", "Adds.", .integer("by")).writing { number, transaction, by in
      if number + by > 9 { throw Refusal("by", "the number would be too high") }
      _ = try? transaction.write(transaction[store].numbers.mapValues { $0 + by }, to: store)
    }
  }

  var shownStores: [ShownStore] { [.element(of: store)] }

  var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return number
  }

  func body(_ number: Int) -> [ListSection] {
    let _ = whileAssembling(number)
    ListSection("s") {
      TallyScreen.number("r", number)
      if isTwice(number) { TallyScreen.number("r", number) }
    }
  }
}
