package import CanonicalJSON

/// The operations of a batch update of one list, as positions.
///
/// The rules are those of ``Changeset``: deletions and `from` are positions in the old list, insertions
/// and `to` are positions in the new one.
package struct ListBatch: Sendable {
  /// An element that both lists have, by its positions.
  package typealias Transition = (from: Int, to: Int)

  /// The elements that are deleted, descending.
  package private(set) var deletes: [Int] = []
  /// The elements that are inserted, ascending.
  package private(set) var inserts: [Int] = []
  /// The kept elements that change their order, ascending by `to`.
  package private(set) var moves: [Transition] = []
  /// The kept elements that are drawn again, ascending by `to`.
  package private(set) var reloads: [Transition] = []
  /// The kept elements that are not equal and not drawn again, ascending by `to`.
  package private(set) var updates: [Transition] = []
}

extension ListBatch {
  /// Finds the batch with the fewest operations between two lists.
  ///
  /// If several elements have the same key, the first ones of both lists belong together, and the others
  /// are deleted and inserted.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of elements of both lists; O(*n*) if
  ///   the kept elements do not change their order.
  package init<Element: Equatable, Key: Hashable>(
    from old: some Collection<Element>, to new: some Collection<Element>,
    by key: (Element) -> Key
  ) {
    let old = Array(old)
    var positions: [Key: Int] = [:]
    positions.reserveCapacity(old.count)
    for (index, element) in old.enumerated() where positions[key(element)] == nil {
      positions[key(element)] = index
    }
    var isDeleted = [Bool](repeating: true, count: old.count)
    var kept: [Transition] = []
    for (index, element) in new.enumerated() {
      guard let origin = positions.removeValue(forKey: key(element)) else {
        inserts.append(index)
        continue
      }
      isDeleted[origin] = false
      kept.append((origin, index))
      if old[origin] != element { updates.append((origin, index)) }
    }
    deletes = isDeleted.indices.reversed().filter { isDeleted[$0] }
    let isStaying = longestIncreasingSubsequence(of: kept.map { Int32($0.from) })
    moves = zip(kept, isStaying).filter { !$1 }.map(\.0)
  }

  /// Turns the updates for which a condition is true into reloads.
  mutating func reload(if isReloaded: (Transition) -> Bool) {
    reloads += updates.filter(isReloaded)
    updates.removeAll(where: isReloaded)
  }

  /// Creates the batch of the sections between two snapshots. A section whose fields or rows change is
  /// updated, unless it is drawn again.
  ///
  /// - Parameter changeset: The difference of the snapshots.
  /// - Complexity: O(*n*) expected, where *n* is the number of sections, and the cost of comparing those
  ///   that the snapshots do not share.
  package init(sections changeset: Changeset, from old: Snapshot, to new: Snapshot) {
    deletes = changeset.sections.deletes.map(\.at)
    inserts = changeset.sections.inserts.map(\.at)
    moves = changeset.sections.moves.map { ($0.from, $0.to) }
    reloads = changeset.sections.reloads.map { ($0.from, $0.to) }
    // A server may replace a section by another one with its id.
    let drawn = Set(reloads.map(\.to) + inserts)
    for (to, from) in SectionMatching(from: old, to: new).oldIndexes.enumerated() {
      guard let from, !drawn.contains(to) else { continue }
      if old.sections[from] != new.sections[to] { updates.append((from, to)) }
    }
  }

  /// Creates the batch of the rows of one section between two snapshots. A row that comes from another
  /// section is inserted, and one that goes to another section is deleted. A section that a snapshot does
  /// not have has no rows.
  ///
  /// - Parameter changeset: The difference of the snapshots.
  /// - Complexity: O(*k* log *k* + log *s*) expected, where *k* is the number of operations and *s* that
  ///   of sections; O(*n*) for a section of *n* rows that is inserted or deleted, and O(*n* log *n*) for one that is
  ///   drawn again.
  package init(
    rowsOf section: Text, _ changeset: Changeset, from old: Snapshot, to new: Snapshot
  ) {
    guard let from = old.index(ofSection: section) else {
      if let to = new.index(ofSection: section) { inserts = Array(new.sections[to].rows.indices) }
      return
    }
    guard let to = new.index(ofSection: section) else {
      deletes = old.sections[from].rows.indices.reversed()
      return
    }
    if changeset.sections.deletes.contains(where: { $0.at == from }) {
      deletes = old.sections[from].rows.indices.reversed()
      inserts = Array(new.sections[to].rows.indices)
      return
    }
    for move in changeset.rows.moves {
      switch (move.from.section == from, move.to.section == to) {
      case (true, true): moves.append((move.from.row, move.to.row))
      case (true, false): deletes.append(move.from.row)
      case (false, true): inserts.append(move.to.row)
      case (false, false): break
      }
    }
    deletes += changeset.rows.deletes.filter { $0.at.section == from }.map(\.at.row)
    deletes.sort(by: >)
    inserts += changeset.rows.inserts.filter { $0.at.section == to }.map(\.at.row)
    inserts.sort()
    if changeset.sections.reloads.contains(where: { $0.to == to }) {
      // Drawn anew with all rows that stay.
      for (row, element) in new.sections[to].rows.enumerated() {
        guard let origin = old.path(ofRow: element.id), origin.section == from,
          old[origin].isSameItem(as: element)
        else { continue }
        reloads.append((origin.row, row))
      }
    } else {
      for reload in changeset.rows.reloads
      where reload.from.section == from && reload.to.section == to {
        reloads.append((reload.from.row, reload.to.row))
      }
    }
    let reloaded = Set(reloads.map(\.to))
    for update in changeset.rows.updates
    where update.from.section == from && update.to.section == to {
      if !reloaded.contains(update.to.row) { updates.append((update.from.row, update.to.row)) }
    }
  }
}

/// One operation on a list, with the position in the list at that moment and in the lists before and after
/// all operations.
package enum ListStep {
  /// Deletes an element. Deletions come first, from the end of the list, so this is also its position in
  /// the old list.
  case delete(at: Int)
  /// Inserts the element that is at a position of the new list.
  case insert(new: Int, at: Int)
  /// Removes the element that was at a position of the old list, then inserts it: `to` is its position
  /// after the removal.
  case move(old: Int, from: Int, to: Int)
  /// Updates an element. Updates and reloads come last, so this is also its position in the new list.
  case update(old: Int, at: Int)
  /// Draws an element anew, which may have changed, too.
  case reload(old: Int, at: Int)
}

extension ListBatch {
  /// The operations in an order in which each can be performed on its own: the deletions, then the
  /// insertions and moves from the start of the list to its end, then the updates and reloads.
  ///
  /// - Complexity: O(*k* log *k*) expected, where *k* is the number of operations.
  package var steps: [ListStep] {
    let places = SequentialStep.steps(deletes: deletes, inserts: inserts, moves: moves)
    return places.map { step in
      switch step {
      case .remove(let index): .delete(at: index)
      case .add(let insertion, let index): .insert(new: inserts[insertion], at: index)
      case .move(let number, let from, let to): .move(old: moves[number].from, from: from, to: to)
      }
    } + updates.map { .update(old: $0.from, at: $0.to) }
      + reloads.map { .reload(old: $0.from, at: $0.to) }
  }
}
