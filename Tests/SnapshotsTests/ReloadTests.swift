import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// Rows and sections that clients draw again although they may be equal.
@Suite struct ReloadTests {
  private static func row(_ id: Text, _ text: Text = "T", type: Text = "p") -> Row {
    Row(id: id, type: type, fields: ["text": .string(text)])
  }

  private static func snapshot() throws -> Snapshot {
    try Snapshot(sections: [
      Section(id: "a", rows: [row("1"), row("2"), row("3")]), Section(id: "b", rows: [row("4")]),
    ])
  }

  private static func wire(_ new: Snapshot, _ old: Snapshot) throws -> JSONReader {
    let bytes = new.difference(from: old).encoded(screen: "s/1", from: "0", revision: "1")
    return JSONReader(try JSONValue(parsing: bytes))
  }

  @Test func `a row of equal content is marked, and nothing else is different`() throws {
    let old = try Self.snapshot()
    var new = old
    try new.reloadItems([Self.row("2")])
    #expect(
      new != old && new.digest == old.digest
        && new[RowPath(section: 0, row: 1)] != old[RowPath(section: 0, row: 1)])
    #expect(
      new.encoded(kind: .snapshot, screen: "s/1", revision: "0")
        == old.encoded(kind: .snapshot, screen: "s/1", revision: "0"))
    let document = try Self.wire(new, old)
    #expect(
      try document.member("rows").value == [
        "reloads": [["from": [0, 1], "id": "2", "to": [0, 1]]]
      ])
    #expect(
      try document.optionalMember("sections") == nil
        && new.difference(from: old).operationCount == 1)
    #expect(
      new.difference(from: old).encodedPatch(of: old, from: "0", revision: "1")
        == old.difference(from: old).encodedPatch(of: old, from: "0", revision: "1"))
    // Back to the older one as well.
    #expect(old.difference(from: new).rows.reloads == new.difference(from: old).rows.reloads)
  }

  @Test func `a row that is reconfigured keeps its view, also one that was reloaded before`() throws
  {
    var old = try Self.snapshot()
    try old.reloadItems([Self.row("2")])
    var new = old
    try new.reconfigureItems([Self.row("2", "U")])
    #expect(new.difference(from: old).rows.reloads == [])
    #expect(new.difference(from: old).rows.updates.map(\.id) == ["2"])
    try new.reconfigureItems([Self.row("2")])
    #expect(new == old)
  }

  @Test func `a row that changes, moves and is reloaded is in all three`() throws {
    let old = try Self.snapshot()
    var new = old
    try new.reloadItems([Self.row("1", "U")])
    try new.moveItem("1", afterItem: "4")
    let rows = try Self.wire(new, old).member("rows").value
    let path: [Text: JSONValue] = ["from": [0, 0], "id": "1", "to": [1, 1]]
    #expect(
      rows == [
        "moves": [.object(path)], "reloads": [.object(path)],
        "updates": [.object(path.merging(["set": ["text": "U"]]) { $1 })],
      ])
  }

  @Test func `a row of another type is deleted and inserted, and not reloaded`() throws {
    let old = try Self.snapshot()
    var new = old
    try new.reloadItems([Self.row("1", type: "q")])
    #expect(new.difference(from: old).rows.reloads == [])
    #expect(new.difference(from: old).rows.operationCount == 2)
  }

  @Test func `a section is reloaded with its rows, which are listed if they have left it`() throws {
    let old = try Self.snapshot()
    var new = old
    try new.reloadSections([Section(id: "a", rows: [Self.row("1"), Self.row("3"), Self.row("5")])])
    var changes = try new.provenDifference(from: old)
    #expect(changes.sections.reloads == [.init(id: "a", from: 0, to: 0)])
    #expect(changes.rows.reloads == [] && changes.rows.operationCount == 2)
    try new.moveItem("1", afterItem: "4")
    try new.moveSection("b", beforeSection: "a")
    changes = try new.provenDifference(from: old)
    #expect(changes.sections.reloads == [.init(id: "a", from: 0, to: 1)])
    #expect(changes.rows.reloads.map(\.id) == ["1"])
  }

  @Test(arguments: [
    (
      Changeset.Reload(id: "2", from: RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 1)),
      ChangesetError.Code.identifierMismatch
    ),
    (
      .init(id: "2", from: RowPath(section: 0, row: 1), to: RowPath(section: 0, row: 0)),
      .invalidReload
    ),
    (
      .init(id: "2", from: RowPath(section: 0, row: 1), to: RowPath(section: 7, row: 0)),
      .invalidReload
    ),
    (
      .init(id: "2", from: RowPath(section: 0, row: 1), to: RowPath(section: 0, row: 9)),
      .invalidReload
    ),
    (
      .init(id: "9", from: RowPath(section: 0, row: 9), to: RowPath(section: 0, row: 9)),
      .positionOutOfRange
    ),
    (
      .init(id: "4", from: RowPath(section: 1, row: 0), to: RowPath(section: 0, row: 0)),
      .invalidReload
    ),
  ])
  func `a reload of a row that does not stay is refused`(
    _ reload: Changeset.Reload<RowPath>, _ code: ChangesetError.Code
  ) throws {
    let old = try Self.snapshot()
    var new = old
    new.deleteSections(["b"])
    var changes = new.difference(from: old)
    changes.rows.reloads = [reload]
    #expect { try old.applying(changes) } throws: { ($0 as? ChangesetError)?.code == code }
  }

  @Test func `a reload of what is deleted or inserted is refused`() throws {
    let old = try Self.snapshot()
    var new = old
    try new.reloadItems([Self.row("1", type: "q")])
    var changes = new.difference(from: old)
    let path = RowPath(section: 0, row: 0)
    changes.rows.reloads = [.init(id: "1", from: path, to: path)]
    #expect(throws: ChangesetError.self) { try old.applying(changes) }
    changes = new.difference(from: new)
    changes.sections.reloads = [.init(id: "a", from: 0, to: 1)]
    #expect(throws: ChangesetError.self) { try new.applying(changes) }
  }

  @Test
  func `the diff of any two revisions has what was reloaded in between, and lists draw it again`()
    throws
  {
    try withSeeds(60) { random in
      var history = ReloadHistory(random: random)
      for _ in 0..<14 { try history.step() }
      for (older, newer) in [(0, 14), (3, 9), (8, 9), (12, 2), (14, 0)]
        + (0..<6).map({ _ in (random.number(in: 0...14), random.number(in: 0...14)) })
      {
        try history.check(from: older, to: newer)
      }
    }
  }

  @Test func `a hint not to animate is a member of the document`() throws {
    let old = try Self.snapshot()
    var changes = old.difference(from: old)
    changes.isAnimated = false
    let bytes = changes.encoded(screen: "s/1", from: "0", revision: "1")
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(#"{"animated":false,"digest":""#))
  }
}

