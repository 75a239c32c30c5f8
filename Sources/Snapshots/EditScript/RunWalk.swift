/// Pairs the elements of one run that keep their order, by comparing and without a table.
///
/// What both ends have in common is paired first. Then a walk goes through both lists at once;
/// where they part it looks a few rows ahead, and after repeated misses for *anchors*. The stretches
/// that it finds are the bulk of a list that was edited, so that only the left-overs need hashing.
@usableFromInline
package struct RunWalk<Element: DifferenceElement & ~Copyable> {
  @usableFromInline package let run: ElementRun<Element>
  /// The next elements to compare, and the ends of what is to be walked.
  @usableFromInline package var old = 0
  @usableFromInline package var new = 0
  @usableFromInline package var oldEnd: Int
  @usableFromInline package var newEnd: Int
  /// How many pairs have been found.
  @usableFromInline package var pairCount = 0

  @inlinable
  package init(_ run: ElementRun<Element>) {
    self.run = run
    oldEnd = run.old.count
    newEnd = run.new.count
  }

  /// Adds the stretches and updates of the run.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements of the run in both lists: every row
  ///   that is passed costs a bounded number of comparisons, and at most one probe of the anchors.
  @inlinable
  package mutating func pair(into pairing: inout Pairing, anchors: inout IdentifierTable) {
    extend(into: &pairing)
    let tailUpdates = trimTail()
    walk(into: &pairing, anchors: &anchors)
    let tailCount = run.new.count - newEnd
    if tailCount > 0 {
      pairing.append(stretch(old: oldEnd, new: newEnd, count: tailCount))
      pairing.updates.append(contentsOf: tailUpdates.reversed())
    }
  }

  /// Cuts off what both ends have in common, and gives the changed pairs in it, last first.
  @inlinable
  package mutating func trimTail() -> [EditScript.Transition] {
    var updates: [EditScript.Transition] = []
    while oldEnd > old, newEnd > new, isSame(oldEnd - 1, newEnd - 1) {
      oldEnd -= 1
      newEnd -= 1
      if !run.old(oldEnd).pointee.hasSameContent(as: run.new(newEnd).pointee) {
        updates.append(transition(from: oldEnd, to: newEnd))
      }
    }
    return updates
  }

  /// Pairs what lies between the common ends.
  @inlinable
  package mutating func walk(into pairing: inout Pairing, anchors: inout IdentifierTable) {
    var misses = 0
    var hasAnchors = false
    while true {
      let seen = extend(into: &pairing)
      guard old < oldEnd, new < newEnd else { return }
      var step = seen ?? nextPair()
      if step == nil {
        misses += 1
        if misses < WalkLimits.misses {
          old = Swift.min(old + WalkLimits.square, oldEnd)
          new = Swift.min(new + WalkLimits.square, newEnd)
          continue
        }
        if !hasAnchors {
          layAnchors(into: &anchors)
          hasAnchors = true
        }
        step = nextAnchoredPair(anchors)
      }
      guard let step else { return }
      old += step.old
      new += step.new
      misses = 0
    }
  }

  /// Pairs all elements from here to the next difference, and gives the distances to a pair that
  /// was seen ahead on the way.
  @inlinable @discardableResult
  package mutating func extend(into pairing: inout Pairing) -> (old: Int, new: Int)? {
    let start = new
    var seen: (old: Int, new: Int)?
    while old < oldEnd, new < newEnd {
      if !isIdentical(old, new) {
        seen = pairAhead(where: isIdentical)
        // Where one list is ahead of the other the two elements are hardly a pair, and to find out
        // would mean to read both. Should they be one, the table will tell.
        if let seen, seen.old != seen.new { break }
        if !isSame(old, new) { break }
        seen = nil
        if !run.old(old).pointee.hasSameContent(as: run.new(new).pointee) {
          pairing.updates.append(transition(from: old, to: new))
        }
      }
      old += 1
      new += 1
    }
    let count = new - start
    pairCount += count
    if count > 0 { pairing.append(stretch(old: old - count, new: start, count: count)) }
    return seen
  }

  /// The distances to the next pair in sight, where none is plain to see: in a small square, and
  /// then farther ahead in one of the lists only.
  @inlinable
  package func nextPair() -> (old: Int, new: Int)? {
    if let pair = pairAhead(where: isSame) { return pair }
    let oldRest = oldEnd - old
    let newRest = newEnd - new
    for far in (WalkLimits.square + 1)...WalkLimits.line {
      if far < newRest, isSame(old, new + far) { return (0, far) }
      if far < oldRest, isSame(old + far, new) { return (far, 0) }
    }
    return nil
  }

  /// The distances to the next pair in the square, nearest first.
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
  package func isSame(_ old: Int, _ new: Int) -> Bool {
    run.old(old).pointee.isSameItem(as: run.new(new).pointee)
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

/// How far a walk looks where two lists part. None of it changes what a difference is, only its
/// cost.
@usableFromInline
package enum WalkLimits {
  /// The side of the square of pairs ahead that are tried, and the step after a miss.
  @usableFromInline package static var square: Int { 4 }
  /// How many rows ahead are tried against the next row of the other list.
  @usableFromInline package static var line: Int { 16 }
  /// The misses in a row after which the walk turns to anchors.
  @usableFromInline package static var misses: Int { 4 }
  /// The distance of anchors.
  @usableFromInline package static var anchors: Int { 16 }
  /// How many rows are looked up in the anchors at least before the walk gives up.
  @usableFromInline package static var search: Int { 1_024 }
}
