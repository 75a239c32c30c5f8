import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The laws for the JSON Patch between any two snapshots.
@Suite struct JSONPatchLawTests {
  @Test func `the patch between two unrelated snapshots leads to the newer, step for operation`()
    throws
  {
    try withSeeds(600) { random in
      try PatchCase(from: try random.snapshot(), to: try random.snapshot()).check()
    }
  }

  @Test func `patches lead through a history of edits and back`() throws {
    try withSeeds(300) { random in
      var old = try random.snapshot()
      for _ in 0..<5 {
        let new = try random.mutation(of: old, edits: random.number(in: 0...8))
        try PatchCase(from: old, to: new).check()
        try PatchCase(from: new, to: old).check()
        old = new
      }
    }
  }

  @Test func `members of any names and values are set and unset`() throws {
    try withSeeds(500) { random in
      try PatchCase(
        from: try random.snapshotOfAnyNames(), to: try random.snapshotOfAnyNames()
      ).check()
    }
  }

  @Test func `rows of two lists move to any places in either`() throws {
    // All ways to cut each order of five rows in two, with one row inserted and one deleted.
    let before = try Self.twoSections([1, 2, 3, 4], cut: 2)
    for order in NaiveSubsequence.permutations(of: [1, 2, 3, 5]) {
      for cut in 0...order.count {
        try PatchCase(from: before, to: try Self.twoSections(order, cut: cut)).check()
      }
    }
  }

  @Test(.enabled(if: PatchLibrary.python != nil))
  func `another library gives the same results for random patches`() throws {
    var cases: [PatchCase] = []
    try withSeeds(300) { random in
      let old = try random.snapshot()
      let edited = try random.mutation(of: old, edits: random.number(in: 0...8))
      cases.append(PatchCase(from: old, to: edited))
      cases.append(PatchCase(from: edited, to: try random.snapshot()))
      cases.append(
        PatchCase(from: try random.snapshotOfAnyNames(), to: try random.snapshotOfAnyNames()))
    }
    let results = try PatchLibrary.apply(cases)
    try #require(results.count == cases.count)
    for (result, expected) in zip(results, cases) {
      #expect(result.canonicalBytes() == expected.after)
    }
  }

  private static func twoSections(_ ids: [Int], cut: Int) throws -> Snapshot {
    let rows = ids.map { Row(id: "\($0)", type: "t") }
    return try Snapshot(sections: [
      Section(id: "a", rows: rows[..<cut]), Section(id: "b", rows: rows[cut...]),
    ])
  }
}

extension SeededGenerator {
  /// Returns a snapshot with few rows, whose field names have all the characters that pointers and
  /// JSON escape.
  fileprivate mutating func snapshotOfAnyNames() throws -> Snapshot {
    func fields() -> [Text: JSONValue] {
      var fields: [Text: JSONValue] = [:]
      for _ in 0..<number(in: 0...5) {
        fields["\(text())\(pick(["", "/", "~", "~0"]))"] = json(depth: 1)
      }
      return fields
    }
    let sections = (0..<number(in: 1...2)).map { section in
      Section(
        id: "\(section)", fields: fields(),
        rows: (0..<number(in: 0...2)).map {
          Row(id: "\(section)/\($0)", type: "t", fields: fields())
        })
    }
    return try Snapshot(states: states(), sections: sections)
  }
}
