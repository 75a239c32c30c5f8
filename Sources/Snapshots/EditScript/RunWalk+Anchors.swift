/// Anchors find where a walk can go on behind a long passage that one of the lists does not have:
/// every 16th old row is put into a table, so that a row in common with 15 others behind it is near
/// one that is found.
extension RunWalk where Element: ~Copyable {
  /// Lays anchors from here to the end of the run.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of old rows left: a 16th is hashed.
  @inlinable
  package func layAnchors(into table: inout IdentifierTable) {
    table.clear(forCount: (oldEnd - old) / WalkLimits.anchors + 1, indicesBelow: oldEnd)
    for index in stride(from: old, to: oldEnd, by: WalkLimits.anchors) {
      table.insert(index, hash: run.old(index).pointee.identityHash(key: table.key)) { _ in false }
    }
  }

  /// The distances to the pair at which the walk loses the fewest rows, or `nil` if the anchors
  /// show none.
  ///
  /// A lone pair is no landmark: it may be a row that moved. So an anchor counts only if a
  /// neighbour is paired with it, and the search goes on for as long as there may be a nearer one.
  /// It goes the farther the more of the lists has been alike so far: lists that have nothing in
  /// order are soon left to the table.
  ///
  /// - Complexity: O(*d*) expected, where *d* is the sum of the distances, or the number of new
  ///   rows left if there is no pair.
  @inlinable
  package func nextAnchoredPair(_ table: IdentifierTable) -> (old: Int, new: Int)? {
    var best: (old: Int, new: Int)?
    var bestLoss = Int.max
    let limit = Swift.min(newEnd, new + WalkLimits.search + (newEnd - new) / 8 + pairCount)
    var candidate = new
    while candidate < limit, candidate - new < bestLoss {
      let found = table.first(hash: run.new(candidate).pointee.identityHash(key: table.key)) {
        $0 >= old && isSame($0, candidate)
      }
      if let found, let pair = startOfStretch(around: found, candidate) {
        let loss = pair.old + pair.new
        if loss < bestLoss {
          bestLoss = loss
          best = pair
        }
      }
      candidate += 1
    }
    return best
  }

  /// The distances to the start of the stretch around a pair, or `nil` if the pair stands alone.
  @inlinable
  package func startOfStretch(around oldIndex: Int, _ newIndex: Int) -> (old: Int, new: Int)? {
    var count = 0
    // An earlier anchor would have found what begins farther ahead.
    while count < WalkLimits.anchors, oldIndex - count > old, newIndex - count > new,
      isSame(oldIndex - count - 1, newIndex - count - 1)
    {
      count += 1
    }
    let hasNext =
      oldIndex + 1 < oldEnd && newIndex + 1 < newEnd && isSame(oldIndex + 1, newIndex + 1)
    return count > 0 || hasNext ? (oldIndex - count - old, newIndex - count - new) : nil
  }
}
