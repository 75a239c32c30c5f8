/// Finds the operations on the rows of kept sections where their old and new selves share subtrees.
///
/// Only what is left over between shared parts is matched by id. A row that is kept and whose
/// section's old and new self are no pair has moved across; of those that stayed in their section
/// and of the shared parts, all but an increasing subsequence with the most rows have moved.
struct RevisionDifference {
  private let pairs: [SectionPair]
  private let pieces: [RevisionPieces]
  /// Where each left-over old row stood, until a new row is found to be the same.
  private var origins: [Identifier: Origin] = [:]
  private var changes = Changeset.Group<RowPath, Row>()

  private struct Origin {
    let pair: Int
    let position: Int
    let row: Row
  }

  /// Finds the operations, or gives `nil` if so little is shared that it is cheaper not to look for
  /// it; see ``RowDifference``.
  ///
  /// - Parameter pairs: The kept sections that are not shared, in the order of the new ones.
  /// - Complexity: O(*m* log *m*) expected, where *m* is the number of nodes and rows in them that
  ///   only one of two sections has, beside the size of the fields compared and of the output.
  static func changes(between pairs: [SectionPair]) -> Changeset.Group<RowPath, Row>? {
    let pieces = pairs.map { RevisionPieces(of: $0) }
    let unsharedCount = pieces.reduce(0) { $0 + $1.unsharedCount }
    let rowCount = pairs.reduce(0) { $0 + $1.old.rows.count + $1.new.rows.count }
    if unsharedCount > 1024, unsharedCount > rowCount / 2 { return nil }
    var difference = RevisionDifference(pairs: pairs, pieces: pieces)
    difference.noteOrigins()
    for pair in pairs.indices { difference.visit(pair) }
    difference.listDeletes()
    return difference.changes
  }

  private init(pairs: [SectionPair], pieces: [RevisionPieces]) {
    self.pairs = pairs
    self.pieces = pieces
  }

  private mutating func noteOrigins() {
    for (pair, pieces) in pieces.enumerated() {
      for case .leftOver(let old, _, let before, _) in pieces.pieces {
        for (offset, row) in before.enumerated() {
          origins[row.identifier] = Origin(pair: pair, position: old + offset, row: row)
        }
      }
    }
  }

  /// Lists all that happens in a new section, in the order of its rows.
  private mutating func visit(_ pair: Int) {
    let (kept, blocks) = matchRows(of: pair)
    var keptOrigins = kept.makeIterator()
    var isStaying = heaviestIncreasingSubsequence(of: blocks).makeIterator()
    for piece in pieces[pair].pieces {
      switch piece {
      case .shared(let old, let new, let count):
        if isStaying.next() == true { continue }
        let rows = pairs[pair].new.rows.tree.elements(in: new..<new + count)
        for (offset, row) in rows.enumerated() {
          move(row, from: path(ofOld: old + offset, in: pair), to: path(new + offset, in: pair))
        }
      case .paired(let old, let new, let before, let after):
        let isMoved = isStaying.next() == false
        for (offset, (oldRow, row)) in zip(before, after).enumerated() {
          let from = path(ofOld: old + offset, in: pair)
          let to = path(new + offset, in: pair)
          if isMoved { move(row, from: from, to: to) }
          update(oldRow, to: row, from: from, to: to)
        }
      case .leftOver(_, let new, _, let after):
        for (offset, row) in after.enumerated() {
          let to = path(new + offset, in: pair)
          guard let origin = keptOrigins.next() ?? nil else {
            changes.inserts.append(.init(at: to, element: row))
            continue
          }
          let from = path(ofOld: origin.position, in: origin.pair)
          if origin.pair != pair || isStaying.next() == false { move(row, from: from, to: to) }
          update(origin.row, to: row, from: from, to: to)
        }
      }
    }
  }

  /// Matches the left-over rows of a new section, and gives the origin of each, and all that might
  /// have kept its place in the section.
  private mutating func matchRows(of pair: Int) -> (kept: [Origin?], blocks: [OrderedBlock]) {
    var kept: [Origin?] = []
    var blocks: [OrderedBlock] = []
    for piece in pieces[pair].pieces {
      switch piece {
      case .shared(let old, _, let count):
        blocks.append(OrderedBlock(position: old, weight: count))
      case .paired(let old, _, let before, _):
        blocks.append(OrderedBlock(position: old, weight: before.count))
      case .leftOver(_, _, _, let after):
        for row in after {
          let origin = takeOrigin(of: row)
          kept.append(origin)
          guard let origin, origin.pair == pair else { continue }
          blocks.append(OrderedBlock(position: origin.position, weight: 1))
        }
      }
    }
    return (kept, blocks)
  }

  /// Where a row was kept from, or `nil` if it is inserted.
  private mutating func takeOrigin(of row: Row) -> Origin? {
    if origins.isEmpty { return nil }
    guard let index = origins.index(forKey: row.identifier),
      origins.values[index].row.isSameItem(as: row)
    else { return nil }
    return origins.remove(at: index).value
  }

  private mutating func move(_ row: Row, from: RowPath, to: RowPath) {
    changes.moves.append(.init(id: row.id, from: from, to: to))
  }

  private mutating func update(_ oldRow: Row, to row: Row, from: RowPath, to: RowPath) {
    if row == oldRow { return }
    let fields = FieldChanges(from: oldRow.fields, to: row.fields)
    changes.updates.append(
      .init(id: row.id, from: from, to: to, set: fields.set, unset: fields.unset))
  }

  /// Lists the old rows whose origins nobody took.
  private mutating func listDeletes() {
    changes.deletes = origins.values.map { origin in
      .init(id: origin.row.id, at: path(ofOld: origin.position, in: origin.pair))
    }
    changes.deletes.sort { $0.at > $1.at }
  }

  private func path(ofOld position: Int, in pair: Int) -> RowPath {
    RowPath(section: pairs[pair].oldIndex, row: position)
  }

  private func path(_ position: Int, in pair: Int) -> RowPath {
    RowPath(section: pairs[pair].newIndex, row: position)
  }
}
