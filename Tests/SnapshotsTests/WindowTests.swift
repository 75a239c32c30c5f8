import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@Suite("A view model seen through a window")
struct WindowTests {
  /// The rows of a snapshot, with the ids of their sections.
  private static func rows(of snapshot: Snapshot) -> [[Text]] {
    snapshot.sections.flatMap { section in section.rows.map { [section.id, $0.id] } }
  }

  private static func window(_ start: Int, _ count: Int) throws -> RowWindow {
    try #require(RowWindow(start: start, count: count))
  }

  @Test("has the rows of its range, whatever the sections, and all states")
  func range() throws {
    try withSeeds(1_000) { random in
      let whole = try random.snapshot(maximumRows: 80, maximumSections: 50)
      let window = try Self.window(random.number(in: 0...90), random.number(in: 1...90))
      let seen = whole.seen(through: window)
      let all = Self.rows(of: whole)
      try require(
        Self.rows(of: seen) == Array(all.dropFirst(window.start).prefix(window.count)), "other rows"
      )
      try require(seen.states == whole.states, "other states")
      try require(seen.window == SeenWindow(rows: window, total: all.count), "another window")
      for section in seen.sections {
        let index = try #require(whole.index(ofSection: section.id))
        try require(section.fields == whole.sections[index].fields, "other fields")
        if let row = section.rows.first {
          let path = try #require(seen.path(ofRow: row.id))
          try require(seen[path] == row, "the row is not found")
        }
      }
    }
  }

  @Test("has each section once if windows divide the rows among them, also sections without rows")
  func division() throws {
    try withSeeds(500) { random in
      let whole = try random.snapshot(maximumRows: 60, maximumSections: 40)
      let count = random.number(in: 1...30)
      var names: [Text] = []
      for start in stride(from: 0, to: max(whole.rowCount, 1), by: count) {
        for section in whole.seen(through: try Self.window(start, count)).sections
        where names.last != section.id {
          names.append(section.id)
        }
      }
      try require(names == whole.sections.map(\.id), "\(names) of \(whole)")
    }
  }

  @Test("finds its rows among more sections and rows than a node of the trees has")
  func large() throws {
    let sections = (0..<3_000).map { section in
      Section(
        id: "section/\(section)",
        rows: (0..<section % 7).map { Row(id: "row/\(section)/\($0)", type: "post") })
    }
    let whole = try Snapshot(sections: sections)
    let all = Self.rows(of: whole)
    for start in [0, 1, 4_321, all.count - 1, all.count, RowWindow.greatestStart] {
      let seen = whole.seen(through: try Self.window(start, 100))
      #expect(Self.rows(of: seen) == Array(all.dropFirst(start).prefix(100)))
    }
    let part = try Snapshot(
      sections: [
        Section(id: "long", rows: (0..<50_000).map { Row(id: "row/\($0)", type: "post") })
      ]
    )
    let seen = part.seen(through: try Self.window(40_000, 1_000))
    #expect(seen.sections.count == 1 && seen.sections[0].rows[999].id == "row/40999")
  }

  @Test("is led by a diff to any other window of any other revision, byte for byte")
  func differences() throws {
    try withSeeds(1_000) { random in
      let old = try random.snapshot(maximumRows: 80)
      let new = try random.mutation(of: old, edits: random.number(in: 0...6))
      let before = old.seen(
        through: try Self.window(random.number(in: 0...80), random.number(in: 1...60)))
      let after = new.seen(
        through: try Self.window(random.number(in: 0...80), random.number(in: 1...60)))
      let changes = try after.provenDifference(from: before)
      try require(
        try before.applying(changes).encoded(kind: .snapshot, screen: "s/1", revision: "r")
          == after.encoded(kind: .snapshot, screen: "s/1", revision: "r"), "other bytes")
    }
  }

  @Test("names the window in its documents, and a JSON Patch changes it")
  func documents() throws {
    let rows = (0..<3).map { Row(id: "row/\($0)", type: "post") }
    let whole = try Snapshot(sections: [Section(id: "posts", rows: rows)])
    let before = whole.seen(through: try Self.window(0, 1))
    let after = whole.seen(through: try Self.window(2, 5))
    let document = String(
      decoding: before.encoded(kind: .snapshot, screen: "s/1", revision: "A"), as: UTF8.self)
    #expect(document.hasSuffix(#""states":{},"window":{"count":1,"start":0,"total":3}}"#))
    let changes = after.difference(from: before)
    let diff = String(
      decoding: changes.encoded(screen: "s/1", from: "A", revision: "A"), as: UTF8.self)
    #expect(diff.hasSuffix(#""screen":"s/1","window":{"count":5,"start":2,"total":3}}"#))
    let patch = String(
      decoding: changes.encodedPatch(of: before, from: "A", revision: "A"), as: UTF8.self)
    #expect(
      patch.hasSuffix(
        #"{"op":"add","path":"/window","value":{"count":5,"start":2,"total":3}},"#
          + #"{"op":"replace","path":"/revision","value":"A"}]"#))
    let back = String(
      decoding: whole.difference(from: before).encodedPatch(of: before, from: "A", revision: "A"),
      as: UTF8.self)
    #expect(back.contains(#"{"op":"remove","path":"/window"}"#))
  }

  @Test("is another one if only its window differs")
  func equality() throws {
    let whole = try Snapshot(sections: [Section(id: "a", rows: [Row(id: "1", type: "post")])])
    let (one, two) = (try Self.window(0, 1), try Self.window(0, 2))
    #expect(whole.seen(through: one) == whole.seen(through: one))
    #expect(whole.seen(through: one) != whole.seen(through: two))
    #expect(whole.seen(through: one) != whole)
  }

  @Test("keeps its window if its content changes")
  func operations() throws {
    let rows = (0..<3).map { Row(id: "row/\($0)", type: "post") }
    let whole = try Snapshot(sections: [Section(id: "posts", rows: rows)])
    var seen = whole.seen(through: try Self.window(0, 2))
    let window = seen.window
    try seen.appendItems([Row(id: "row/9", type: "post")], toSection: "posts")
    #expect(seen.window == window)
    seen.deleteItems(["row/0"])
    #expect(seen.window == window)
    #expect(seen.with(states: ["posts": "loaded"]).window == window)
  }

  @Test(
    "is refused with a start or a count out of range",
    arguments: [(-1, 1), (0, 0), (0, 1_001), (.max, 1), (RowWindow.greatestStart + 1, 1)])
  func limits(start: Int, count: Int) {
    #expect(RowWindow(start: start, count: count) == nil)
  }
}
