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
    let count = oldLeftoverCount - leftoverPairCount
    if count == 0 { return [] }
    return [ElementPosition](unsafeUninitializedCapacity: count) { deletes, initializedCount in
      // From the end, because the runs and their leftovers ascend.
      var start = count
      // Most lists keep the order of their sections, and need no sorted list of runs.
      if zip(runs, runs.dropFirst()).allSatisfy({ $0.oldStart < $1.oldStart }) {
        for index in runs.indices { addDeletes(inRun: index, to: deletes, before: &start) }
      } else {
        let order = runs.indices.sorted { runs[$0].oldStart < runs[$1].oldStart }
        for index in order { addDeletes(inRun: index, to: deletes, before: &start) }
      }
      precondition(start == 0, "each pair has an old leftover")
      initializedCount = count
    }
  }

  private func addDeletes(
    inRun index: Int, to deletes: UnsafeMutableBufferPointer<ElementPosition>,
    before start: inout Int
  ) {
    let run = runs[index]
    let section = run.oldStart.section
    if leftoverPairCount == 0 {
      // Whole gaps are written without a look at each row.
      for gap in gaps(ofRun: index) {
        for row in gap.old {
          start -= 1
          deletes.initializeElement(at: start, to: .init(section: section, row: row))
        }
      }
      return
    }
    for ordinal in oldLeftovers(ofRun: index) where !isPaired[ordinal] {
      start -= 1
      let row = row(ofOldLeftover: ordinal, in: run)
      deletes.initializeElement(at: start, to: .init(section: section, row: row))
    }
  }

  /// Returns the unpaired new leftovers, ascending.
  private func inserts() -> [ElementPosition] {
    let count = newLeftoverCount - leftoverPairCount
    if count == 0 { return [] }
    return [ElementPosition](unsafeUninitializedCapacity: count) { inserts, initializedCount in
      var end = 0
      for (index, run) in runs.enumerated() {
        let section = run.newStart.section
        if leftoverPairCount == 0 {
          for gap in gaps(ofRun: index) {
            for row in gap.new {
              inserts.initializeElement(at: end, to: .init(section: section, row: row))
              end += 1
            }
          }
          continue
        }
        for ordinal in newLeftovers(ofRun: index) where origins[ordinal] < 0 {
          let row = row(ofNewLeftover: ordinal, in: run)
          inserts.initializeElement(at: end, to: .init(section: section, row: row))
          end += 1
        }
      }
      initializedCount = end
    }
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
    for run in group {
      for ordinal in newLeftovers(ofRun: run) where origins[ordinal] >= 0 {
        let origin = position(ofOldLeftover: Int(origins[ordinal]))
        if origin.section == oldSection {
          stayingCount += 1
        } else {
          let target = ElementPosition(
            section: newSection, row: row(ofNewLeftover: ordinal, in: runs[run]))
          moves.append(.init(from: origin, to: target))
        }
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
          append(leftover: ordinal, ofRun: index, inGroup: group, to: &result)
          ordinal += 1
        }
        Self.append(stretch, to: &result)
      }
      for ordinal in ordinal..<ordinals.upperBound {
        append(leftover: ordinal, ofRun: index, inGroup: group, to: &result)
      }
    }
    return result
  }

  /// Appends a new leftover as a stretch of its own if it comes from the same section.
  private func append(
    leftover ordinal: Int, ofRun run: Int, inGroup group: Range<Int>, to stretches: inout [Stretch]
  ) {
    guard origins[ordinal] >= 0 else { return }
    let origin = position(ofOldLeftover: Int(origins[ordinal]))
    guard origin.section == runs[group.lowerBound].oldStart.section else { return }
    Self.append(
      Stretch(old: origin.row, new: row(ofNewLeftover: ordinal, in: runs[run]), count: 1),
      to: &stretches)
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
