/// A walk over one run that pairs the elements which keep their order, by comparison and without a
/// hash table.
///
/// The common start and the common end are paired first. Then the walk advances through both lists
/// at once. At a difference it looks a few rows ahead, and after repeated misses it uses *anchors*.
/// The stretches it finds are the bulk of an edited list, so only the leftovers need hashing.
@usableFromInline
package struct RunWalk<Element: DifferenceElement & ~Copyable> {
  @usableFromInline package let run: ElementRun<Element>
  /// The next elements to compare, and the ends of the rest.
  @usableFromInline package var old = 0
  @usableFromInline package var new = 0
  @usableFromInline package var oldEnd: Int
  @usableFromInline package var newEnd: Int
  /// The number of pairs so far.
  @usableFromInline package var pairCount = 0
  /// The number of pairs since the last one that was seen to be identical.
  @usableFromInline package var strangers = 0

  @inlinable
  package init(_ run: ElementRun<Element>) {
    self.run = run
    oldEnd = run.old.count
    newEnd = run.new.count
  }

  /// Adds the stretches and updates of the run.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements of the run in both lists: each row
  ///   costs a bounded number of comparisons and at most one lookup of the anchors.
  @inlinable
  package mutating func pair(into pairing: inout Pairing) {
    extend(into: &pairing)
    let tailUpdates = trimTail()
    walk(into: &pairing)
    let tailCount = run.new.count - newEnd
    if tailCount > 0 {
      pairing.append(stretch(old: oldEnd, new: newEnd, count: tailCount))
      pairing.updates.append(contentsOf: tailUpdates.reversed())
    }
  }

  /// Cuts off the common end and returns the pairs in it whose content changed, last first.
  @inlinable
  package mutating func trimTail() -> [EditScript.Transition] {
    var updates: [EditScript.Transition] = []
    while oldEnd > old, newEnd > new {
      let relation = relation(oldEnd - 1, newEnd - 1)
      if relation == .unrelated { break }
      oldEnd -= 1
      newEnd -= 1
      if relation == .updated { updates.append(transition(from: oldEnd, to: newEnd)) }
    }
    return updates
  }

  /// Pairs the elements between the common ends, with anchors as soon as they are needed.
  @inlinable
  package mutating func walk(into pairing: inout Pairing) {
    if walk(into: &pairing, anchors: nil) { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * anchorCount + 1) { slots in
      let anchors = IdentifierTable(in: slots, indicesBelow: oldEnd, key: ProcessKey.value)
      layAnchors(into: anchors)
      _ = walk(into: &pairing, anchors: anchors)
    }
  }

  /// Pairs the elements from here to the common end.
  ///
  /// - Returns: `false` if the walk needs anchors to go on.
  @inlinable
  package mutating func walk(into pairing: inout Pairing, anchors: IdentifierTable?) -> Bool {
    // The walk that begins with anchors goes on behind the misses of the one without.
    var misses = anchors == nil ? 0 : WalkLimits.misses - 1
    while true {
      let seen = extend(into: &pairing)
      guard old < oldEnd, new < newEnd else { return true }
      var step = seen ?? nextPair()
      if step == nil {
        misses += 1
        if misses < WalkLimits.misses {
          old = Swift.min(old + WalkLimits.square, oldEnd)
          new = Swift.min(new + WalkLimits.square, newEnd)
          continue
        }
        guard let anchors else { return false }
        step = nextAnchoredPair(anchors)
      }
      guard let step else { return true }
      old += step.old
      new += step.new
      misses = 0
    }
  }

  /// Pairs the elements from here to the next difference.
  ///
  /// - Returns: The distances to a pair that was seen ahead, or `nil` if none was.
  @inlinable @discardableResult
  package mutating func extend(into pairing: inout Pairing) -> (old: Int, new: Int)? {
    let start = new
    var seen: (old: Int, new: Int)?
    while old < oldEnd, new < newEnd {
      if isIdentical(old, new) {
        strangers = 0
      } else {
        // Lists that were made apart share no element, so nothing identical is ahead.
        seen = strangers < WalkLimits.strangers ? pairAhead(where: isIdentical) : nil
        // If one list is ahead of the other, the two elements are hardly a pair, and comparing them
        // would read both from memory. If they are one, the hash join will find it.
        if let seen, seen.old != seen.new { break }
        let relation = relation(old, new)
        if relation == .unrelated { break }
        strangers = seen == nil ? strangers + 1 : 0
        seen = nil
        if relation == .updated { pairing.updates.append(transition(from: old, to: new)) }
      }
      old += 1
      new += 1
    }
    let count = new - start
    pairCount += count
    if count > 0 { pairing.append(stretch(old: old - count, new: start, count: count)) }
    return seen
  }

  /// Returns the distances to what is likely the next pair in sight if none is obvious: first in a small square,
  /// then farther ahead in one of the lists only.
  @inlinable
  package func nextPair() -> (old: Int, new: Int)? {
    if let pair = pairAhead(where: isLikelySame) { return pair }
    let oldRest = oldEnd - old
    let newRest = newEnd - new
    for far in (WalkLimits.square + 1)...WalkLimits.line {
      if far < newRest, isLikelySame(old, new + far) { return (0, far) }
      if far < oldRest, isLikelySame(old + far, new) { return (far, 0) }
    }
    return nil
  }

  /// Returns the distances to the next pair in the square, nearest first.
  @inlinable @inline(__always)
  package func pairAhead(
    where isPair: (Int, Int) -> Bool
  ) -> (old: Int, new: Int)? {
    let oldRest = oldEnd - old
    let newRest = newEnd - new
    for far in 1...WalkLimits.square {
      for near in 0...far {
        if far < newRest, near < oldRest, isPair(old + near, new + far) { return (near, far) }
        if far < oldRest, near < newRest, isPair(old + far, new + near) { return (far, near) }
      }
    }
    return nil
  }

  @inlinable
  package func isIdentical(_ old: Int, _ new: Int) -> Bool {
    run.old(old).pointee.isIdentical(to: run.new(new).pointee)
  }

  @inlinable
  package func relation(_ old: Int, _ new: Int) -> ElementRelation {
    isIdentical(old, new) ? .equal : run.old(old).pointee.relation(to: run.new(new).pointee)
  }

  @inlinable
  package func isSame(_ old: Int, _ new: Int) -> Bool {
    run.old(old).pointee.isSameItem(as: run.new(new).pointee)
  }

  @inlinable
  package func isLikelySame(_ old: Int, _ new: Int) -> Bool {
    run.old(old).pointee.isLikelySameItem(as: run.new(new).pointee)
  }

  @inlinable
  package func stretch(old: Int, new: Int, count: Int) -> Stretch {
    Stretch(
      old: run.oldStart.row + Int32(old), new: run.newStart.row + Int32(new), count: Int32(count))
  }

  @inlinable
  package func transition(from old: Int, to new: Int) -> EditScript.Transition {
    EditScript.Transition(
      from: ElementPosition(
        section: run.oldStart.section, row: run.oldStart.row + Int32(old)),
      to: ElementPosition(section: run.newStart.section, row: run.newStart.row + Int32(new)))
  }
}

