extension PersistentSequence where Element: DifferenceElement {
  /// Returns the list of other elements that shares all common runs with this one, and has this
  /// list's element in place of an equal one.
  ///
  /// The common start and the common end are found leaf by leaf, without a copy. The difference of what
  /// is between them edits this list, so that its leaves keep the rows that stay.
  ///
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of elements of both lists
  ///   and *m* the number of those between the common start and the common end.
  func rearranged(to other: PersistentSequence) -> PersistentSequence {
    rearrangement(to: other).list
  }

  /// Returns the list of ``rearranged(to:)``, and the script that leads from this list to it; `nil` if this list is
  /// empty or nothing changes. All positions of the script are in section 0.
  ///
  /// - Complexity: That of ``rearranged(to:)``.
  func rearrangement(
    to other: PersistentSequence
  ) -> (list: PersistentSequence, script: EditScript?) {
    if isEmpty { return (other, nil) }
    let head = commonStart(with: other)
    if head == count && head == other.count { return (self, nil) }
    let tail = commonEnd(with: other, behind: head)
    let (oldRange, newRange) = (head..<count - tail, head..<other.count - tail)
    // A list that only became longer or shorter, or has one other element, needs no difference.
    var script = EditScript()
    let start = ElementPosition(section: 0, row: Int32(head))
    if oldRange.count == 1 && newRange.count == 1 {
      let (old, new) = (self[head], other[head])
      if old.isSameItem(as: new) {
        script.updates = [EditScript.Transition(from: start, to: start)]
      } else {
        (script.deletes, script.inserts) = ([start], [start])
      }
      return (replacing(head, with: new), script)
    }
    var result = self
    if oldRange.isEmpty || newRange.isEmpty {
      result.replaceSubrange(oldRange, with: other.elements(in: newRange))
      script.deletes = oldRange.reversed().map { ElementPosition(section: 0, row: Int32($0)) }
      script.inserts = newRange.map { ElementPosition(section: 0, row: Int32($0)) }
      return (result, script)
    }
    return Self.withElements(of: [(self, oldRange)]) { old in
      Self.withElements(of: [(other, newRange)]) { new in
        script = EditScript(
          runs: [
            ElementRun(
              oldStart: start, newStart: start, old: UnsafeBufferPointer(old),
              new: UnsafeBufferPointer(new))
          ])
        if script.deletes.count == count, script.inserts.count == other.count {
          return (other, script)
        }
        result.replace(script.edits(from: UnsafeBufferPointer(old), to: new, start: head))
        return (result, script)
      }
    }
  }

  /// Returns the number of equal elements at the start of both lists.
  private func commonStart(with other: PersistentSequence) -> Int {
    let end = Swift.min(count, other.count)
    var result = 0
    while result < end {
      let (old, oldStart) = leaf(at: result)
      let (new, newStart) = other.leaf(at: result)
      let most = Swift.min(oldStart + old.count, newStart + new.count, end) - result
      let equal = Self.equalCount(old, result - oldStart, new, result - newStart, atMost: most)
      result += equal
      if equal < most { break }
    }
    return result
  }

  /// Returns the number of equal elements at the end of both lists, without some at their start.
  private func commonEnd(with other: PersistentSequence, behind head: Int) -> Int {
    let end = Swift.min(count, other.count) - head
    var result = 0
    while result < end {
      let (from, to) = (count - 1 - result, other.count - 1 - result)
      let (old, oldStart) = leaf(at: from)
      let (new, newStart) = other.leaf(at: to)
      let most = Swift.min(from - oldStart + 1, to - newStart + 1, end - result)
      let equal = Self.equalCount(
        old, from - oldStart, new, to - newStart, atMost: most, isBackward: true)
      result += equal
      if equal < most { break }
    }
    return result
  }

  /// Returns the number of equal elements from some indices on, or back.
  ///
  /// They are compared in their places, so that none is retained.
  private static func equalCount(
    _ old: [Element], _ from: Int, _ new: [Element], _ to: Int, atMost most: Int,
    isBackward: Bool = false
  ) -> Int {
    let step = isBackward ? -1 : 1
    return old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        var result = 0
        while result < most {
          let isEqual = old.borrow(from + step * result) { old in
            // Rows with other ids are not read: they are scattered in memory.
            new.borrow(to + step * result) { new in old.keyHash == new.keyHash && old == new }
          }
          if !isEqual { break }
          result += 1
        }
        return result
      }
    }
  }
}

/// The script of a list without sections as an editor of the list needs it.
extension EditScript {
  /// The edits of the old list, of which the elements that stay are no part.
  ///
  /// - Parameters:
  ///   - old: Elements of the old list.
  ///   - new: The bits of elements of the new list, over which those of the old list that only move are copied.
  ///   - start: The position of the first of both.
  fileprivate func edits<Element>(
    from old: UnsafeBufferPointer<Element>, to new: UnsafeMutableBufferPointer<Element>, start: Int
  ) -> [TreeNode<Element>.Edit] {
    var update = updates.startIndex
    for move in moves {
      while update < updates.endIndex, updates[update].to < move.to { update += 1 }
      if update < updates.endIndex, updates[update].to == move.to { continue }
      let (from, to) = (Int(move.from.row) - start, Int(move.to.row) - start)
      new.copyBits(of: UnsafeBufferPointer(rebasing: old[from...from]), to: to)
    }
    return replacements(of: old.count, by: new.count, start: start).map { replacement in
      (
        start + replacement.old.lowerBound..<start + replacement.old.upperBound,
        UnsafeBufferPointer(rebasing: new[replacement.new])
      )
    }
  }

  /// Returns the ranges of old elements that ranges of new ones replace, ascending. Positions are counted from
  /// `start`. The elements between the ranges stay as they are.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the number of operations and *m* that of elements.
  private func replacements(
    of oldCount: Int, by newCount: Int, start: Int
  ) -> [(old: Range<Int>, new: Range<Int>)] {
    // A byte for each element, 1 if it goes or comes: nothing is sorted. One that moves and changes is marked twice.
    var gone = [UInt8](repeating: 0, count: oldCount)
    var come = [UInt8](repeating: 0, count: newCount)
    for position in deletes { gone[Int(position.row) - start] = 1 }
    for position in inserts { come[Int(position.row) - start] = 1 }
    for transitions in [moves, updates] {
      for transition in transitions {
        gone[Int(transition.from.row) - start] = 1
        come[Int(transition.to.row) - start] = 1
      }
    }
    var (old, new) = (0, 0)
    var (nextGone, nextCome) = (gone.index(of: 1, from: 0), come.index(of: 1, from: 0))
    var result: [(old: Range<Int>, new: Range<Int>)] = []
    while nextGone < oldCount || nextCome < newCount {
      let same = Swift.min(nextGone - old, nextCome - new)
      let (oldStart, newStart) = (old + same, new + same)
      (old, new) = (oldStart, newStart)
      if nextGone == old {
        old = gone.index(of: 0, from: old)
        nextGone = gone.index(of: 1, from: old)
      }
      if nextCome == new {
        new = come.index(of: 0, from: new)
        nextCome = come.index(of: 1, from: new)
      }
      result.append((oldStart..<old, newStart..<new))
    }
    return result
  }
}
