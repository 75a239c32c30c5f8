import CanonicalJSON

/// An index that finds the sections and rows of a snapshot by their ids.
///
/// The index is persistent like the trees, and most changes leave it unchanged. For an element it
/// records only the leaf that holds it, and for a node only the parent, both by identities that
/// changed copies of a node keep. To find the position of an element, a lookup climbs to the root
/// and descends again along the same identities, counting the elements to the left. So an insertion
/// shifts all elements behind it without touching their entries, as order-maintenance labels would
/// do (Dietz and Sleator, 1987), and no space of labels can run out. Entries change only for
/// elements that move from one node to another: O(1) amortised for each insertion or removal,
/// because a node of *b* slots splits or merges at most once in *b*/4 of them.
///
/// The root of a section's rows is a child of the leaf that holds the section, so the trees of all
/// sections form one tree. Every element and every node except the root of the sections has exactly
/// one entry; each climb ends at that root.
///
/// The first look-up makes the tables, because most snapshots are never asked for an id. Until then
/// only the ids are compared with each other; after some such comparisons in a row the tables are
/// made, so that a long history of small changes costs what they change.
struct SnapshotIndex: Sendable {
  /// The indexed sections.
  let sections: PersistentSequence<Section>
  /// The entries. Snapshots with the same ids in the same nodes share them.
  private let tables: Deferred<IndexTables>
  /// The number of ids that were compared for this index and for those before it, since one with tables.
  private let comparedCount: Int

  /// The index of no sections.
  static let empty = SnapshotIndex(
    sections: PersistentSequence(), tables: Deferred(IndexTables()), comparedCount: 0)

  /// The entries, for which the first call takes O(*n*), where *n* is the number of sections and rows.
  var entries: IndexTables { tables.value { IndexTables(of: sections) } }
}

extension SnapshotIndex {
  /// Creates the index of a part of the sections of another one, in which no id can occur twice. It shares no entries.
  init(ofPart sections: PersistentSequence<Section>) {
    self.init(sections: sections, tables: Deferred(), comparedCount: 0)
  }

  /// Returns the position of a section, or `nil` if there is none with this id.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections, beside that of ``entries``.
  func section(_ identifier: Identifier) -> Int? {
    // A search of a few hashes takes less than one of a table.
    if let sections = sections.singleLeaf {
      return sections.firstIndex { $0.identifier == identifier }
    }
    let tables = entries
    guard let leaf = tables.sectionLeaves[identifier] else { return nil }
    var path = tables.parents.ascent(from: leaf)
    guard let place = sections.descend(along: &path),
      let slot = place.leaf.elements.firstIndex(where: { $0.identifier == identifier })
    else { return nil }
    return place.start + slot
  }

  /// Returns the position of a row, or `nil` if there is none with this id.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of sections and rows, beside that of ``entries``.
  func row(_ identifier: Identifier) -> RowPath? {
    let tables = entries
    guard let leaf = tables.rowLeaves[identifier] else { return nil }
    var path = tables.parents.ascent(from: leaf)
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
  /// Returns the index of other sections, made from this one by applying the differences.
  ///
  /// - Complexity: O(*m*) expected and amortised, where *m* is the number of nodes that only one of the
  ///   lists has and of the elements in these nodes.
  /// - Throws: ``SnapshotError`` with the ids that are not unique, and with those of sections and rows
  ///   that cannot be written.
  func updated(to sections: PersistentSequence<Section>) throws(SnapshotError) -> SnapshotIndex {
    let isWritable = sections.measure.unwritableCount == 0
    // Mostly the content of some rows has changed.
    if isWritable, hasSameIDs(as: sections) {
      return SnapshotIndex(sections: sections, tables: tables, comparedCount: comparedCount)
    }
    let idCount = sections.measure.count + sections.measure.rowCount
    let maySkipTables = tables.known == nil || self.sections.isEmpty
    if maySkipTables, isWritable, comparedCount < Self.comparisonLimit * idCount,
      Self.haveDistinctIDs(sections)
    {
      return SnapshotIndex(
        sections: sections, tables: Deferred(), comparedCount: comparedCount + idCount)
    }
    let (index, error) = following(to: sections)
    if error != SnapshotError() { throw error }
    return index
  }

  /// The number of times that all ids may be compared in a row before tables are made.
  private static var comparisonLimit: Int { 8 }

  /// Returns the index of a part of the sections, in which no id can occur twice.
  ///
  /// - Complexity: That of ``updated(to:)``.
  func updated(toPart sections: PersistentSequence<Section>) -> SnapshotIndex {
    tables.known == nil
      ? SnapshotIndex(sections: sections, tables: Deferred(), comparedCount: comparedCount)
      : following(to: sections).index
  }

  /// Returns whether other sections have the same ids in the same nodes, so that all entries stay.
  private func hasSameIDs(as other: PersistentSequence<Section>) -> Bool {
    sections.forEachReplacement(in: other) { _, old, new in
      guard old.hasSameIdentifier(as: new) else { return false }
      // Of several rows that change, some may come into other nodes.
      if new.updates(since: old)?.count == 1 { return true }
      return old.rows.tree.forEachReplacement(in: new.rows.tree) { $1.hasSameIdentifier(as: $2) }
    }
  }

  /// Returns whether it is certain that no two sections, no two rows and no two nodes have one id.
  private static func haveDistinctIDs(_ sections: PersistentSequence<Section>) -> Bool {
    let (sectionCount, rowCount) = (sections.measure.count, sections.measure.rowCount)
    // A tree has a node for each 15 elements at most, beside its root.
    var numbers = DistinctNumbers(capacity: 3 * sectionCount + rowCount + rowCount / 15 + 1)
    return sections.root?.forEachNode { node in
      numbers.insert(node.identity)
        && node.elements.allSatisfy { section in
          // A section may have the id of a row.
          numbers.insert(~section.keyHash)
            && section.rows.tree.root?.forEachNode { node in
              numbers.insert(node.identity)
                && node.elements.allSatisfy { numbers.insert($0.keyHash) }
            } ?? true
        }
    } ?? true
  }

  private func following(
    to sections: PersistentSequence<Section>
  ) -> (index: SnapshotIndex, error: SnapshotError) {
    let changes = SnapshotChanges(from: self.sections, to: sections)
    var error = SnapshotError()
    guard let tables = entries.following(changes, noting: &error) else {
      // The new list has two revisions of the same section's rows, each with rows of its own, in
      // two sections. Their nodes have the same identities, so all nodes are created again with new
      // ones.
      let apart = sections.map { $0.with(PersistentSequence(Array($0.rows))) }
      return Self.empty.following(to: PersistentSequence(apart))
    }
    if sections.measure.unwritableCount > 0 {
      error.unwritableSectionIDs =
        Set(
          changes.sections.flatMap { $0.movedObjects().arrived }.filter { !$0.isWritable }.map(\.id)
        ).sorted()
      error.unwritableRowIDs =
        Set(changes.rows.flatMap { $0.movedObjects().arrived }.filter { !$0.isWritable }.map(\.id))
        .sorted()
    }
    return (SnapshotIndex(sections: sections, tables: Deferred(tables), comparedCount: 0), error)
  }
}

/// The entries of a ``SnapshotIndex``.
struct IndexTables: Sendable {
  /// The leaf of each section and of each row.
  private(set) var sectionLeaves = NodeTable<Identifier>()
  private(set) var rowLeaves = NodeTable<Identifier>()
  /// The parent of each node.
  private(set) var parents = NodeTable<NodeIdentity>()

