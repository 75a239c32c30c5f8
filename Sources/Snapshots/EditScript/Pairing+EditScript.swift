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
    script.inserts = inserts()
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
    deletes.reserveCapacity(oldLeftoverCount - leftoverPairCount)
    // Most lists keep the order of their sections, and those without sections need no list of runs.
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

  /// The new left-overs without a partner, ascending.
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
