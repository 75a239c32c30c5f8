import AllocationCounter
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
    try withSeeds(400) { random in
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
    try withSeeds(300) { random in
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
    try withSeeds(400) { random in
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

  /// Checks that two snapshots are the same through some windows exactly if what is seen of both is equal.
  ///
  /// - Returns: The numbers of windows through which they are the same, and are not.
  private static func compare(
    _ one: Snapshot, _ other: Snapshot, _ random: inout SeededGenerator
  ) throws -> (same: Int, different: Int) {
    var counts = (same: 0, different: 0)
    for _ in 0..<8 {
      let window = try window(
        random.number(in: 0...(one.rowCount + 5)), random.pick([1, 5, 31, 32, 33, 64, 200, 1_000]))
      let isSame = one.isSame(as: other, through: window)
      let seen = one.seen(through: window)
      try require(
        isSame == (seen == other.seen(through: window)), "\(isSame) through \(window)")
      try require(isSame == other.isSame(as: one, through: window), "another answer in reverse")
      try require(
        one.contentByteCount(through: window) == seen.contentByteCount, "another size")
      if isSame { counts.same += 1 } else { counts.different += 1 }
    }
    return counts
  }

  /// The rows are changed, moved, and deleted and inserted elsewhere, so that trees with the same rows in a window have
  /// other nodes: up to 32 rows are in one node, and more than 1,000 are on three levels.
  @Test(
    "is the same in two revisions exactly if what is seen of both is equal",
    arguments: [0, 31, 32, 33, 500, 1_023, 1_025])
  func sameness(count: Int) throws {
    var counts = (same: 0, different: 0)
    try withSeeds(2, salt: "sameness \(count)") { random in
      var script = RandomEdits(random: SeededGenerator(seed: random.next()))
      try script.grow(to: count, by: 1...300)
      var history = [script.snapshot]
      for _ in 0..<12 {
        try script.step()
        if random.chance(0.8) {
          try script.shrink(to: count, by: 1...3)
          try script.grow(to: count, by: 1...20)
        }
        history.append(script.snapshot)
      }
      for one in history {
        let other = random.pick(history)
        let apart = try Snapshot(
          sections: other.sections.map { Section(id: $0.id, rows: Array($0.rows)) })
        for other in [other, apart] {
          let (same, different) = try Self.compare(one, other, &random)
          counts = (counts.same + same, counts.different + different)
        }
      }
    }
    #expect(counts.same > 30 && counts.different > 30, "\(counts)")
  }

  @Test("is another one if a state, a member of a section in it, or a generation changes")
  func frames() throws {
    var counts = (same: 0, different: 0)
    try withSeeds(300) { random in
      let old = try random.snapshot(maximumRows: 80, maximumSections: 30)
      var new = try random.mutation(of: old, edits: random.number(in: 0...3))
      if random.chance(0.3), let section = new.sections.randomElement(using: &random) {
        try new.reloadSections([
          Section(id: section.id, fields: section.fields, generation: 1, rows: section.rows)
        ])
      }
      if random.chance(0.3), let section = new.sections.first(where: { !$0.rows.isEmpty }) {
        try new.reconfigureItems([section.rows[0].generation(1)])
      }
      let (same, different) = try Self.compare(old, new, &random)
      counts = (counts.same + same, counts.different + different)
    }
    #expect(counts.same > 300 && counts.different > 300, "\(counts)")
  }

  @Test(
    "is not cut to find that it is the same, and to find its size",
    .enabled(if: allocation_counter_is_available(), "a sanitizer has an allocator of its own"))
  func cutless() throws {
    let rows = (0..<50_000).map { Row(id: "row/\($0)", type: "post") }
    let old = try Snapshot(sections: [Section(id: "posts", rows: rows)])
    var new = old
    try new.reconfigureItems([
      Row(id: "row/20000", type: "post", fields: ["text": "Outside"]),
      Row(id: "row/49999", type: "post", fields: ["text": "Outside"]),
    ])
    let window = try Self.window(30_000, 1_000)
    func peakBytes(_ body: () -> Bool) -> Int {
      allocation_counter_start()
      let holds = body()
      let counts = allocation_counter_stop()
      #expect(holds)
      return counts.peakBytes
    }
    // A cut has references to 1,000 rows.
    #expect(peakBytes { new.seen(through: window).rowCount == 1_000 } > 16_000)
    #expect(peakBytes { new.isSame(as: old, through: window) } < 2_000)
    #expect(peakBytes { new.contentByteCount(through: window) > 16_000 } < 2_000)
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