  init() {}

  /// - Precondition: All ids and nodes of the sections are distinct.
  /// - Complexity: O(*n*) expected, where *n* is the number of sections and rows.
  init(of sections: PersistentSequence<Section>) {
    var (sectionLeaves, rowLeaves): ([Identifier: NodeIdentity], [Identifier: NodeIdentity]) =
      ([:], [:])
    var parents: [NodeIdentity: NodeIdentity] = [:]
    rowLeaves.reserveCapacity(sections.measure.rowCount)
    sections.root?.enter(into: &sectionLeaves, &parents)
    for section in sections {
      guard let rows = section.rows.tree.root else { continue }
      parents[rows.identity] = sectionLeaves[section.identifier]
      rows.enter(into: &rowLeaves, &parents)
    }
    self.sectionLeaves = NodeTable(base: sectionLeaves)
    self.rowLeaves = NodeTable(base: rowLeaves)
    self.parents = NodeTable(base: parents)
  }

  /// Returns the entries after some changes.
  ///
  /// - Parameter error: Gets the ids that are not unique.
  /// - Returns: `nil` if a node was added that is there already.
  func following(_ changes: SnapshotChanges, noting error: inout SnapshotError) -> IndexTables? {
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
    var tables = self
    guard nodes.perform(in: &tables.parents).isEmpty else { return nil }
    // Sorted: the order in which they are found depends on the nodes, which equal snapshots may have in other ways.
    error.duplicateSectionIDs =
      Set(sectionIDs.perform(in: &tables.sectionLeaves).map(\.text)).sorted()
    error.duplicateRowIDs = Set(rowIDs.perform(in: &tables.rowLeaves).map(\.text)).sorted()
    return tables
  }
}

/// The nodes in which two revisions of a snapshot differ, paired by identity.
struct SnapshotChanges {
  /// The changes of the nodes that hold sections.
  let sections: [NodeChange<Section>]
  /// The changes of the nodes that hold rows, of all sections.
  let rows: [NodeChange<Row>]

  /// Finds the changed nodes.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of the lists has
  ///   and of the sections in these nodes.
  init(from old: PersistentSequence<Section>, to new: PersistentSequence<Section>) {
    let alignment = TreeAlignment(from: old, to: new)
    var oldRows: [TreeNode<Row>] = []
    var newRows: [TreeNode<Row>] = []
    /// Adds the nodes in which the rows of a section differ between its old and new version.
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
      // Mostly one section changed in its place; only other changes need a table.
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

/// The id of a section or row with its hash, as a key in index tables.
///
/// The hash is a ``FoldedHash`` under the random key of this process, so clients cannot choose ids that
/// collide. It must never leave the process.
struct Identifier: Hashable, Sendable {
  let text: Text
  let textHash: Int

  static func == (left: Identifier, right: Identifier) -> Bool {
    left.textHash == right.textHash && left.text == right.text
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(textHash)
  }
}

extension Identifier {
  init(_ text: Text) {
    let hash = FoldedHash.hash(text.string, key: ProcessKey.value)
    self.init(text: text, textHash: Int(truncatingIfNeeded: hash))
  }
}
