extension Snapshot {
  /// The estimated memory of the snapshot in bytes.
  ///
  /// - Complexity: O(1).
  package var byteCount: Int {
    let measure = sections.tree.measure
    return Self.byteCount(ofRows: measure.rowCount, encodedByteCount: measure.byteCount)
      + Self.indexEntryByteCount * (measure.rowCount + measure.count)
  }

  /// Returns the estimated memory of the parts that two snapshots do not share, in bytes: the additional cost of
  /// keeping both instead of one.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of the snapshots
  ///   has and of the elements in these nodes.
  package static func byteCount(between old: Snapshot, and new: Snapshot) -> Int {
    if old.isIdentical(to: new) { return 0 }
    return byteCountInPlace(between: old, and: new)
      ?? byteCount(of: SnapshotChanges(from: old.sections.tree, to: new.sections.tree))
  }

  /// Returns the estimate if all sections and rows are where they were, which needs no search; `nil` otherwise.
  private static func byteCountInPlace(between old: Snapshot, and new: Snapshot) -> Int? {
    var total = 0
    let isInPlace = old.sections.tree.forEachReplacement(
      in: new.sections.tree, nodes: { total += byteCount(of: $0) + byteCount(of: $1) }
    ) { _, old, new in
      guard old.hasSameIdentifier(as: new) else { return false }
      total += byteCount(of: old) + byteCount(of: new) + new.scriptByteCount
      return old.rows.tree.forEachReplacement(
        in: new.rows.tree, nodes: { total += byteCount(of: $0) + byteCount(of: $1) }
      ) { _, old, new in
        total += byteCount(of: old) + byteCount(of: new)
        return old.hasSameIdentifier(as: new)
      }
    }
    return isInPlace ? total : nil
  }

  /// Returns the estimate for any changes.
  static func byteCount(of changes: SnapshotChanges) -> Int {
    // The script of an old section was counted when it was new.
    byteCount(of: changes.sections, ofOld: { byteCount(of: $0) }) {
      byteCount(of: $0) + $0.scriptByteCount
    } + byteCount(of: changes.rows, ofOld: { byteCount(of: $0) }) { byteCount(of: $0) }
  }

  private static func byteCount(of section: Section) -> Int {
    byteCount(
      ofRows: 1, encodedByteCount: section.encodedHead.count + section.encodedTail.count)
  }

  private static func byteCount(of row: Row) -> Int {
    byteCount(ofRows: 1, encodedByteCount: row.encoded.count)
  }

  private static func byteCount<Element>(
    of changes: [NodeChange<Element>], ofOld oldByteCount: (Element) -> Int,
    ofNew newByteCount: (Element) -> Int
  ) -> Int {
    changes.reduce(0) { total, change in
      let (objects, ids) = (change.movedObjects(), change.movedElements())
      let old = objects.gone.reduce(0) { $0 + oldByteCount($1) }
      let new = objects.arrived.reduce(0) { $0 + newByteCount($1) }
      let nodes = [change.old, change.new].reduce(0) { $0 + ($1.map(self.byteCount) ?? 0) }
      return total + old + new + nodes + (ids.gone.count + ids.arrived.count) * indexEntryByteCount
    }
  }

  /// Returns the bytes of a node without what its slots refer to.
  private static func byteCount<Element>(of node: TreeNode<Element>) -> Int {
    nodeByteCount + node.elements.count * MemoryLayout<Element>.stride
      + node.children.count * MemoryLayout<TreeNode<Element>.Child>.stride
  }

  /// Returns the bytes of some rows: their JSON, and the objects.
  private static func byteCount(ofRows count: Int, encodedByteCount: Int) -> Int {
    encodedByteCount + 192 * count
  }

  /// The bytes of an element's entry in the index, including its share of the nodes there.
  private static let indexEntryByteCount = 64
  /// The bytes of a node without its slots.
  private static let nodeByteCount = 160
}