/// A history of snapshots by random operations, with a record of what each of them reloads that shares no code
/// with the generations.
private struct ReloadHistory {
  /// A revision: the life of each row and section, which ends if it is deleted or gets another type, and what
  /// the last operation reloaded.
  struct Entry {
    var snapshot: Snapshot
    var lives: [Text: Int] = [:]
    var reloaded: Set<Text> = []
  }

  private var random: SeededGenerator
  private var entries: [Entry] = []
  private var nextLife = 0

  init(random: SeededGenerator) {
    self.random = random
    entries = [Entry(snapshot: .empty)]
  }

  private mutating func row() -> Row {
    Row(
      id: "row/\(random.number(in: 0...11))", type: random.chance(0.9) ? "p" : "q",
      fields: ["n": .integer(random.number(in: 0...1))])
  }

  /// Performs a random operation that is not refused.
  mutating func step() throws {
    let old = entries[entries.count - 1]
    var (new, reloaded): (Snapshot, Set<Text>) = (old.snapshot, [])
    repeat {
      (new, reloaded) = (old.snapshot, [])
      do { reloaded = try perform(on: &new) } catch is SnapshotOperationError { continue }
    } while new == old.snapshot
    var entry = Entry(snapshot: new, reloaded: reloaded)
    for section in new.sections {
      let isKept = old.snapshot.index(ofSection: section.id) != nil
      entry.lives["§\(section.id)"] = isKept ? old.lives["§\(section.id)"] : life()
      for row in section.rows {
        let former = old.snapshot.path(ofRow: row.id).map { old.snapshot[$0] }
        entry.lives[row.id] = former?.type == row.type ? old.lives[row.id] : life()
      }
    }
    entries.append(entry)
  }

  private mutating func life() -> Int {
    nextLife += 1
    return nextLife
  }

