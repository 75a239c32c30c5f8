public import CanonicalJSON

extension Changeset {
  /// The JSON Patch (RFC 6902) that does to the wire document of the older snapshot what this
  /// changeset does to the snapshot: `application/json-patch+json`, in canonical JSON.
  ///
  /// It begins with a test of `revision`, so that it changes nothing in a document of another
  /// revision (RFC 6902 §5), and ends with the new one. A moved section or row is one "move", also
  /// from section to section. Between them there is a step for each deletion and insertion, and one
  /// for each member that is set or unset. The documents themselves are not compared.
  ///
  /// - Parameters:
  ///   - older: The snapshot that the changeset is to be applied to. Only its digest and number of
  ///     rows are read.
  ///   - from: The revision of its document.
  ///   - revision: The revision that the patch leads to.
  /// - Precondition: `older.applying(self)` does not throw.
  /// - Complexity: O(*k* log *k* + *n* log *m*) expected, where *k* is the number of operations, *n*
  ///   that of bytes and *m* the largest number of fields of an update.
  public func encodedPatch(of older: Snapshot, from: Text, revision: Text) -> [UInt8] {
    var patch = PatchWriter(capacity: 256 + 128 * operationCount)
    patch.test(.revision, equals: from)
    // First what goes, as among the members that are updated.
    let sortedStates = states.sorted { $0.key < $1.key }
    for (name, state) in sortedStates where state == nil { patch.remove(.state(name)) }
    for case (let name, let state?) in sortedStates {
      patch.add(at: .state(name)) { $0.string(state) }
    }
    patch.perform(sections.sequentialSteps()) { writer, section in section.encode(into: &writer) }
    patch.perform(updates: sections.updates)
    // The sections are in their new places now, so rows are told by the new indexes of theirs.
    let numbering = SectionNumbering(sections)
    patch.perform(rows.sequentialSteps(numberingLists: numbering.newIndex)) { writer, row in
      writer.raw(row.encoded)
    }
    patch.perform(updates: rows.updates)
    if rowCount != older.rowCount { patch.replace(.rowCount) { $0.integer(rowCount) } }
    if digest != older.digest { patch.replace(.digest) { $0.string(digest.description) } }
    patch.replace(.revision) { $0.string(revision) }
    return patch.finish()
  }
}
