/// A list of elements with unique ids and an erased type: the storage of a ``KeyedSequence``.
///
/// It is not generic, so that the compiler specialises its code. Generic code that other modules
/// call with their own types looks up each type and function at run time, which would take several
/// times as long as the work itself.
///
/// The leaves of a ``PersistentSequence`` hold the elements. A ``NodeTable`` finds the leaf of an id,
/// as in ``SnapshotIndex``, unless there is one leaf alone. In the complexities below, *n* is the number of
/// elements.
struct SlotSequence: Sendable {
  private(set) var slots = PersistentSequence<Slot>()
  /// Finds ids. Versions with the same ids in the same leaves share it. It is not used if there is one leaf alone.
  private(set) var tables = Self.unused

  private static let unused = Deferred<SlotTables>()

  init() {}

  /// Creates a list of elements in their order. If several elements have the same id, the last one
  /// replaces the first one at its position.
  ///
  /// - Complexity: O(*n*) expected.
  init(_ elements: [Slot]) {
    follow(
      to: PersistentSequence(Self.haveDistinctHashes(elements) ? elements : Self.unique(elements)))
  }

  private static func haveDistinctHashes(_ elements: [Slot]) -> Bool {
    var hashes = DistinctNumbers(capacity: elements.count)
    return elements.allSatisfy { hashes.insert($0.keyHash) }
  }

  private static func unique(_ elements: [Slot]) -> [Slot] {
    var places: [Slot.ID: Int] = [:]
    var slots: [Slot] = []
    for slot in elements {
      if let place = places[slot.identifier] {
        slots[place] = slot
      } else {
        places[slot.identifier] = slots.count
        slots.append(slot)
      }
    }
    return slots
  }

  /// Returns the position of the element with an id, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) expected, and O(*n*) for the first look-up in a list that was made as a whole.
  func index(of id: Slot.ID) -> Int? {
    // A search of a few hashes takes less than one of a table.
    if let elements = slots.singleLeaf { return elements.firstIndex { $0.identifier == id } }
    let tables = tables.value { SlotTables(of: slots) }
    guard let leaf = tables.leaves[id] else { return nil }
    var path = tables.parents.ascent(from: leaf)
    guard let place = slots.descend(along: &path),
      let slot = place.leaf.elements.firstIndex(where: { $0.identifier == id })
    else { return nil }
    return place.start + slot
  }

  /// Replaces the elements in a range of positions.
  ///
  /// - Precondition: The range is in the bounds, and no id occurs twice in the result.
  /// - Complexity: O(log *n*) expected if the range and the list have at most one element.
  mutating func replaceSubrange(_ range: Range<Int>, with elements: [Slot]) {
    var slots = slots
    slots.replaceSubrange(range, with: elements)
    follow(to: slots)
  }

  /// Replaces the list by a changed version, and updates the table entries of the elements and
  /// nodes whose parent changed.
  private mutating func follow(to slots: PersistentSequence<Slot>) {
    let old = self.slots
    self.slots = slots
    if slots.singleLeaf != nil {
      tables = Self.unused
    } else if old.singleLeaf != nil {
      tables = Deferred()
    } else if old.forEachReplacement(in: slots, { $1.hasSameIdentifier(as: $2) }) {
      // The tables stay.
    } else {
      tables = Deferred(tables.known?.following(from: old, to: slots))
    }
  }

  /// Returns the ranges of another version that changed, ascending, each with the range that
  /// replaces it in this version.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of the versions
  ///   has and of the elements in these nodes. After *k* changes, that is O(*k* log *n*).
  func changes(since old: SlotSequence) -> [(old: Range<Int>, new: Range<Int>)] {
    if slots.isIdentical(to: old.slots) { return [] }
    if let place = onlyReplacement(since: old) { return [(place..<place + 1, place..<place + 1)] }
    return TreeAlignment(from: old.slots, to: slots).runs.compactMap { run in
      if run.isShared { return nil }
      let before = old.slots.elements(in: run.old)
      let after = slots.elements(in: run.new)
      let (head, tail) = before.countsOfSameEnds(as: after) {
        $0.isIdentical(to: $1) || $0.isAlike(to: $1)
      }
      if head == before.count && head == after.count { return nil }
      return (
        run.old.lowerBound + head..<run.old.upperBound - tail,
        run.new.lowerBound + head..<run.new.upperBound - tail
      )
    }
  }
}

