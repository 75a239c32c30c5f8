/// From pairs to operations.
extension Pairing {
  /// The operations that the pairs leave to be done, with the fewest moves.
  ///
  /// - Complexity: O(*n* + *w* log *w*), where *n* is the number of left-overs and *w* the largest
  ///   number of stretches and left-overs in one section where left-overs were paired.
  @usableFromInline
  package func editScript() -> EditScript {
    var script = EditScript()
    script.deletes = deletes()
    script.inserts = inserts
    script.moves = moves()
    script.updates = updates
    if !leftoverUpdates.isEmpty {
      script.updates.append(contentsOf: leftoverUpdates)
      script.updates.sort { $0.to < $1.to }
    }
    return script
  }

  /// The old left-overs without a partner, descending.
  private func deletes() -> [ElementPosition] {
    var deletes: [ElementPosition] = []
    deletes.reserveCapacity(oldLeftoverCount - leftoverPairs.count)
    var order = Array(runs.indices)
    if !zip(runs, runs.dropFirst()).allSatisfy({ $0.oldStart < $1.oldStart }) {
      order.sort { runs[$0].oldStart < runs[$1].oldStart }
    }
    for index in order.reversed() {
      let section = runs[index].oldStart.section
      for ordinal in oldLeftovers(ofRun: index).reversed()
      where isPaired.isEmpty || !isPaired[ordinal] {
        deletes.append(ElementPosition(section: section, row: oldLeftovers[ordinal].row))
      }
    }
    return deletes
  }

  /// What does not stay in its place among what stays, ascending.
  private func moves() -> [EditScript.Transition] {
    var moves: [EditScript.Transition] = []
    moves.reserveCapacity(leftoverPairs.count)
    var rest = leftoverPairs[...]
    var first = 0
    while let section = rest.first?.to.section {
      while runs[first].newStart.section != section { first += 1 }
      let pairs = rest.prefix { $0.to.section == section }
      rest = rest[pairs.endIndex...]
      let end = runs[first...].firstIndex { $0.newStart.section != section } ?? runs.count
      addMoves(ofPairs: pairs, inRuns: first..<end, to: &moves)
    }
    return moves
  }

  /// Adds the moves into one section.
  private func addMoves(
    ofPairs pairs: ArraySlice<EditScript.Transition>, inRuns group: Range<Int>,
    to moves: inout [EditScript.Transition]
  ) {
    let oldSection = runs[group.lowerBound].oldStart.section
    let start = moves.count
    moves.append(contentsOf: pairs.lazy.filter { $0.from.section != oldSection })
    let isMixed = moves.count > start
    if moves.count - start == pairs.count { return }

    let kept = stretches(
      inRuns: group,
      with: pairs.lazy.filter { $0.from.section == oldSection }
        .map { Stretch(old: $0.from.row, new: $0.to.row, count: 1) })
    let newSection = runs[group.lowerBound].newStart.section
    for (stretch, isStaying) in zip(kept, longestIncreasingSubsequence(of: kept))
    where !isStaying {
      for offset in 0..<stretch.count {
        moves.append(
          .init(
            from: ElementPosition(section: oldSection, row: stretch.old + offset),
            to: ElementPosition(section: newSection, row: stretch.new + offset)))
      }
    }
    if isMixed { moves[start...].sort { $0.to < $1.to } }
  }

  /// The stretches of a section and some of one row more, in the new order.
  private func stretches(
    inRuns group: Range<Int>, with others: some Collection<Stretch>
  ) -> [Stretch] {
    var result: [Stretch] = []
    let walked =
      runs[group.upperBound - 1].stretches.upperBound
      - runs[group.lowerBound].stretches.lowerBound
    result.reserveCapacity(walked + group.count + leftoverPairs.count)
    var rest = others.makeIterator()
    var next = rest.next()
    func add(_ stretch: Stretch) {
      while let other = next, other.new < stretch.new {
        result.append(other)
        next = rest.next()
      }
      result.append(stretch)
    }
    for index in group {
      if index > group.lowerBound {
        // Between two runs is what the caller of the engine knew to be the same.
        let (previous, run) = (runs[index - 1], runs[index])
        let count = run.newStart.row - previous.newEnd
        if count > 0 {
          add(Stretch(old: previous.oldEnd, new: previous.newEnd, count: count))
        }
      }
      for stretch in stretches[runs[index].stretches] { add(stretch) }
    }
    while let other = next {
      result.append(other)
      next = rest.next()
    }
    return result
  }
}