  /// - Returns: The ids of the rows and sections that are reloaded.
  private mutating func perform(on snapshot: inout Snapshot) throws -> Set<Text> {
    let items = snapshot.itemIdentifiers
    let sections = snapshot.sectionIdentifiers
    let sectionID = Text("section/\(random.number(in: 0...3))")
    switch random.number(in: 0...9) {
    case 0: try snapshot.appendSections([Section(id: sectionID, rows: [row(), row()])])
    case 1 where random.chance(0.3): snapshot.deleteSections([sectionID])
    case 2 where sections.count > 1:
      try snapshot.moveSection(random.pick(sections), beforeSection: random.pick(sections))
    case 3 where !items.isEmpty: snapshot.deleteItems([random.pick(items)])
    case 4 where !items.isEmpty:
      try snapshot.moveItem(random.pick(items), afterItem: random.pick(items))
    case 5: try snapshot.appendItems([row()])
    case 6 where !sections.isEmpty:
      let id = random.pick(sections)
      let kept = snapshot.sections[snapshot.index(ofSection: id) ?? 0].rows
      let rows = kept.filter { _ in random.chance(0.8) }.shuffled(using: &random)
      try snapshot.reloadSections([
        Section(id: id, fields: random.chance(0.2) ? ["title": "T"] : [:], rows: rows + [row()])
      ])
      return Set(kept.map(\.id)).union(["§\(id)"])
    case 7 where !items.isEmpty:
      let id = random.pick(items)
      let old = snapshot[snapshot.path(ofRow: id) ?? RowPath(section: 0, row: 0)]
      try snapshot.reconfigureItems([
        Row(id: id, type: old.type, fields: ["n": .integer(random.number(in: 0...1))])
      ])
    default:
      let row = row()
      try snapshot.reloadItems([row])
      return [row.id]
    }
    return []
  }

  /// Checks the difference of two revisions in either direction.
  func check(from: Int, to: Int) throws {
    let (old, new) = (entries[from], entries[to])
    let changes = new.snapshot.difference(from: old.snapshot)
    try BatchUpdateSimulator(before: old.snapshot, after: new.snapshot, changeset: changes).run()
    let result = try old.snapshot.applying(changes)
    try require(result.digest == new.snapshot.digest, "\(changes) does not lead there")

    let reloaded = entries[(min(from, to) + 1)..<(max(from, to) + 1)].reduce(into: Set<Text>()) {
      $0.formUnion($1.reloaded)
    }
    let (oldIDs, newIDs) = (old.snapshot.sectionIdentifiers, new.snapshot.sectionIdentifiers)
    let sections = Set(changes.sections.reloads.map(\.id))
    for id in newIDs where old.lives["§\(id)"] == new.lives["§\(id)"] {
      let isExpected = from != to && reloaded.contains("§\(id)")
      try require(sections.contains(id) == isExpected, "section \(id): \(changes.sections.reloads)")
    }
    let rows = Set(changes.rows.reloads.map(\.id))
    for row in new.snapshot.sections.flatMap(\.rows) {
      guard old.lives[row.id] == new.lives[row.id],
        let before = old.snapshot.sectionIdentifier(containingItem: row.id),
        let after = new.snapshot.sectionIdentifier(containingItem: row.id)
      else { continue }
      // A row that leaves a deleted section is an insert, and one that goes into an inserted one is in it.
      let isKept = newIDs.contains(before) && oldIDs.contains(after)
      let isCovered = before == after && sections.contains(after)
      try require(
        rows.contains(row.id) == (isKept && !isCovered && reloaded.contains(row.id)),
        "row \(row.id) from \(from) to \(to): \(changes.rows.reloads)")
    }
    try checkLists(from: old.snapshot, to: result, changes)
  }

  /// Checks that a list of the rows of each section draws those anew that stay in it and are reloaded.
  private func checkLists(from old: Snapshot, to new: Snapshot, _ changes: Changeset) throws {
    for id in old.sectionIdentifiers {
      let rows = old.sections[old.index(ofSection: id) ?? 0].rows
      let result = new.index(ofSection: id).map { Array(new.sections[$0].rows) } ?? []
      var list = CheckedList(Array(rows))
      list.transform(to: result)
      try list.check(result)
      let isWhole = changes.sections.reloads.contains { $0.id == id }
      let expected = result.count { row in
        let stays = rows.contains { $0.id == row.id && $0.type == row.type }
        return stays && (isWhole || changes.rows.reloads.contains { $0.id == row.id })
      }
      try require(list.counts["reload"] ?? 0 == expected, "\(list.counts) for \(changes)")
    }
  }
}
