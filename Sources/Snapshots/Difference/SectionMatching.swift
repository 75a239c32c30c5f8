/// The sections that two snapshots have in common, matched by id.
struct SectionMatching {
  /// The new index of each old section, or `nil` if it is deleted.
  private(set) var newIndexes: [Int?]
  /// The old index of each new section, or `nil` if it is inserted.
  private(set) var oldIndexes: [Int?]

  /// Creates a matching from the old index of each new section.
  init(oldIndexes: [Int?], oldCount: Int) {
    self.oldIndexes = oldIndexes
    newIndexes = Array(repeating: nil, count: oldCount)
    for (newIndex, oldIndex) in oldIndexes.enumerated() {
      if let oldIndex { newIndexes[oldIndex] = newIndex }
    }
  }

  /// Matches the sections of two snapshots by id.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of sections.
  init(from old: Snapshot, to new: Snapshot) {
    self.init(
      oldIndexes: new.sections.map { old.index.section($0.identifier) },
      oldCount: old.sections.count)
  }
}

extension SectionMatching {
  /// Returns the operations on sections and on their fields.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of sections, and the size of the fields
  ///   that are compared.
  func changes(from old: Snapshot, to new: Snapshot) -> Changeset.Group<Int, Section> {
    var changes = Changeset.Group<Int, Section>()
    for (oldIndex, newIndex) in newIndexes.enumerated().reversed() where newIndex == nil {
      changes.deletes.append(.init(id: old.sections[oldIndex].id, at: oldIndex))
    }
    let kept = oldIndexes.enumerated().compactMap { newIndex, oldIndex in
      oldIndex.map { Stretch(old: Int32($0), new: Int32(newIndex), count: 1) }
    }
    let staying = longestIncreasingSubsequence(of: kept)
    var keptCount = 0
    for (newIndex, oldIndex) in oldIndexes.enumerated() {
      let section = new.sections[newIndex]
      guard let oldIndex else {
        changes.inserts.append(.init(at: newIndex, element: section))
        continue
      }
      if !staying[keptCount] {
        changes.moves.append(.init(id: section.id, from: oldIndex, to: newIndex))
      }
      keptCount += 1
      let oldSection = old.sections[oldIndex]
      let pair = SectionPair(
        oldIndex: oldIndex, newIndex: newIndex, old: oldSection, new: section)
      if let reload = pair.reload { changes.reloads.append(reload) }
      if let update = pair.update { changes.updates.append(update) }
    }
    return changes
  }
}

/// A section that two snapshots have with different rows or fields.
struct SectionPair {
  let oldIndex: Int
  let newIndex: Int
  let old: Section
  let new: Section
}

extension SectionPair {
  /// Returns the pairs of two snapshots of which one was made from the other, if they have the same sections in the
  /// same order; `nil` otherwise.
  ///
  /// - Complexity: O(*m*), where *m* is the number of nodes that only one of the snapshots has and of the sections in
  ///   these nodes. Shared sections cost nothing.
  static func inPlace(from old: Snapshot, to new: Snapshot) -> [SectionPair]? {
    var pairs: [SectionPair] = []
    let isInPlace = old.sections.tree.forEachReplacement(in: new.sections.tree) {
      index, old, new in
      pairs.append(SectionPair(oldIndex: index, newIndex: index, old: copy old, new: copy new))
      return old.hasSameIdentifier(as: new)
    }
    return isInPlace ? pairs : nil
  }

  /// Returns the pairs of a matching, in the order of the new sections.
  ///
  /// - Complexity: O(*n*), where *n* is the number of sections.
  static func matched(
    by matching: SectionMatching, from old: Snapshot, to new: Snapshot
  ) -> [SectionPair] {
    let oldSections = Array(old.sections)
    return zip(new.sections, matching.oldIndexes).enumerated().compactMap { newIndex, match in
      let (section, oldIndex) = match
      guard let oldIndex, !section.isIdentical(to: oldSections[oldIndex]) else { return nil }
      return SectionPair(
        oldIndex: oldIndex, newIndex: newIndex, old: oldSections[oldIndex], new: section)
    }
  }

  /// Whether clients draw the section again.
  var isReloaded: Bool { old.generation != new.generation }

  /// The demand to draw the section again, or `nil` if it has the same generation.
  var reload: Changeset.Reload<Int>? {
    isReloaded ? .init(id: new.id, from: oldIndex, to: newIndex) : nil
  }

  /// The change of the section's own fields, or `nil` if they are unchanged.
  var update: Changeset.Update<Int>? {
    if old.hasSameFrame(as: new) { return nil }
    let fields = FieldChanges(from: old.fields, to: new.fields)
    return fields.isEmpty
      ? nil
      : .init(id: new.id, from: oldIndex, to: newIndex, set: fields.set, unset: fields.unset)
  }
}
