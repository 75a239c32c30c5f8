import HashTreeCollections

/// Finds the sections and rows of a snapshot by their ids.
///
/// It is persistent as the trees are, and most changes leave it as it is: it says of an element
/// only in which leaf it stands and of a node only in which other node, by their identities, which
/// changed copies keep. An element's position is found by climbing to the root and then coming down
/// again along the same identities, counting what stands to the left. So an insertion moves all
/// that follow without touching their entries, as order-maintenance labels would do (Dietz and
/// Sleator, 1987), and there is no label space to run out: entries change only for what a leaf or a
/// branch hands to another one, O(1) amortised for each insertion or removal, as a node of *b*
/// slots splits or merges at most once in *b*/4 of them.
///
/// The root of a section's rows stands in the leaf of its section, so that the trees of all
/// sections hang in one. Whatever stands in a slot of a node has an entry that names this node, and
/// nothing else has one: so the root of the sections has none, and each climb ends there.
struct SnapshotIndex: Sendable {
  /// The sections that are indexed.
  var sections = PersistentSequence<Section>()
  /// The leaf of each section and of each row.
  var sectionLeaves: TreeDictionary<Identifier, NodeIdentity> = [:]
  var rowLeaves: TreeDictionary<Identifier, NodeIdentity> = [:]
  /// The node that each node stands in.
  var parents: TreeDictionary<NodeIdentity, NodeIdentity> = [:]

  /// The index of no sections.
  static let empty = SnapshotIndex()
}

extension SnapshotIndex {
  /// The index of a section.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections.
  func section(_ identifier: Identifier) -> Int? {
    guard let leaf = sectionLeaves[identifier] else { return nil }
    var path = parents.ascent(from: leaf)
    guard let place = sections.descend(along: &path),
      let slot = place.leaf.elements.firstIndex(where: { $0.identifier == identifier })
    else { return nil }
    return place.start + slot
  }

  /// The position of a row.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections and rows.
  func row(_ identifier: Identifier) -> RowPath? {
    guard let leaf = rowLeaves[identifier] else { return nil }
    var path = parents.ascent(from: leaf)
    guard let section = sections.descend(along: &path), let root = path.last,
      let sectionSlot = section.leaf.elements.firstIndex(where: {
        $0.rows.tree.root?.identity == root
      }),
      let row = section.leaf.elements[sectionSlot].rows.tree.descend(along: &path),
      let rowSlot = row.leaf.elements.firstIndex(where: { $0.identifier == identifier })
    else { return nil }
    return RowPath(section: section.start + sectionSlot, row: row.start + rowSlot)
  }
}
