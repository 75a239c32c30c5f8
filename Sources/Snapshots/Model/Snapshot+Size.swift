extension Snapshot {
  /// What the snapshot holds in memory, in bytes, estimated.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int {
    let measure = sections.tree.measure
    return Self.byteCount(ofRows: measure.rowCount, encodedByteCount: measure.byteCount)
      + Self.indexEntryByteCount * (measure.rowCount + measure.count)
  }

  /// What the snapshot holds in memory that another one does not, in bytes, estimated: what it
  /// costs to keep it where the other is kept anyway.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both has and
  ///   of the elements in them.
  public func byteCount(beside other: Snapshot) -> Int {
    if isIdentical(to: other) { return 0 }
    let changes = SnapshotChanges(from: other.sections.tree, to: sections.tree)
    return Self.byteCount(of: changes.sections) { $0.encodedHead.count + $0.encodedTail.count }
      + Self.byteCount(of: changes.rows) { $0.encoded.count }
  }

  private static func byteCount<Element>(
    of changes: [NodeChange<Element>], encodedByteCount: (Element) -> Int
  ) -> Int {
    var total = 0
    for change in changes {
      guard let new = change.new else { continue }
      total += nodeByteCount
      total += new.elements.count * MemoryLayout<Element>.stride
      total += new.children.count * MemoryLayout<TreeNode<Element>.Child>.stride
      let old = change.old?.elements ?? []
      for (index, element) in new.elements.enumerated() {
        if index < old.count, old[index].isIdentical(to: element) { continue }
        if old.contains(where: { $0.isIdentical(to: element) }) { continue }
        total += byteCount(ofRows: 1, encodedByteCount: encodedByteCount(element))
      }
      total += change.movedElements().arrived.count * indexEntryByteCount
    }
    return total
  }

  /// The bytes of rows: their JSON, as much again for their fields, and the objects themselves.
  private static func byteCount(ofRows count: Int, encodedByteCount: Int) -> Int {
    2 * encodedByteCount + 128 * count
  }

  /// The bytes of an element's entry in the index, with its share of the nodes there.
  private static let indexEntryByteCount = 64
  /// The bytes of a node beside what stands in it.
  private static let nodeByteCount = 160
}
