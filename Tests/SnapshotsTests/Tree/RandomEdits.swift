import CanonicalJSON
import Snapshots
import TestSupport

/// A snapshot that is edited at random through its operations, and arrays that are edited alike.
struct RandomEdits {
  private(set) var snapshot = Snapshot.empty
  private var random: SeededGenerator
  private var oracle: [(id: String, rows: [Row])] = []
  private var nextID = 0

  init(random: SeededGenerator) {
    self.random = random
  }

  private var ids: [String] { oracle.flatMap { $0.rows.map(\.id) } }

  /// Performs one operation of any kind on both and compares them.
  mutating func step() throws {
    let ids = ids
    switch random.number(in: 0...13) {
    case 0: try appendSection()
    case 1 where oracle.count > 1: try moveSection()
    case 2 where oracle.count > 3: deleteSection()
    case 3 where !oracle.isEmpty: try reloadSection()
    case 4, 5: try appendItems(random.number(in: 0...50))
    case 6, 7:
      if !ids.isEmpty { try insertItems(random.number(in: 1...5), beside: random.pick(ids)) }
    case 8 where !ids.isEmpty: try delete(count: random.number(in: 1...40))
    case 9, 10: if ids.count > 1 { try moveItem() }
    default: if !ids.isEmpty { try replaceItems() }
    }
    try compare()
  }

  /// Inserts items until there are so many, at any place.
  mutating func grow(to count: Int, by sizes: ClosedRange<Int>) throws {
    try appendSection()
    while snapshot.numberOfItems < count {
      if ids.isEmpty || random.chance(0.3) {
        try appendItems(random.number(in: sizes))
      } else {
        try insertItems(random.number(in: sizes), beside: random.pick(ids))
      }
      try compare()
    }
  }

  /// Deletes items at any place until there are no more than so many.
  mutating func shrink(to count: Int, by sizes: ClosedRange<Int>) throws {
    while snapshot.numberOfItems > count {
      try delete(count: random.number(in: sizes))
      try compare()
    }
  }

  private func compare() throws {
    try require(
      snapshot.sections.map(\.id) == oracle.map(\.id)
        && snapshot.sections.map { Array($0.rows) } == oracle.map(\.rows), "other content")
    try SnapshotValidator.validate(snapshot)
  }

  private mutating func freshRows(_ count: Int) -> [Row] {
    (0..<count).map { _ in
      nextID += 1
      return random.row(id: "row/\(nextID)")
    }
  }

  private func path(of id: String) -> (section: Int, row: Int) {
    let section = oracle.firstIndex { $0.rows.contains { $0.id == id } }!
    return (section, oracle[section].rows.firstIndex { $0.id == id }!)
  }
}

extension RandomEdits {
  private mutating func appendSection() throws {
    nextID += 1
    let section = Section(id: "section/\(nextID)", rows: freshRows(random.number(in: 0...3)))
    try snapshot.appendSections([section])
    oracle.append((section.id, Array(section.rows)))
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

  private mutating func deleteSection() {
    let section = oracle.remove(at: random.number(in: 0...oracle.count - 1))
    snapshot.deleteSections([section.id])
  }

  private mutating func reloadSection() throws {
    let index = random.number(in: 0...oracle.count - 1)
    let rows = Array(oracle[index].rows.shuffled(using: &random).dropFirst()) + freshRows(2)
    try snapshot.reloadSections([Section(id: oracle[index].id, rows: rows)])
    oracle[index].rows = rows
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

  private mutating func insertItems(_ count: Int, beside id: String) throws {
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
