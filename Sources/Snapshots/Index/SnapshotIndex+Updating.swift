extension SnapshotIndex {
  /// The index of other sections, made from this one by what differs.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both lists
  ///   has and of the elements in them.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  func updated(to sections: PersistentSequence<Section>) throws(SnapshotError) -> SnapshotIndex {
    var update = IndexUpdate(of: self)
    if let index = try update.index(of: sections) { return index }
    // Two revisions of one section's rows, each with rows of its own, came together as two
    // sections. Their nodes would be confused, so all get new identities.
    var rebuild = IndexUpdate(of: .empty)
    let apart = PersistentSequence(
      sections.map { $0.with(PersistentSequence(Array($0.rows))) })
    guard let index = try rebuild.index(of: apart) else {
      preconditionFailure("trees that were made apart have no node in common")
    }
    return index
  }
}
