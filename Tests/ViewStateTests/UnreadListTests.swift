import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// Long lists that change while nobody reads them.
@Suite("A long list that nobody has read")
struct UnreadListTests {
  /// A list that shows a number of a store in its first row.
  private struct ListScreen: Screen {
    static let name: Text = "list"
    static let summary = "A list."

    let store: Store<Counters>
    let whileAssembling: @Sendable () -> Void

    struct Item: Identifiable, Codable, Equatable, Sendable {
      let id: Text
      var number: Int

      var row: Row { Row(id: id, type: "number", fields: ["n": .integer(number)]) }
    }

    /// The same items, for a screen that keeps them in a sequence, or in an array.
    enum State: Codable, Equatable, Sendable {
      case sequence(KeyedSequence<Item>)
      case array([Item])
    }

    var shownParts: [StorePart] { [.whole(of: store)] }
    var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

    func initialState(for key: Text, in stores: Stores) -> State {
      let items = (0..<2_000).map { Item(id: "\($0)", number: 0) }
      return key == "array" ? .array(items) : .sequence(KeyedSequence(items))
    }

    func follow(_ stores: Stores, on state: inout State, for key: Text) {
      let number = stores[store].numbers["a"] ?? 0
      switch state {
      case .sequence(var items):
        items[id: "0"]?.number = number
        state = .sequence(items)
      case .array(var items):
        items[0].number = number
        state = .array(items)
      }
    }

    func body(_ state: State) -> [ListSection] {
      let _ = whileAssembling()
      ListSection("s") {
        switch state {
        case .sequence(let items): ForEach(items) { $0.row }
        case .array(let items): ForEach(items, id: \.id) { $1.row }
        }
      }
    }
  }

  private let store: Store<Counters>
  private let registry: ScreenRegistry
  private let laidOut = Noted<Bool>()

  init() {
    let engine = Engine.still()
    store = Store("numbers", Counters(["a": 0]), in: engine)
    var registry = ScreenRegistry(engine)
    registry.register(ListScreen(store: store) { [laidOut] in laidOut.add(true) })
    self.registry = registry
  }

  /// Writes numbers, and returns whether any was laid out.
  private func isLaidOut(for numbers: ClosedRange<Int>) async throws -> Bool {
    _ = laidOut.take()
    for number in numbers { _ = try await store.write(["a": number]) }
    return !laidOut.take().isEmpty
  }

  @Test("is left to its first reader if its states share what does not change")
  func sequence() async throws {
    let list = try registry.instance(screen: "list", key: "sequence")
    #expect(try await isLaidOut(for: 1...1), "whether they share it shows with the first change")
    let few = list.historyByteCount
    #expect(try await !isLaidOut(for: 2...51))
    #expect(list.historyByteCount - few < 50 * 10_000)
    let whole = 2_000 * 200
    #expect(list.byteCounts.content > whole, "its rows are still in memory")
    #expect(StoreTests.number(list) == 51 && list.byteCounts.content > whole)
    #expect(list.kept.map { $0.snapshot.sections[0].rows[0].fields["n"] }.last == 51)
    #expect(list.kept.count == 52)
  }

  @Test("is laid out at once if each of its states has all elements for itself")
  func array() async throws {
    _ = try registry.instance(screen: "list", key: "array")
    for number in 1...3 { #expect(try await isLaidOut(for: number...number)) }
  }
}
