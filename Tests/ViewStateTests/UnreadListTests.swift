import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// Long lists that change while nobody reads them.
@Suite("A long list that nobody has read")
struct UnreadListTests {
  private struct Item: Identifiable, Codable, Equatable, Sendable {
    let id: Text
    var number: Int

    var row: Row { Row(id: id, type: "number", fields: ["n": .integer(number)]) }
  }

  /// A store of many items; a write is the number of the first one, or if it is negative, of them all.
  private struct Items: StoreValue {
    var all = KeyedSequence((0..<2_000).map { Item(id: "\($0)", number: 0) })

    mutating func apply(_ number: Int, at time: Timestamp) throws(StoreError) -> Written<Int> {
      for id in number < 0 ? all.map(\.id) : ["0"] { all[id: id]?.number = number }
      return Written(number, changing: ["0"], of: "items")
    }
  }

  private struct ListScreen: Screen {
    static let name: Text = "list"
    static let summary = "A list."

    let store: Store<Items>
    let whileAssembling: @Sendable () -> Void

    /// The same items, for a screen that keeps them in a sequence, or in an array.
    enum State: Codable, Equatable, Sendable {
      case sequence(KeyedSequence<Item>)
      case array([Item])
    }

    var shownStores: [ShownStore] { [.whole(of: store)] }
    var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

    func initialState(for key: Text, in stores: Stores) -> State {
      let items = stores[store].all
      return key.string.hasPrefix("array") ? .array(Array(items)) : .sequence(items)
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

  private let store: Store<Items>
  private let registry: ScreenRegistry
  private let laidOut = Noted<Bool>()

  init() {
    let engine = Engine.still()
    store = Store("items", Items(), in: engine)
    registry = ScreenRegistry(
      engine, of: ListScreen(store: store) { [laidOut] in laidOut.add(true) })
  }

  /// Writes numbers, and returns whether any was laid out.
  private func isLaidOut(for numbers: ClosedRange<Int>) async throws -> Bool {
    _ = laidOut.take()
    for number in numbers { _ = try await store.write(number) }
    return !laidOut.take().isEmpty
  }

  @Test("is left to its first reader if its states share what does not change")
  func sequence() async throws {
    let list = try registry.instance(screen: "list", key: "sequence")
    #expect(try await isLaidOut(for: 1...1), "whether they share it shows with the first change")
    let few = list.historyByteCount
    #expect(try await !isLaidOut(for: 2...30))
    #expect((29 * 4_096...29 * 10_000).contains(list.historyByteCount - few))
    let whole = 2_000 * 200
    #expect(list.byteCounts.content > whole, "its rows are still in memory")
    #expect(try await isLaidOut(for: 31...34), "the next states may share nothing")
    #expect(try await !isLaidOut(for: 35...40))
    #expect(StoreTests.number(list) == 40 && list.byteCounts.content > whole)
    #expect(
      list.kept.map { $0.snapshot.sections[0].rows[0].fields["n"] } == (0...40).map { .integer($0) }
    )
  }

  @Test("counts all elements of states that share none, once a change is laid out")
  func replaced() async throws {
    let list = try registry.instance(screen: "list", key: "sequence")
    #expect(try await isLaidOut(for: -34 ... -1))
    let known = list.historyByteCount
    #expect(try await isLaidOut(for: -54 ... -35), "fewer such states than others are kept")
    #expect(list.historyByteCount - known > 20 * 2_000 * 200)
  }

  @Test("is laid out at once if each of its states has all elements for itself")
  func array() async throws {
    let list = try registry.instance(screen: "list", key: "array")
    for number in 1...3 { #expect(try await isLaidOut(for: number...number)) }
    #expect(list.kept.count == 4)
  }

  @Test("takes the place of the one before if one input changes many, however large they are")
  func manyArrays() async throws {
    let lists = try (0...32).map { try registry.instance(screen: "list", key: "array\($0)") }
    let first = lists.map(\.current)
    #expect(try await !isLaidOut(for: 1...5))
    for (list, first) in zip(lists, first) {
      #expect(list.revisionCount == 2 && list.historyByteCount < 2 * 2_000 * 128 + 10_000)
      #expect(try list.revision(first.token) === first)
      #expect(list.current.token.number == 5)
    }
    #expect(StoreTests.number(lists[7]) == 5)
  }
}
