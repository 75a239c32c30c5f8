import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// A section keeps the script by which it was made of another one. The difference of both would find the same script,
/// so nobody sees whether it was kept.
@Suite struct KnownScriptTests {
  @Test func `a difference depends on what snapshots show, and not on how they were made`() throws {
    try withSeeds(150) { random in
      var history = [try random.snapshot(maximumRows: random.pick([5, 20, 100]))]
      for _ in 0..<4 {
        let next =
          random.chance(0.2)
          ? try random.snapshot() : try random.mutation(of: history[0], edits: random.pick([1, 9]))
        let shuffled = next.sections.map { section in
          random.chance(0.3)
            ? Self.copy(section, rows: section.rows.shuffled(using: &random)) : section
        }
        history.append(
          try Snapshot(
            states: next.states, sections: shuffled.map { Self.copy($0, rows: Array($0.rows)) },
            reusing: random.pick(history)))
      }
      try Self.compareAll(history)
    }
  }

  @Test func `a long list gives the same difference by the script that made it`() throws {
    try withSeeds(20) { random in
      var ids = Array(0..<random.pick([2, 40, 900]))
      var history = [try Self.list(ids, version: 0, reusing: .empty)]
      for version in 1...4 {
        switch random.number(in: 0...5) {
        case 0: ids.reverse()
        case 1: ids.shuffle(using: &random)
        case 2: ids = ids.map { $0 + 1_000 }
        case 3:
          // Two halves of the same length, of which either could move.
          let middle = random.pick([ids.count / 2, random.number(in: 0...ids.count)])
          ids = Array(ids[middle...] + ids[..<middle])
        default:
          for number in 0..<20 {
            ids.insert(10_000 * version + number, at: random.number(in: 0...ids.count))
            ids.remove(at: random.number(in: 0...(ids.count - 1)))
            ids.swapAt(0, random.number(in: 0...(ids.count - 1)))
          }
        }
        history.append(try Self.list(ids, version: version, reusing: history[version - 1]))
      }
      try Self.compareAll(history)
    }
  }

  @Test func `the script is kept for the section it was made from, and for no other one`() throws {
    let old = try Self.list(Array(0..<100), version: 0, reusing: .empty)
    let equal = try Self.list(Array(0..<100), version: 0, reusing: .empty)
    let new = try Self.list((0..<100).reversed(), version: 0, reusing: old)
    #expect(new.sections[1].script(from: old.sections[1])?.moves.count == 99)
    #expect(new.sections[1].script(from: equal.sections[1]) == nil)
    #expect(old.sections[1].script(from: new.sections[1]) == nil)
    let changed = try Self.list((0..<100).reversed(), version: 1, reusing: new)
    #expect(changed.sections[1].script(from: old.sections[1]) == nil)
    // Each row is where it was.
    let updates = try #require(changed.sections[1].script(from: new.sections[1]))
    #expect(updates.updates.count == updates.operationCount && updates.updates.count > 10)
    #expect(new.difference(from: old) == new.difference(from: equal))
    #expect(old.difference(from: new) == equal.difference(from: new))
  }

  @Test func `one place that changed has a script without a search for one`() throws {
    let old = try Self.list(Array(0..<100), version: 0, reusing: .empty)
    func script(_ rows: [Row]) throws -> EditScript {
      let new = try Snapshot(
        sections: [old.sections[0], Section(id: "list", rows: rows)], reusing: old)
      try Self.compareAll([old, new])
      return try #require(new.sections[1].script(from: old.sections[1]))
    }
    let rows = Array(old.sections[1].rows)
    let update = try script(Array(rows[..<7]) + [Self.row(7, version: 1)] + rows[8...])
    #expect(update.operationCount == 1 && update.updates.map(\.from.row) == [7])
    let otherType = try script(
      Array(rows[..<7]) + [Row(id: rows[7].id, type: "other")] + rows[8...])
    #expect(otherType.operationCount == 2)
    #expect(otherType.deletes.map(\.row) == [7] && otherType.inserts.map(\.row) == [7])
    let shorter = try script(Array(rows[..<7]) + rows[10...])
    #expect(shorter.operationCount == 3 && shorter.deletes.map(\.row) == [9, 8, 7])
    let longer = try script(rows + [Self.row(100, version: 0), Self.row(101, version: 0)])
    #expect(longer.operationCount == 2 && longer.inserts.map(\.row) == [100, 101])
  }

