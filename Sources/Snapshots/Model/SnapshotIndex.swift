import CanonicalJSON
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

extension SnapshotIndex {
  /// The index of other sections, made from this one by what differs.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both lists
  ///   has and of the elements in them.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  func updated(to sections: PersistentSequence<Section>) throws(SnapshotError) -> SnapshotIndex {
    let (index, error) = following(to: sections)
    if error != SnapshotError() { throw error }
    return index
  }

  /// The index of what is left of the sections, whose ids are as unique as they were.
  ///
  /// - Complexity: as that of ``updated(to:)``.
  func updated(toPart sections: PersistentSequence<Section>) -> SnapshotIndex {
    following(to: sections).index
  }

  private func following(
    to sections: PersistentSequence<Section>
  ) -> (index: SnapshotIndex, error: SnapshotError) {
    let changes = SnapshotChanges(from: self.sections, to: sections)
    var nodes = SlotMoves<NodeIdentity>()
    var sectionIDs = SlotMoves<Identifier>()
    var rowIDs = SlotMoves<Identifier>()
    for change in changes.sections {
      nodes.note(change.movedChildren(), of: change) { $0.identity }
      nodes.note(change.movedRoots(), of: change) { $0.rows.tree.root?.identity }
      sectionIDs.note(change.movedElements(), of: change) { $0.identifier }
    }
    for change in changes.rows {
      nodes.note(change.movedChildren(), of: change) { $0.identity }
      rowIDs.note(change.movedElements(), of: change) { $0.identifier }
    }

    var index = self
    index.sections = sections
    guard nodes.perform(in: &index.parents).isEmpty else {
      // Two revisions of one section's rows, each with rows of its own, came together as two
      // sections. Their nodes would be confused, so all are made anew, each with its own identity.
      let apart = sections.map { $0.with(PersistentSequence(Array($0.rows))) }
      return Self.empty.following(to: PersistentSequence(apart))
    }
    var error = SnapshotError()
    for id in sectionIDs.perform(in: &index.sectionLeaves) { error.note(duplicateSection: id.text) }
    for id in rowIDs.perform(in: &index.rowLeaves) { error.note(duplicateRow: id.text) }
    return (index, error)
  }
}

/// The nodes that two revisions of a snapshot differ in, told apart by identity.
struct SnapshotChanges {
  /// What became of the nodes of the sections.
  let sections: [NodeChange<Section>]
  /// What became of the nodes of all sections' rows.
  let rows: [NodeChange<Row>]

  /// Finds the nodes.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both has and
  ///   of the sections in them.
  init(from old: PersistentSequence<Section>, to new: PersistentSequence<Section>) {
    let alignment = TreeAlignment(from: old, to: new)
    var oldRows: [TreeNode<Row>] = []
    var newRows: [TreeNode<Row>] = []
    /// Notes the nodes that the rows of a section's old and new self differ in.
    func compare(_ old: Section?, _ new: Section?) {
      let before = old?.rows.tree ?? PersistentSequence()
      let after = new?.rows.tree ?? PersistentSequence()
      if before.isIdentical(to: after) { return }
      let alignment = TreeAlignment(from: before, to: after)
      oldRows += alignment.oldOnly
      newRows += alignment.newOnly
    }

    var leavers: [Identifier: Section] = [:]
    var comers: [Section] = []
    for run in alignment.runs where !run.isShared {
      let before = old.elements(in: run.old)
      let after = new.elements(in: run.new)
      // Mostly one section changed in its place; only others need a table.
      if before.elementsEqual(after, by: { $0.hasSameIdentifier(as: $1) }) {
        for (old, new) in zip(before, after) { compare(old, new) }
      } else {
        for section in before { leavers[section.identifier] = section }
        comers += after
      }
    }
    for section in comers { compare(leavers.removeValue(forKey: section.identifier), section) }
    for section in leavers.values { compare(section, nil) }
    sections = NodeChange.pairs(of: alignment.oldOnly, and: alignment.newOnly)
    rows = NodeChange.pairs(of: oldRows, and: newRows)
  }
}

/// A section's or row's id with its hash, as a key of index tables.
///
/// The hash is SipHash under Swift's key of this process, so nobody outside can choose ids that
/// collide; it must never leave the process.
struct Identifier: Hashable, Sendable {
  let text: Text
  let textHash: Int

  init(_ text: Text) {
    self.init(text, textHash: text.hashValue)
  }

  /// An id whose hash is known already.
  init(_ text: Text, textHash: Int) {
    self.text = text
    self.textHash = textHash
  }

  static func == (left: Identifier, right: Identifier) -> Bool {
    left.textHash == right.textHash && left.text == right.text
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(textHash)
  }
}
