import CanonicalJSON
import TestSupport

@testable import Snapshots

/// A snapshot and arrays that undergo the same random edits.
struct RandomEdits {
  private(set) var snapshot = Snapshot.empty
  /// The heights of the tree of sections, and of that of the first section's rows, one after
  /// another.
  private(set) var sectionHeights: [Int] = []
  private(set) var rowHeights: [Int] = []
  private var random: SeededGenerator
  private var oracle: [(id: Text, rows: [Row])] = []
  private var nextID = 0

  init(random: SeededGenerator) {
    self.random = random
  }

  private var ids: [Text] { oracle.flatMap { $0.rows.map(\.id) } }

  /// Performs one random operation on both and compares them.
  mutating func step() throws {
    let ids = ids
    switch random.number(in: 0...14) {
    case 0: try insertSections(1)
    case 1 where oracle.count > 1: try moveSection()
    case 2 where oracle.count > 3: try deleteSections(1)
    case 3 where !oracle.isEmpty: try reloadSection()
    case 4, 5: try appendItems(random.number(in: 0...50))
    case 6, 7:
      if !ids.isEmpty { try insertItems(random.number(in: 1...5), beside: random.pick(ids)) }
    case 8 where !ids.isEmpty: try delete(count: random.number(in: 1...40))
    case 9, 10: if ids.count > 1 { try moveItem() }
    case 11 where !oracle.isEmpty: try assembleAnew()
    default: if !ids.isEmpty { try replaceItems() }
    }
    try compare()
  }

  /// Inserts items at random places until there are `count`.
  mutating func grow(to count: Int, by sizes: ClosedRange<Int>) throws {
    if oracle.isEmpty { try insertSections(1) }
    while snapshot.numberOfItems < count {
      let size = min(random.number(in: sizes), count - snapshot.numberOfItems)
      if ids.isEmpty || random.chance(0.3) {
        try appendItems(size)
      } else {
        try insertItems(size, beside: random.pick(ids))
      }
      try compare()
    }
  }

  /// Deletes items at random places until there are at most `count`.
  mutating func shrink(to count: Int, by sizes: ClosedRange<Int>) throws {
    while snapshot.numberOfItems > count {
      try delete(count: random.number(in: sizes))
      try compare()
    }
  }

  /// Inserts or deletes sections at random places until there are `count`.
  mutating func resizeSections(to count: Int, by sizes: ClosedRange<Int>) throws {
    while oracle.count != count {
      let size = min(random.number(in: sizes), abs(count - oracle.count))
      if oracle.count < count { try insertSections(size) } else { try deleteSections(size) }
      try compare()
    }
  }

  private mutating func compare() throws {
    try require(
      snapshot.sections.map(\.id) == oracle.map(\.id)
        && snapshot.sections.map { $0.rows.map(\.encoded) }
          == oracle.map { $0.rows.map(\.encoded) },
      "other content")
    try SnapshotValidator.validate(snapshot)
    Self.note(snapshot.sections.tree.root?.height, in: &sectionHeights)
    Self.note(snapshot.sections.first?.rows.tree.root?.height, in: &rowHeights)
  }

  private static func note(_ height: Int?, in heights: inout [Int]) {
    if heights.last != height ?? 0 { heights.append(height ?? 0) }
  }

  private mutating func freshRows(_ count: Int) -> [Row] {
    (0..<count).map { _ in
      nextID += 1
      return random.row(id: "row/\(nextID)")
    }
  }

  private func path(of id: Text) -> (section: Int, row: Int) {
    let section = oracle.firstIndex { $0.rows.contains { $0.id == id } }!
    return (section, oracle[section].rows.firstIndex { $0.id == id }!)
  }
}

extension RandomEdits {
  private mutating func insertSections(_ count: Int) throws {
    let sections = (0..<count).map { _ in
      nextID += 1
      return Section(id: "section/\(nextID)", rows: freshRows(random.number(in: 0...3)))
    }
    let new = sections.map { (id: $0.id, rows: Array($0.rows)) }
    switch random.number(in: 0...2) {
    case 0 where !oracle.isEmpty:
      let target = random.number(in: 0...oracle.count - 1)
      try snapshot.insertSections(sections, beforeSection: oracle[target].id)
      oracle.insert(contentsOf: new, at: target)
    case 1 where !oracle.isEmpty:
      let target = random.number(in: 0...oracle.count - 1)
      try snapshot.insertSections(sections, afterSection: oracle[target].id)
      oracle.insert(contentsOf: new, at: target + 1)
    default:
      try snapshot.appendSections(sections)
      oracle += new
    }
  }

