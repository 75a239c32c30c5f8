/// The operations that follow from the pairs.
extension Pairing {
  /// Returns the edit script that the pairs imply, with the fewest moves.
  ///
  /// - Complexity: O(*n* + *w* log *w*), where *n* is the number of leftovers and *w* the largest
  ///   number of stretches and leftovers in one section that has paired leftovers.
  @usableFromInline
  package func editScript() -> EditScript {
    var script = EditScript()
    script.deletes = deletes()
    script.inserts = inserts()
    script.moves = moves()
    script.updates = updates
    if !leftoverUpdates.isEmpty {
      script.updates.append(contentsOf: leftoverUpdates)
      script.updates.sort { $0.to < $1.to }
    }
    return script
  }

  /// Returns the unpaired old leftovers, descending.
  private func deletes() -> [ElementPosition] {
    var deletes: [ElementPosition] = []
    deletes.reserveCapacity(oldLeftoverCount - leftoverPairCount)
    // Most lists keep the order of their sections, and a list without sections needs no sorted list
    // of runs.
    if zip(runs, runs.dropFirst()).allSatisfy({ $0.oldStart < $1.oldStart }) {
      for index in runs.indices.reversed() { addDeletes(inRun: index, to: &deletes) }
    } else {
      let order = runs.indices.sorted { runs[$0].oldStart > runs[$1].oldStart }
      for index in order { addDeletes(inRun: index, to: &deletes) }
    }
    return deletes
  }

  private func addDeletes(inRun index: Int, to deletes: inout [ElementPosition]) {
    let section = runs[index].oldStart.section
    for ordinal in oldLeftovers(ofRun: index).reversed()
    where isPaired.isEmpty || !isPaired[ordinal] {
      deletes.append(ElementPosition(section: section, row: oldLeftoverRows[ordinal]))
    }
  }

  /// Returns the unpaired new leftovers, ascending.
  private func inserts() -> [ElementPosition] {
    var inserts: [ElementPosition] = []
    inserts.reserveCapacity(newLeftoverCount - leftoverPairCount)
    for index in runs.indices {
      let section = runs[index].newStart.section
      for ordinal in newLeftovers(ofRun: index) where origins.isEmpty || origins[ordinal] < 0 {
        inserts.append(ElementPosition(section: section, row: newLeftoverRows[ordinal]))
      }
    }
    return inserts
  }
}

/// The moves that follow from the pairs.
extension Pairing {
  /// Returns the paired elements that change their order among the kept ones, ascending.
  func moves() -> [EditScript.Transition] {
    var moves: [EditScript.Transition] = []
    if leftoverPairCount == 0 { return moves }
    moves.reserveCapacity(leftoverPairCount)
    var first = 0
    while first < runs.count {
      let section = runs[first].newStart.section
      let end = runs[first...].firstIndex { $0.newStart.section != section } ?? runs.count
      addMoves(inRuns: first..<end, to: &moves)
      first = end
    }
    return moves
  }

  /// Adds the moves into one section.
  private func addMoves(inRuns group: Range<Int>, to moves: inout [EditScript.Transition]) {
    let oldSection = runs[group.lowerBound].oldStart.section
    let newSection = runs[group.lowerBound].newStart.section
    let start = moves.count
    var stayingCount = 0
    let ordinals =
      newLeftovers(ofRun: group.lowerBound)
      .lowerBound..<newLeftovers(ofRun: group.upperBound - 1).upperBound
    for ordinal in ordinals where origins[ordinal] >= 0 {
      let origin = position(ofOldLeftover: Int(origins[ordinal]))
      if origin.section == oldSection {
        stayingCount += 1
      } else {
        let target = ElementPosition(section: newSection, row: newLeftoverRows[ordinal])
        moves.append(.init(from: origin, to: target))
      }
    }
    if stayingCount == 0 { return }

    let isMixed = moves.count > start
    let kept = stretches(inRuns: group, leftoverCount: stayingCount)
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

  /// Returns the stretches of a section and its paired leftovers, in the new order.
  private func stretches(inRuns group: Range<Int>, leftoverCount: Int) -> [Stretch] {
    var result: [Stretch] = []
    let walked =
      runs[group.upperBound - 1].stretches.upperBound
      - runs[group.lowerBound].stretches.lowerBound
    result.reserveCapacity(walked + group.count + leftoverCount)
    for index in group {
      if index > group.lowerBound {
        // The caller of the engine knew that the elements between two runs are the same.
        let (previous, run) = (runs[index - 1], runs[index])
        let count = run.newStart.row - previous.newEnd
        if count > 0 {
          Self.append(
            Stretch(old: previous.oldEnd, new: previous.newEnd, count: count), to: &result)
        }
      }
      let ordinals = newLeftovers(ofRun: index)
      var ordinal = ordinals.lowerBound
      for stretch in stretches[runs[index].stretches] {
        while ordinal < ordinals.upperBound, newLeftoverRows[ordinal] < stretch.new {
          append(leftover: ordinal, inGroup: group, to: &result)
          ordinal += 1
        }
        Self.append(stretch, to: &result)
      }
      for ordinal in ordinal..<ordinals.upperBound {
        append(leftover: ordinal, inGroup: group, to: &result)
      }
    }
    return result
  }

  /// Appends a new leftover as a stretch of its own if it comes from the same section.
  private func append(
    leftover ordinal: Int, inGroup group: Range<Int>, to stretches: inout [Stretch]
  ) {
    guard origins[ordinal] >= 0 else { return }
    let origin = position(ofOldLeftover: Int(origins[ordinal]))
    guard origin.section == runs[group.lowerBound].oldStart.section else { return }
    Self.append(
      Stretch(old: origin.row, new: newLeftoverRows[ordinal], count: 1), to: &stretches)
  }

  /// Appends a stretch, or extends the last one if the new one continues it. So a moved block is
  /// one stretch, although its rows were found one by one.
  private static func append(_ stretch: Stretch, to stretches: inout [Stretch]) {
    if let last = stretches.last, last.oldEnd == stretch.old, last.newEnd == stretch.new {
      stretches[stretches.count - 1].count += stretch.count
    } else {
      stretches.append(stretch)
    }
  }
}
