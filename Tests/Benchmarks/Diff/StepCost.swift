import CanonicalJSON
import Foundation
import Snapshots
import ViewState

/// The cost of what the server does with a command, from the state to the encoded diff, and of making rows.
enum StepCost {
  static func measure(into table: inout Table) async throws {
    makeRow(into: &table)
    for (count, budget) in [(20, 8.0), (100, 15), (100_000, 30)] {
      let times = count > 1_000 ? 2_000 : 5_000
      let seconds = try show(times: times, in: count)
      table.add(
        "one update in a list of \(count.formatted) rows: state to encoded diff",
        ours: Table.time(seconds), budget: "≤ \(Int(budget)) µs", isMet: seconds <= budget * 1e-6)
      let whole = try await List(count: count).update(times: times)
      table.add("  from the command", ours: Table.time(whole), budget: "–", isMet: nil)
    }
    let list = try List(count: 100_000)
    let seconds = try list.open()
    table.add(
      "first look at a screen of 100,000 rows", ours: Table.time(seconds), budget: "≤ 70 ms",
      isMet: seconds <= 0.07)
  }

  /// Returns the seconds of a changed item in a state, of the view model that shows it, of its memory, and of the
  /// encoded diff.
  private static func show(times: Int, in count: Int) throws -> Double {
    var state = ListScreen.State(count: count)
    var cache = RowCache()
    func show(_ state: ListScreen.State) throws -> Snapshot {
      let section = cache.section("items", ListBuilder.buildExpression(ListScreen.rows(of: state)))
      let snapshot = try Snapshot(states: [:], sections: [section], reusing: cache.snapshot)
      cache.endAssembly(of: snapshot)
      return snapshot
    }
    var before = try show(state)
    var (byteCount, memory) = (0, 0)
    let start = Measurement.processorTime()
    for number in 0..<times {
      state.items[id: count / 2]?.name = Text("Item \(number), renamed")
      let after = try show(state)
      memory += Snapshot.byteCount(between: before, and: after)
      byteCount +=
        after.difference(from: before)
        .encoded(screen: "list/1", from: "1.\(number)", revision: "1.\(number + 1)").count
      before = after
    }
    let seconds = Measurement.processorTime() - start
    precondition(byteCount > 200 * times && memory > byteCount)
    return seconds / Double(times)
  }

  /// A row of about 200 bytes against the same bytes written plainly.
  private static func makeRow(into table: inout Table) {
    let items = (0..<1_000).map { Chore(id: $0) }
    let measurement = Measurement(
      {
        items.reduce(0) { $0 + ListScreen.item.row("item/\($1.id)", $1).encoded.count }
      },
      { items.reduce(0) { $0 + $1.written.count } })
    table.add(
      "1,000 rows of \(items[0].written.count) bytes made", measurement,
      reference: "written plainly", atMost: 1.7)
  }

  /// A view model with a list.
  private struct List {
    let screens: ScreenRegistry
    let count: Int

    init(count: Int) throws {
      let engine = Engine(environment: ScreenEnvironment(), seed: [])
      var screens = ScreenRegistry(engine)
      screens.register(ListScreen())
      self.screens = screens
      self.count = count
    }

    private var instance: Instance {
      get throws { try screens.instance(screen: ListScreen.name, key: Text("\(count)")) }
    }

    /// Returns the seconds of one command that changes an item in the middle, and of its diff.
    func update(times: Int) async throws -> Double {
      let instance = try instance
      var before = instance.current
      var byteCount = 0
      let start = Measurement.processorTime()
      for number in 0..<times {
        let command = ListScreen.rename.sent(count / 2, Text("Item \(number), renamed"))
        _ = try await instance.send(SentCommand(JSONReader(command)), expecting: nil)
        let after = instance.current
        byteCount +=
          after.snapshot.difference(from: before.snapshot).encoded(
            screen: "list/1", from: Text(before.token.description),
            revision: Text(after.token.description)
          ).count
        before = after
      }
      let seconds = Measurement.processorTime() - start
      precondition(byteCount > 200 * times)
      return seconds / Double(times)
    }

    /// Returns the seconds until the first snapshot can be sent.
    func open() throws -> Double {
      let start = Measurement.processorTime()
      let rowCount = try instance.current.snapshot.rowCount
      let seconds = Measurement.processorTime() - start
      precondition(rowCount == count)
      return seconds
    }
  }
}

/// An item of the list, which takes about 200 bytes as a row.
private struct Chore: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  var name: Text
  var note: Text
  var isDone = false
  var rank: Int

  init(id: Int) {
    (self.id, rank) = (id, id % 100)
    name = "Item \(id)"
    note =
      "What is to be known of it, in a sentence or two that a user has written for others to read."
  }

  /// The row as JSON, written by hand.
  var written: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    bytes.append(contentsOf: "{\"id\":\"item/".utf8)
    bytes.append(contentsOf: "\(id)".utf8)
    bytes.append(contentsOf: "\",\"isDone\":".utf8)
    bytes.append(contentsOf: (isDone ? "true" : "false").utf8)
    bytes.append(contentsOf: ",\"name\":\"".utf8)
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: "\",\"note\":\"".utf8)
    bytes.append(contentsOf: note.utf8)
    bytes.append(contentsOf: "\",\"rank\":".utf8)
    bytes.append(contentsOf: "\(rank)".utf8)
    bytes.append(contentsOf: ",\"type\":\"item\"}".utf8)
    return bytes
  }
}

private struct ListScreen: Screen {
  struct State: Codable, Equatable, Sendable {
    var items: KeyedSequence<Chore>

    init(count: Int) { items = KeyedSequence((0..<count).map { Chore(id: $0) }) }
  }

  static let name: Text = "list"
  static let summary = "A long list."
  static let keyName = "count"

  static let rename = Command("rename", "Renames an item.", .integer("item"), .text("name", 1...80))
  {
    (state: inout State, id, name) in
    state.items[id: id]?.name = name
  }

  static let item = RowType("item", of: Chore.self) {
    Field("name", \.name)
    Field("note", \.note)
    Field("isDone", \.isDone)
    Field("rank", \.rank)
  }

  var commands: [AnyCommand<State>] { Self.rename }
  var rowTypes: [RowTypeDescriptor] { [Self.item.descriptor] }

  func initialState(for key: Text, in stores: Stores) -> State {
    State(count: Int(key.string) ?? 0)
  }

  func body(_ state: State) -> [ListSection] { ListSection("items") { Self.rows(of: state) } }

  static func rows(of state: State) -> ForEach<Chore> {
    ForEach(state.items, as: item) { "item/\($0.id)" }
  }
}