extension SlotSequence {
  /// Returns the position at which another version has another element of the same id, if that is all that differs;
  /// `nil` otherwise.
  private func onlyReplacement(since old: SlotSequence) -> Int? {
    var place: Int?
    let isInPlace = old.slots.forEachReplacement(in: slots) { position, old, new in
      if old.isAlike(to: new) { return true }
      defer { place = position }
      return place == nil && old.hasSameIdentifier(as: new)
    }
    return isInPlace ? place : nil
  }
}

extension SlotSequence: Equatable {
  /// Returns whether the sequences have the same elements in the same order.
  ///
  /// - Complexity: O(1) for two copies, else O(*m*) expected, where *m* is the number of nodes that
  ///   only one of the sequences has and of the elements in these nodes.
  static func == (left: SlotSequence, right: SlotSequence) -> Bool {
    if left.slots.isIdentical(to: right.slots) { return true }
    guard left.slots.count == right.slots.count else { return false }
    if let left = left.slots.singleLeaf, let right = right.slots.singleLeaf { return left == right }
    return TreeAlignment(from: left.slots, to: right.slots).runs.allSatisfy { run in
      // Ids are unique, so a shared element at two different positions means that the lists differ.
      run.old == run.new
        && (run.isShared
          || left.slots.elements(in: run.old) == right.slots.elements(in: run.new))
    }
  }
}

/// The tables that find the elements of a ``SlotSequence`` by their ids.
struct SlotTables: Sendable {
  /// The leaf of each element.
  private(set) var leaves = NodeTable<Slot.ID>()
  /// The parent of each node except the root.
  private(set) var parents = NodeTable<NodeIdentity>()

  /// - Complexity: O(*n*) expected.
  init(of slots: PersistentSequence<Slot>) {
    var (leaves, parents): ([Slot.ID: NodeIdentity], [NodeIdentity: NodeIdentity]) = ([:], [:])
    leaves.reserveCapacity(slots.count)
    slots.root?.enter(into: &leaves, &parents)
    (self.leaves, self.parents) = (NodeTable(base: leaves), NodeTable(base: parents))
  }

  /// Returns the tables of a changed version.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of the versions has and of the
  ///   elements in these nodes.
  func following(
    from old: PersistentSequence<Slot>, to new: PersistentSequence<Slot>
  ) -> SlotTables {
    let alignment = TreeAlignment(from: old, to: new)
    var moves = SlotMoves<Slot.ID>()
    var nodeMoves = SlotMoves<NodeIdentity>()
    for change in NodeChange.pairs(of: alignment.oldOnly, and: alignment.newOnly) {
      moves.note(change.movedElements(), of: change) { $0.identifier }
      nodeMoves.note(change.movedChildren(), of: change) { $0.identity }
    }
    var tables = self
    _ = moves.perform(in: &tables.leaves)
    _ = nodeMoves.perform(in: &tables.parents)
    return tables
  }
}

/// An element of a ``SlotSequence``: a reference, so that copying a leaf copies little.
struct Slot: TreeElement {
  let entry: any SlotEntry
  /// The hash of the id. It lies beside the reference, so that ids can be compared without
  /// following it.
  let idHash: Int

  /// The id of an element.
  struct ID: Hashable, Sendable {
    let slot: Slot

    static func == (left: ID, right: ID) -> Bool {
      left.slot.idHash == right.slot.idHash
        && (left.slot.entry === right.slot.entry || left.slot.entry.hasSameID(as: right.slot.entry))
    }

    func hash(into hasher: inout Hasher) { hasher.combine(slot.idHash) }
  }

  var identifier: ID { ID(slot: self) }
  var keyHash: UInt64 { UInt64(bitPattern: Int64(idHash)) }
  var measure: TreeMeasure { TreeMeasure(count: 1) }

  func isIdentical(to other: Slot) -> Bool { entry === other.entry }

  static func == (left: Slot, right: Slot) -> Bool {
    left.entry === right.entry
      || (left.idHash == right.idHash && left.entry.isEqual(to: right.entry))
  }
}

/// An element of a sequence, or an id to look up.
protocol SlotEntry: AnyObject, Sendable {
  func hasSameID(as other: any SlotEntry) -> Bool
  func isEqual(to other: any SlotEntry) -> Bool
}
