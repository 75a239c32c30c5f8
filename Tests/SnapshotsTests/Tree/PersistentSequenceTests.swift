import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// The tree alone, compared with an array after the same changes.
@Suite struct PersistentSequenceTests {
  private static func row(_ number: Int) -> Row { Row(id: "row/\(number)", type: "t") }

  /// Checks that the tree has the elements of the array and is valid.
  private static func compare(_ tree: PersistentSequence<Row>, _ array: [Row]) throws {
    try require(tree.elementsEqual(array) && tree.count == array.count, "other elements")
    let section = Section(id: "s", rows: Section.Rows(tree: tree))
    try SnapshotValidator.validate(try Snapshot(sections: [section]))
  }

  @Test func `ranges of any size are replaced by lists of any size`() throws {
    try withSeeds(10) { random in
      var nextID = 0
      var array: [Row] = []
      var tree = PersistentSequence<Row>()
      for _ in 0..<30 {
        let start = random.number(in: 0...array.count)
        let size = random.pick([0, 1, 3, 40, 300])
        let range = start..<min(array.count, start + random.number(in: 0...size))
        let new = (0..<random.number(in: 0...random.pick([0, 1, 5, 100, 250]))).map { _ in
          nextID += 1
          return Self.row(nextID)
        }
        let before = tree
        let old = array
        array.replaceSubrange(range, with: new)
        tree.replaceSubrange(range, with: new)
        try Self.compare(tree, array)
        try require(before.elementsEqual(old), "the list before has changed")
      }
    }
  }

  @Test func `many ranges are replaced at once`() throws {
    try withSeeds(30) { random in
      var nextID = 1_000
      var array = (0..<random.number(in: 0...900)).map { Self.row($0) }
      var tree = PersistentSequence(array)
      for _ in 0..<5 {
        var edits: [(range: Range<Int>, new: Range<Int>)] = []
        var rows: [Row] = []
        var end = 0
        while edits.count < 12, end <= array.count {
          let start = random.number(in: end...min(array.count, end + 200))
          end = min(array.count, start + random.number(in: 0...random.pick([0, 1, 40, 300])))
          let ids = nextID..<nextID + random.number(in: 0...random.pick([0, 1, 5, 100]))
          nextID = ids.upperBound
          rows += ids.map { Self.row($0) }
          edits.append((start..<end, rows.count - ids.count..<rows.count))
          end += 1
        }
        for edit in edits.reversed() { array.replaceSubrange(edit.range, with: rows[edit.new]) }
        rows.withUnsafeBufferPointer { rows in
          tree.replace(edits.map { ($0.range, UnsafeBufferPointer(rebasing: rows[$0.new])) })
        }
        try Self.compare(tree, array)
      }
    }
  }

  @Test func `a list arranged anew has the elements asked for, and the objects it had`() throws {
    try withSeeds(60) { random in
      let count = random.pick([0, 1, 20, 33, 600])
      let tree = PersistentSequence((0..<count).map { Self.row($0) })
      var array = (0..<count).map { Self.row($0) }
      for number in 0..<random.pick([0, 1, 3, 200]) {
        let position = random.number(in: 0...array.count)
        switch random.number(in: 0...2) {
        case 0: array.insert(Self.row(1_000 + number), at: position)
        case 1 where position < array.count: array.remove(at: position)
        default: array.shuffle(using: &random)
        }
      }
      let arranged = tree.rearranged(to: PersistentSequence(array))
      try Self.compare(arranged, array)
      let rows = Dictionary(uniqueKeysWithValues: tree.map { ($0.id, $0) })
      try require(
        arranged.allSatisfy { row in rows[row.id].map { $0.isIdentical(to: row) } ?? true },
        "an equal row is another object")
    }
  }

  @Test func `rows of the common start are no part of the common end`() throws {
    try withSeeds(100) { random in
      let rows = (0..<200).map { Self.row($0) }
      let (end, start) = (random.number(in: 0...200), random.number(in: 0...200))
      // Some rows are there twice, as in a section before a snapshot refuses it, or are not there.
      let others = Array(rows[..<end] + rows[start...])
      let (old, new) = (PersistentSequence(rows), PersistentSequence(others))
      try require(old.rearranged(to: new) == new, "other elements for \(end) and \(start)")
      try require(new.rearranged(to: old) == old, "other elements for \(end) and \(start)")
    }
  }

  @Test func `single elements are replaced and removed at any positions`() throws {
    try withSeeds(20) { random in
      var array = (0..<random.number(in: 1...500)).map { Self.row($0) }
      var tree = PersistentSequence(array)
      let positions = Set(
        (0..<random.number(in: 0...60)).map { _ in
          random.number(in: 0...array.count - 1)
        })
      let new = Dictionary(uniqueKeysWithValues: positions.map { ($0, Self.row(1_000 + $0)) })
      for (position, row) in new { array[position] = row }
      tree.replaceElements(new)
      try Self.compare(tree, array)
      for position in positions.sorted(by: >) { array.remove(at: position) }
      tree.removeElements(at: positions.sorted())
      try Self.compare(tree, array)
    }
  }

  @Test func `parts and measures are those of the array`() throws {
    try withSeeds(50) { random in
      let array = (0..<random.number(in: 0...300)).map { Self.row($0) }
      let tree = PersistentSequence(array)
      let start = random.number(in: 0...array.count)
      let end = random.number(in: start...array.count)
      try require(tree.elements(in: start..<end) == Array(array[start..<end]), "another part")
      let measure = tree.measure(before: start)
      try require(measure.rowCount == start && measure.count == start, "\(measure)")
      try require(
        measure.fold == DigestFold(array[..<start].map { $0.contentHash }), "another fold")
      try require(Array(tree.reversed()) == array.reversed(), "another order backwards")
    }
  }

  @Test func `lists are equal by their elements, whatever the shapes of their trees`() throws {
    try withSeeds(50) { random in
      // A few rows many times, as in a section before a snapshot refuses it.
      let array = (0..<random.number(in: 1...200)).map { _ in Self.row(random.number(in: 0...3)) }
      let tree = PersistentSequence(array)
      let position = random.number(in: 0...array.count - 1)
      var grown = tree
      grown.replaceSubrange(position..<position, with: Array(array[..<position]))
      try require(grown == tree || position > 0, "equal lists are unequal")
      grown.replaceSubrange(position..<2 * position, with: [])
      try require(grown == tree && grown.hashValue == tree.hashValue, "equal lists are unequal")
      try require(tree.replacing(position, with: Self.row(9)) != tree, "other lists are equal")
    }
  }

  @Test func `shared nodes that changed places are found as far as their order allows`() throws {
    let tree = PersistentSequence((0..<400).map { Self.row($0) })
    let children = try #require(tree.root).children
    let turned = PersistentSequence(root: TreeNode.branches(of: children.reversed())[0].node)
    let shared = TreeAlignment(from: tree, to: turned).runs.filter { $0.isShared }
    #expect(shared.count == 1)

    let old = try Snapshot(sections: [Section(id: "s", rows: Section.Rows(tree: tree))])
    let new = try Snapshot(sections: [Section(id: "s", rows: Section.Rows(tree: turned))])
    let changeset = new.difference(from: old)
    #expect(try old.applying(changeset) == new)
    #expect(changeset.rows.moves.count == 400 - children.map { $0.count }.max()!)
  }
}