  private mutating func moveSection() throws {
    let section = oracle.remove(at: random.number(in: 0...oracle.count - 1))
    let target = random.number(in: 0...oracle.count - 1)
    if random.chance(0.5) {
      try snapshot.moveSection(section.id, beforeSection: oracle[target].id)
      oracle.insert(section, at: target)
    } else {
      try snapshot.moveSection(section.id, afterSection: oracle[target].id)
      oracle.insert(section, at: target + 1)
    }
  }

  private mutating func deleteSections(_ count: Int) throws {
    // Half of the deletions are of neighbours, which empties whole leaves.
    let start = random.number(in: 0...oracle.count - 1)
    let chosen =
      random.chance(0.5)
      ? Array(oracle[start...].prefix(count).map(\.id))
      : Array(oracle.map(\.id).shuffled(using: &random).prefix(count))
    let ignored = snapshot.deleteSections(chosen + ["unknown", chosen[0]])
    try require(ignored == 2, "\(ignored) ids are ignored")
    let gone = Set(chosen)
    oracle.removeAll { gone.contains($0.id) }
  }

  private mutating func reloadSection() throws {
    let index = random.number(in: 0...oracle.count - 1)
    let rows = Array(oracle[index].rows.shuffled(using: &random).dropFirst()) + freshRows(2)
    try snapshot.reloadSections([Section(id: oracle[index].id, rows: rows)])
    oracle[index].rows = rows
  }

  /// Lays everything out from scratch, with some rows removed, some inserted, and some in another
  /// order.
  private mutating func assembleAnew() throws {
    let index = random.number(in: 0...oracle.count - 1)
    oracle[index].rows = oracle[index].rows.filter { _ in random.chance(0.8) } + freshRows(2)
    oracle.swapAt(index, random.number(in: 0...oracle.count - 1))
    let section = random.number(in: 0...oracle.count - 1)
    if oracle[section].rows.count < 100 { oracle[section].rows.shuffle(using: &random) }
    snapshot = try Snapshot(
      states: snapshot.states, sections: oracle.map { Section(id: $0.id, rows: $0.rows) },
      reusing: snapshot)
  }

  private mutating func appendItems(_ count: Int) throws {
    let rows = freshRows(count)
    if oracle.isEmpty { return }
    if random.chance(0.5) {
      try snapshot.appendItems(rows)
      oracle[oracle.count - 1].rows += rows
    } else {
      let index = random.number(in: 0...oracle.count - 1)
      try snapshot.appendItems(rows, toSection: oracle[index].id)
      oracle[index].rows += rows
    }
  }

  private mutating func insertItems(_ count: Int, beside id: Text) throws {
    let rows = freshRows(count)
    let (section, row) = path(of: id)
    if random.chance(0.5) {
      try snapshot.insertItems(rows, beforeItem: id)
      oracle[section].rows.insert(contentsOf: rows, at: row)
    } else {
      try snapshot.insertItems(rows, afterItem: id)
      oracle[section].rows.insert(contentsOf: rows, at: row + 1)
    }
  }

  private mutating func delete(count: Int) throws {
    let all = ids
    // Half of the deletions are of neighbours, which empties whole leaves.
    let start = random.number(in: 0...all.count - 1)
    let chosen =
      random.chance(0.5)
      ? Array(all[start...].prefix(count)) : Array(all.shuffled(using: &random).prefix(count))
    let ignored = snapshot.deleteItems(chosen + ["unknown", chosen[0]])
    try require(ignored == 2, "\(ignored) ids are ignored")
    let gone = Set(chosen)
    for index in oracle.indices { oracle[index].rows.removeAll { gone.contains($0.id) } }
  }

  private mutating func moveItem() throws {
    let chosen = ids.shuffled(using: &random).prefix(2)
    let (id, anchor) = (chosen[0], chosen[1])
    let from = path(of: id)
    let row = oracle[from.section].rows.remove(at: from.row)
    let target = path(of: anchor)
    if random.chance(0.5) {
      try snapshot.moveItem(id, beforeItem: anchor)
      oracle[target.section].rows.insert(row, at: target.row)
    } else {
      try snapshot.moveItem(id, afterItem: anchor)
      oracle[target.section].rows.insert(row, at: target.row + 1)
    }
  }

  private mutating func replaceItems() throws {
    let rows = ids.shuffled(using: &random).prefix(3).map { random.row(id: $0) }
    if random.chance(0.5) {
      try snapshot.reloadItems(rows)
      for row in rows {
        let (section, index) = path(of: row.id)
        oracle[section].rows[index] = row
      }
    } else {
      let same = rows.map { row in
        let (section, index) = path(of: row.id)
        return Row(id: row.id, type: oracle[section].rows[index].type, fields: row.fields)
      }
      try snapshot.reconfigureItems(same)
      for row in same {
        let (section, index) = path(of: row.id)
        oracle[section].rows[index] = row
      }
    }
  }
}
