import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen that has clients draw its rows again.
private struct MapsScreen: Screen {
  struct Map: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var timesReloaded = 0
  }

  struct State: ScreenState {
    var maps: KeyedSequence<Map> = [Map(id: 1), Map(id: 2), Map(id: 3)]
    var list: [Map] = [Map(id: 4)]
    var legend = 0
    var whole = 0
    var title: Text = "Maps"
  }

  static let name: Text = "maps"
  static let summary = "Maps."

  var commands: [AnyCommand<State>] {
    Command("reload", "Draws a map anew.", .integer("map")) { (state: inout State, id) in
      state.maps[id: id]?.timesReloaded += 1
      if let index = state.list.firstIndex(where: { $0.id == id }) {
        state.list[index].timesReloaded += 1
      }
    }
    Command("reloadLegend", "Draws the legend anew.") { (state: inout State) in state.legend += 1 }
    Command("reloadAll", "Draws all anew.") { (state: inout State) in state.whole += 1 }
    Command(
      "retitle", "Sets the title at once.", .text("title"),
      writing: {
        (state: inout State, transaction, title) in
        state.title = title
        transaction.isAnimated = false
      })
  }

  static let map = RowType("map", of: Map.self) { Field("number", \.id) }
  static let legend = RowType(text: "legend")

  var rowTypes: [RowTypeDescriptor] {
    Self.map
    Self.legend
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("maps", fields: ["title": .string(state.title)], generation: state.whole) {
      Self.legend("legend", "North is up.", generation: state.legend)
      ForEach(state.maps, as: Self.map, generation: \.timesReloaded) { "map/\($0.id)" }
      ForEach(state.list, as: Self.map, generation: \.timesReloaded) { "map/\($0.id)" }
    }
  }
}

@Suite("A screen that reloads")
struct ReloadTests {
  private let instance: Instance

  init() throws {
    let registry = ScreenRegistry(.still(), of: MapsScreen())
    instance = try registry.instance(screen: "maps", key: "1")
  }

  @discardableResult
  private func send(_ type: Text, _ arguments: [Text: JSONValue] = [:]) async throws -> Revision {
    let body = JSONValue.object(arguments.merging(["type": .string(type)]) { $1 })
    try await instance.send(body)
    return instance.current
  }

  @Test(
    "a row by another generation makes a revision of the same digest",
    arguments: [
      (1, RowPath(section: 0, row: 1)), (3, .init(section: 0, row: 3)),
      (4, .init(section: 0, row: 4)),
    ])
  func row(id: Int, path: RowPath) async throws {
    let start = instance.current
    for _ in 0..<2 {
      let before = instance.current
      let after = try await send("reload", ["map": .integer(id)])
      #expect(after.token != before.token && after.snapshot.digest == start.snapshot.digest)
      #expect(after.diffSize(after: before).operationCount == 1)
      for changes in [after.difference(from: before), after.difference(from: start)] {
        #expect(changes.operationCount == 1)
        #expect(changes.rows.reloads == [.init(id: "map/\(id)", from: path, to: path)])
      }
    }
  }

  @Test("a row of its own, or a section with all rows, whatever else changes")
  func section() async throws {
    let start = instance.current
    let legend = RowPath(section: 0, row: 0)
    #expect(
      try await send("reloadLegend").difference(from: start).rows.reloads
        == [.init(id: "legend", from: legend, to: legend)])
    try await send("retitle", ["title": "Charts"])
    let changes = try await send("reloadAll").difference(from: start)
    #expect(changes.sections.reloads == [.init(id: "maps", from: 0, to: 0)])
    #expect(changes.sections.updates.map(\.set) == [["title": "Charts"]])
    #expect(changes.rows.isEmpty)
  }

  @Test("rows of other elements shares those that stay")
  func sharing() async throws {
    try await send("reload", ["map": 1])
    let before = instance.current
    let after = try await send("reload", ["map": 3])
    #expect(after.difference(from: before).rows.reloads.map(\.id) == ["map/3"])
    #expect(
      after.snapshot[RowPath(section: 0, row: 1)] == before.snapshot[RowPath(section: 0, row: 1)])
  }

  @Test("says that a change is not animated, also over several revisions that are not")
  func animation() async throws {
    var revisions = [instance.current]
    for title: Text in ["A", "B"] {
      revisions.append(try await send("retitle", ["title": .string(title)]))
    }
    revisions.append(try await send("reloadAll"))
    for (older, newer, isAnimated) in [(0, 1, false), (0, 2, false), (2, 3, true), (0, 3, true)] {
      #expect(revisions[newer].difference(from: revisions[older]).isAnimated == isAnimated)
      #expect(revisions[older].difference(from: revisions[newer]).isAnimated == isAnimated)
    }
    #expect(revisions[1].difference(from: revisions[1]).isAnimated)
    // The same title again is no revision.
    try await send("retitle", ["title": "B"])
    #expect(instance.current.difference(from: revisions[2]).isAnimated)
  }
}
