import TestSupport

@testable import Snapshots

/// A check of the invariants of a snapshot: its trees are balanced, counts and folds match the
/// contents, and the index has exactly the entries of the trees.
struct SnapshotValidator {
  private let snapshot: Snapshot
  private var identities: Set<NodeIdentity> = []
  private var parents: [NodeIdentity: NodeIdentity] = [:]
  private var sectionLeaves: [Identifier: NodeIdentity] = [:]
  private var rowLeaves: [Identifier: NodeIdentity] = [:]

  /// Validates a snapshot.
  ///
  /// - Throws: ``LawViolation`` for the first violated invariant.
  static func validate(_ snapshot: Snapshot) throws {
    var validator = SnapshotValidator(snapshot: snapshot)
    try validator.validateTrees()
    try validator.validateIndex()
    try validator.validatePositions()
    try validator.validateDigest()
  }

  /// Validates that the memory between two snapshots is that of the nodes and elements which one of them has alone.
  static func validateCost(from old: Snapshot, to new: Snapshot) throws {
    let changes = SnapshotChanges(from: old.sections.tree, to: new.sections.tree)
    let (cost, expected) = (
      Snapshot.byteCount(between: old, and: new), Snapshot.byteCount(of: changes)
    )
    try require(cost == expected, "\(cost) bytes, not \(expected)")
  }

  private init(snapshot: Snapshot) {
    self.snapshot = snapshot
  }

  private mutating func validateTrees() throws {
    guard let root = snapshot.sections.tree.root else { return }
    for (section, leaf) in try validate(root, isRoot: true) {
      sectionLeaves[section.identifier] = leaf
      guard let rows = section.rows.tree.root else { continue }
      parents[rows.identity] = leaf
      for (row, leaf) in try validate(rows, isRoot: true) { rowLeaves[row.identifier] = leaf }
    }
  }

  /// Validates a subtree and returns its elements in order, each with its leaf.
  private mutating func validate<Element>(
    _ node: TreeNode<Element>, isRoot: Bool
  ) throws -> [(element: Element, leaf: NodeIdentity)] {
    try require(identities.insert(node.identity).inserted, "two nodes have one identity")
    try require(node.slotCount <= TreeNode<Element>.capacity, "a node has \(node.slotCount) slots")
    let minimum = isRoot ? (node.isLeaf ? 1 : 2) : TreeNode<Element>.minimum
    try require(node.slotCount >= minimum, "a node has only \(node.slotCount) slots")
    try require(node.children.isEmpty || node.elements.isEmpty, "a node is leaf and branch")

    var measure = TreeMeasure()
    if node.isLeaf {
      for element in node.elements { measure.append(element.measure) }
      try require(measure == node.measure, "the measure of a leaf is \(node.measure)")
      return node.elements.map { ($0, node.identity) }
    }
    var elements: [(Element, NodeIdentity)] = []
    for child in node.children {
      try require(child.node.height == node.height - 1, "children have different heights")
      try require(child.count == child.node.measure.count, "a child's count is \(child.count)")
      try require(child.identity == child.node.identity, "a child has another identity")
      parents[child.identity] = node.identity
      elements += try validate(child.node, isRoot: false)
      measure.append(child.node.measure)
    }
    try require(measure == node.measure, "the measure of a branch is \(node.measure)")
    return elements
  }

  private func validateIndex() throws {
    let entries = snapshot.index.entries
    try require(
      entries.sectionLeaves.entries == sectionLeaves,
      "the index has other sections")
    try require(
      entries.rowLeaves.entries == rowLeaves,
      "the index has other rows")
    try require(
      entries.parents.entries == parents,
      "the index has other parents")
  }

  private func validatePositions() throws {
    var count = 0
    for (sectionIndex, section) in snapshot.sections.enumerated() {
      try require(
        snapshot.index(ofSection: section.id) == sectionIndex
          && snapshot.sections[sectionIndex] == section,
        "section \(section.id) is not at \(sectionIndex)")
      for (rowIndex, row) in section.rows.enumerated() {
        let path = RowPath(section: sectionIndex, row: rowIndex)
        try require(
          snapshot.path(ofRow: row.id) == path && snapshot[path].isIdentical(to: row),
          "row \(row.id) is not at \(path)")
        count += 1
      }
      if let last = section.rows.last {
        try require(
          snapshot.index(ofItem: last.id) == count - 1, "row \(last.id) is not item \(count - 1)")
      }
    }
    try require(snapshot.rowCount == count, "the number of rows is \(snapshot.rowCount)")
  }

  /// Checks that the digest's folds equal those of the same content in trees of another shape.
  private func validateDigest() throws {
    let copies = snapshot.sections.map {
      Section(id: $0.id, fields: $0.fields, generation: $0.generation, rows: Array($0.rows))
    }
    for (copy, section) in zip(copies, snapshot.sections) {
      let fold = DigestFold(section.rows.map { $0.contentHash })
      let found = section.rows.measure.fold
      try require(found == fold, "the fold of \(section.id) is \(found)")
      try require(copy == section, "a copy of \(section.id) is not equal")
    }
    let fold = DigestFold(copies.map { $0.contentHash })
    try require(snapshot.sections.tree.measure.fold == fold, "the fold of the sections is another")
  }
}

extension DigestFold {
  /// Creates the fold of a list, one element after the other.
  init(_ elements: some Sequence<UInt64>) {
    self.init()
    for element in elements { append(DigestFold(of: element)) }
  }
}