/// Anchors find the position at which the walk can continue after a long passage that only one of
/// the lists has. A table holds every 16th old row, so a common row with 15 more common rows behind
/// it is close to an anchor.
extension RunWalk where Element: ~Copyable {
  /// The largest number of anchors from here to the end of the run.
  @inlinable package var anchorCount: Int { (oldEnd - old) / WalkLimits.anchors + 1 }

  /// Adds every 16th row from here to the end of the run to the table.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of old rows left; a 16th of them is
  ///   hashed.
  @inlinable
  package func layAnchors(into table: IdentifierTable) {
    for index in stride(from: old, to: oldEnd, by: WalkLimits.anchors) {
      table.insert(index, hash: run.old(index).pointee.identityHash(key: table.key)) { _ in false }
    }
  }

  /// Returns the distances to the pair that makes the walk skip the fewest rows, or `nil` if the
  /// anchors show none.
  ///
  /// A single pair is no landmark, because it may be a row that moved. So an anchor counts only if
  /// a neighbour is paired too, and the search goes on as long as a nearer one is possible. The
  /// more of the lists has been equal so far, the farther the search goes: lists in no order are
  /// soon left to the hash join.
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

  /// Returns the distances to the start of the stretch around a pair, or `nil` if no neighbour is
  /// paired.
  @inlinable
  package func startOfStretch(around oldIndex: Int, _ newIndex: Int) -> (old: Int, new: Int)? {
    var count = 0
    // An earlier anchor would have found a stretch that starts farther back.
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

/// How far a walk looks at a difference. These limits change only the cost of a difference and not
/// its correctness.
@usableFromInline
package enum WalkLimits {
  /// The side of the square of pairs that are tried ahead, and the step after a miss.
  @usableFromInline package static var square: Int { 4 }
  /// The number of consecutive pairs that are not identical after which the walk looks for no
  /// identical ones ahead.
  @usableFromInline package static var strangers: Int { 4 }
  /// The number of rows that are compared with the next row of the other list.
  @usableFromInline package static var line: Int { 16 }
  /// The number of consecutive misses after which the walk uses anchors.
  @usableFromInline package static var misses: Int { 4 }
  /// The distance between anchors.
  @usableFromInline package static var anchors: Int { 16 }
  /// The minimum number of rows to look up in the anchors before the walk gives up.
  @usableFromInline package static var search: Int { 1_024 }
}
