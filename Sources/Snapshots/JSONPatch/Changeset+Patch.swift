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

extension Snapshot {
  /// The JSON Patch (RFC 6902) that leads from any document to the wire document of this snapshot:
  /// one operation, which replaces the whole of it.
  ///
  /// It is the answer to a client that has nothing yet or whose revision cannot be diffed. So there
  /// is no test: what the client has does not matter.
  ///
  /// - Parameters:
  ///   - screen: The screen and key, such as `profile/1`.
  ///   - revision: The revision of this snapshot.
  /// - Complexity: O(*n*), where *n* is the number of bytes; the rows' own bytes are copied.
  public func encodedPatch(screen: Text, revision: Text) -> [UInt8] {
    let document = encoded(kind: .snapshot, screen: screen, revision: revision)
    var patch = PatchWriter(capacity: document.count + 64)
    patch.replace(.document) { $0.raw(document) }
    return patch.finish()
  }
}

/// The new indexes of the sections that a changeset keeps, by their old ones.
struct SectionNumbering {
  private let staying: StayingElements
  private let moved: [Int: Int]

  /// - Complexity: O(*k* log *k*) expected, where *k* is the number of operations.
  init(_ sections: Changeset.Group<Int, Section>) {
    staying = StayingElements(
      departures: sections.deletes.map(\.at) + sections.moves.map(\.from),
      arrivals: sections.inserts.map(\.at) + sections.moves.map(\.to))
    moved = Dictionary(sections.moves.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
  }

  /// The new index of the section that has an old one.
  ///
  /// - Precondition: the section is not deleted.
  /// - Complexity: O(log *k*) expected, where *k* is the number of operations on sections.
  func newIndex(ofOld index: Int) -> Int {
    moved[index] ?? staying.newPosition(ofRank: staying.rank(atOld: index))
  }
}