  @Test
  func `a row that comes from another section is moved, although both sections keep a script`()
    throws
  {
    func snapshot(_ first: [Int], _ second: [Int], reusing old: Snapshot) throws -> Snapshot {
      try Snapshot(
        sections: [
          Section(id: "first", rows: first.map { Self.row($0, version: 0) }),
          Section(id: "second", rows: second.map { Self.row($0, version: 0) }),
        ], reusing: old)
    }
    let old = try snapshot([1, 2, 3, 4], [5, 6, 7, 8], reusing: .empty)
    let new = try snapshot([4, 5, 2, 1], [8, 3, 6, 9], reusing: old)
    #expect(
      new.sections.allSatisfy { section in old.sections.contains { section.script(from: $0) != nil }
      })
    #expect(new.difference(from: old).rows.moves.contains { $0.from.section != $0.to.section })
    try Self.compareAll([old, new])
  }

  @Test func `the memory between two snapshots has the script`() throws {
    let old = try Self.list(Array(0..<100), version: 0, reusing: .empty)
    let new = try Self.list(Array(1_000..<1_100), version: 0, reusing: old)
    let script = try #require(new.sections[1].script(from: old.sections[1]))
    #expect(new.sections[1].scriptByteCount == script.byteCount && script.byteCount == 8 * 200)
    let section = old.sections[1].with(new.sections[1].rows.tree)
    let sections = old.sections.tree.replacing(1, with: section)
    let plain = Snapshot(states: old.sourceStates, index: try old.index.updated(to: sections))
    #expect(
      Snapshot.byteCount(between: old, and: new)
        == Snapshot.byteCount(between: old, and: plain) + script.byteCount)
  }

  /// Compares each difference with that of copies which share nothing, and each script with that of their rows.
  private static func compareAll(_ history: [Snapshot]) throws {
    let copies = try history.map { snapshot in
      try Snapshot(
        states: snapshot.states, sections: snapshot.sections.map { copy($0, rows: Array($0.rows)) })
    }
    for (old, oldCopy) in zip(history, copies) {
      for (new, newCopy) in zip(history, copies) {
        let difference = new.difference(from: old)
        try require(
          difference == newCopy.difference(from: oldCopy), "another difference: \(difference)")
        try require(
          try old.applying(difference).digest == new.digest, "\(difference) leads elsewhere")
        for section in new.sections {
          guard let index = old.index(ofSection: section.id),
            let script = section.script(from: old.sections[index])
          else { continue }
          let pair = SectionPair(
            oldIndex: 0, newIndex: 0,
            old: copy(old.sections[index], rows: Array(old.sections[index].rows)),
            new: copy(section, rows: Array(section.rows)))
          try require(script == RowRuns(between: [pair]).editScript(), "another script: \(script)")
        }
      }
    }
  }

  /// Returns a section and a long list in a section behind it.
  private static func list(_ ids: [Int], version: Int, reusing old: Snapshot) throws -> Snapshot {
    try Snapshot(
      sections: [
        Section(id: "head", rows: [Row(id: "head", type: "head")]),
        Section(id: "list", rows: ids.map { row($0, version: version) }),
      ], reusing: old)
  }

  private static func row(_ id: Int, version: Int) -> Row {
    Row(
      id: "row/\(id)", type: "post",
      fields: ["version": .integer(id % 7 == 0 ? version : 0)],
      generation: id % 11 == 0 ? version : 0)
  }

  private static func copy(_ section: Section, rows: [Row]) -> Section {
    Section(
      id: section.id, fields: section.fields, generation: section.generation,
      rows: rows.map { Row(id: $0.id, type: $0.type, fields: $0.fields, generation: $0.generation) }
    )
  }
}
