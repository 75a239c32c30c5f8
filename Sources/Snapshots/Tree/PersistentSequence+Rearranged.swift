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

  /// Returns the list of ``rearranged(to:)``, and the script that leads from this list to it, if a difference was
  /// made for it. All positions of the script are in section 0.
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
    if oldRange.count == 1 && newRange.count == 1 {
      return (replacing(head, with: other[head]), nil)
    }
    var result = self
    if oldRange.isEmpty || newRange.isEmpty {
      result.replaceSubrange(oldRange, with: other.elements(in: newRange))
      return (result, nil)
    }
    return Self.withElements(of: [(self, oldRange)]) { old in
      Self.withElements(of: [(other, newRange)]) { new in
        let start = ElementPosition(section: 0, row: Int32(head))
        let script = EditScript(
          runs: [ElementRun(oldStart: start, newStart: start, old: old, new: new)])
        if script.deletes.count == count, script.inserts.count == other.count {
          return (other, script)
        }
        result.replace(script.edits(from: old, to: new, start: head))
        return (result, script)
      }
    }
  }

  /// Returns the number of equal elements at the start of both lists.
  private func commonStart(with other: PersistentSequence) -> Int {
    let end = Swift.min(count, other.count)
    var position = 0
    while position < end {
      let (old, oldStart) = leaf(at: position)
      let (new, newStart) = other.leaf(at: position)
      let leafEnd = Swift.min(oldStart + old.count, newStart + new.count, end)
      while position < leafEnd {
        if !Self.areEqual(old, position - oldStart, new, position - newStart) { return position }
        position += 1
      }
    }
    return position
  }

  /// Returns the number of equal elements at the end of both lists, without some at their start.
  private func commonEnd(with other: PersistentSequence, behind head: Int) -> Int {
    let most = Swift.min(count, other.count) - head
    var result = 0
    while result < most {
      let (old, oldStart) = leaf(at: count - 1 - result)
      let (new, newStart) = other.leaf(at: other.count - 1 - result)
      let leafEnd = Swift.min(count - oldStart, other.count - newStart, most)
      while result < leafEnd {
        let (from, to) = (count - 1 - result - oldStart, other.count - 1 - result - newStart)
        if !Self.areEqual(old, from, new, to) { return result }
        result += 1
      }
    }
    return result
  }

  /// Compares two elements in their places, so that none is retained.
  private static func areEqual(_ old: [Element], _ from: Int, _ new: [Element], _ to: Int) -> Bool {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        let run = ElementRun(oldStart: .zero, newStart: .zero, old: old, new: new)
        return RunWalk(run).relation(from, to) == .equal
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
  ///   - new: Elements of the new list.
  ///   - start: The position of the first of both.
  fileprivate func edits<Element>(
    from old: UnsafeBufferPointer<Element>, to new: UnsafeBufferPointer<Element>, start: Int
  ) -> [TreeNode<Element>.Edit] {
    let replacements = replacements
    var elements: [Element] = []
    elements.reserveCapacity(replacements.reduce(0) { $0 + $1.new.count })
    // An element that only moves is taken from the old list.
    var moves = unchangedMoves[...]
    for replacement in replacements {
      for row in replacement.new {
        if let move = moves.first, move.to == row {
          elements.append(old[move.from - start])
          moves.removeFirst()
        } else {
          elements.append(new[row - start])
        }
      }
    }
    var end = 0
    return replacements.map { replacement in
      let first = end
      end += replacement.new.count
      return (replacement.old, elements[first..<end])
    }
  }

  /// The moves of elements that do not change, by their positions.
  fileprivate var unchangedMoves: [(from: Int, to: Int)] {
    var updates = updates[...]
    return moves.compactMap { move in
      updates = updates.drop { $0.to < move.to }
      if updates.first?.to == move.to { return nil }
      return (Int(move.from.row), Int(move.to.row))
    }
  }

  /// The ranges of the old list that ranges of the new list replace, ascending. The elements between
  /// them stay as they are.
  fileprivate var replacements: [(old: Range<Int>, new: Range<Int>)] {
    // An element that moves and changes occurs twice.
    var gone = deletes.reversed().map(\.row) + moves.map(\.from.row) + updates.map(\.from.row)
    var come = inserts.map(\.row) + moves.map(\.to.row) + updates.map(\.to.row)
    gone.sort()
    come.sort()
    var (goneRest, comeRest) = (gone[...], come[...])
    var (old, new): (Int32, Int32) = (0, 0)
    var result: [(old: Range<Int>, new: Range<Int>)] = []
    while !goneRest.isEmpty || !comeRest.isEmpty {
      let same = min((goneRest.first ?? .max) - old, (comeRest.first ?? .max) - new)
      let (oldStart, newStart) = (old + same, new + same)
      (old, new) = (oldStart, newStart)
      while let row = goneRest.first, row <= old {
        old = row + 1
        goneRest.removeFirst()
      }
      while let row = comeRest.first, row <= new {
        new = row + 1
        comeRest.removeFirst()
      }
      result.append((Int(oldStart)..<Int(old), Int(newStart)..<Int(new)))
    }
    return result
  }
}
