import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("The row cache")
struct RowCacheTests {
  @Test("does not take an element of another type for an equal one")
  func types() {
    var cache = RowCache()
    _ = cache.row("a", for: 1) {
      Row(id: "a", type: "number", fields: ["value": .integer($0)])
    }
    cache.endAssembly(of: .empty)
    let row = cache.row("a", for: Text("1")) {
      Row(id: "a", type: "text", fields: ["value": .string($0)])
    }
    #expect(row.type == "text")
  }

  @Test(
    "makes the same rows anew in whatever order they are asked for, as a table of all rows does")
  func order() throws {
    try withSeeds(200) { random in
      var cache = RowCache()
      var known: [Text: Int] = [:]
      for _ in 0..<20 {
        var asked: [Text: Int] = [:]
        var ids = (0..<random.number(in: 0...12)).map { Text("row/\($0)") }
        if random.chance(0.5) { ids.shuffle(using: &random) }
        if random.chance(0.3) { ids += ids.filter { _ in random.chance(0.3) } }
        for id in ids {
          let element =
            asked[id] ?? (random.chance(0.2) ? random.number(in: 0...9) : known[id] ?? 0)
          let isNew = known[id] != element
          var isMade = false
          let row = cache.row(id, for: element) { element in
            isMade = true
            return Row(id: id, type: "number", fields: ["value": .integer(element)])
          }
          try require(row.fields["value"] == .integer(element), "\(id) has another row")
          try require(isMade == isNew, "\(id) is made: \(isMade), although it is new: \(isNew)")
          asked[id] = element
        }
        cache.endAssembly(of: .empty)
        known = asked
      }
    }
  }

  private struct Item: Identifiable, Equatable {
    let id: Int
    let name: Text
  }
  private static let brief = RowType("brief", of: Item.self) { Field("name", \.name) }
  private static let full = RowType("full", of: Item.self) {
    Field("name", \.name)
    Field("number", \.id)
  }

  @Test("makes a row anew if another type shows the same value", arguments: [0, 1, 2])
  func rowTypes(way: Int) throws {
    let item = Item(id: 7, name: "Milk")
    func parts(_ type: RowType<Item>) -> [RowPart] {
      switch way {
      case 0: [type("item", item)]
      case 1: ForEach([item], as: type, id: { _ in "item" }).parts
      default: ForEach(KeyedSequence([item]), as: type, id: { _ in "item" }).parts
      }
    }
    var cache = RowCache()
    for type in [Self.brief, Self.full, Self.brief] {
      let section = cache.section("items", parts(type))
      cache.endAssembly(of: try Snapshot(sections: [section]))
      #expect(Array(section.rows) == [type.row("item", item)])
    }
  }
}

extension ForEach {
  /// The declaration as a list of parts.
  fileprivate var parts: [RowPart] { ListBuilder<RowPart>.buildExpression(self) }
}
