/// The rows of a section's old and new self, cut into pieces that follow each other on both sides.
struct RevisionPieces {
  enum Piece {
    /// Rows that are shared by reference, at these positions.
    case shared(old: Int, new: Int, count: Int)
    /// Rows that stand next to a shared part, or the next such row, on both sides: they did not
    /// change their order, but perhaps their content.
    case paired(old: Int, new: Int, before: ArraySlice<Row>, after: ArraySlice<Row>)
    /// What is left over, starting at these positions.
    case leftOver(old: Int, new: Int, before: ArraySlice<Row>, after: ArraySlice<Row>)
  }

  private(set) var pieces: [Piece] = []
  /// The number of rows of both sides that are not shared.
  private(set) var unsharedCount = 0

  /// Cuts a pair of sections.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes and rows in them that only one
  ///   of both sections has.
  init(of pair: SectionPair) {
    let old = pair.old.rows.tree
    let new = pair.new.rows.tree
    if old.isIdentical(to: new) { return }
    for run in TreeAlignment(from: old, to: new).runs {
      if run.isShared {
        pieces.append(
          .shared(old: run.old.lowerBound, new: run.new.lowerBound, count: run.old.count))
      } else {
        unsharedCount += run.old.count + run.new.count
        trim(run, before: old.elements(in: run.old), after: new.elements(in: run.new))
      }
    }
  }

  /// Pairs what is the same at both ends of a run. Such rows lengthen the shared part beside them:
  /// a row between them and it there is on neither side.
  private mutating func trim(
    _ run: TreeAlignment<Row>.Run, before: [Row], after: [Row]
  ) {
    let shorter = min(before.count, after.count)
    var head = 0
    while head < shorter, before[head].isSameItem(as: after[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head,
      before[before.count - 1 - tail].isSameItem(as: after[after.count - 1 - tail])
    {
      tail += 1
    }
    let old = run.old.lowerBound
    let new = run.new.lowerBound
    let oldTail = before.count - tail
    let newTail = after.count - tail
    if head > 0 {
      pieces.append(
        .paired(old: old, new: new, before: before[..<head], after: after[..<head]))
    }
    if head < oldTail || head < newTail {
      pieces.append(
        .leftOver(
          old: old + head, new: new + head, before: before[head..<oldTail],
          after: after[head..<newTail]))
    }
    if tail > 0 {
      pieces.append(
        .paired(
          old: old + oldTail, new: new + newTail, before: before[oldTail...],
          after: after[newTail...]))
    }
  }
}
