package import CanonicalJSON

extension Changeset {
  /// Returns the changeset as a JSON Patch (RFC 6902) of the wire document of the older snapshot:
  /// `application/json-patch+json`, in canonical JSON.
  ///
  ///     let patch = new.difference(from: old).encodedPatch(of: old, from: "hG996zGP.4", revision: "hG996zGP.5")
  ///
  /// The patch starts with a test of `revision`, so that it changes nothing in a document of
  /// another revision (RFC 6902 §5), and ends with the new revision. A moved section or row is one
  /// "move", even from one section to another. Between them there is an operation for each deletion
  /// and insertion, and one for each member that is set or removed. The documents themselves are
  /// not compared.
  ///
  /// - Parameters:
  ///   - older: The snapshot that the changeset applies to. Only its digest, number of rows and window
  ///     are read.
  ///   - from: The revision of its document.
  ///   - revision: The revision that the patch leads to.
  /// - Precondition: `older.applying(self)` does not throw.
  /// - Complexity: O(*k* log *k* + *n* log *m*) expected, where *k* is the number of operations,
  ///   *n* the number of bytes and *m* the largest number of fields of an update.
  package func encodedPatch(of older: Snapshot, from: Text, revision: Text) -> [UInt8] {
    var patch = PatchWriter(capacity: 256 + 128 * operationCount)
    patch.test(.revision, equals: from)
    // Removals come first, as they do for the members of an update.
    let sortedStates = states.sorted { $0.key < $1.key }
    for (name, state) in sortedStates where state == nil { patch.remove(.state(name)) }
    for case (let name, let state?) in sortedStates {
      patch.add(at: .state(name)) { $0.string(state) }
    }
    patch.perform(sections.sequentialSteps()) { writer, insertion in
      sections.inserts[insertion].section.encode(into: &writer)
    }
    patch.perform(updates: sections.updates)
    // All sections have their new indexes now, so the positions of rows use these.
    let numbering = SectionNumbering(sections)
    patch.perform(rows.sequentialSteps(numberingLists: numbering.newIndex)) { writer, insertion in
      writer.raw(rows.inserts[insertion].row.encoded)
    }
    patch.perform(updates: rows.updates)
    if rowCount != older.rowCount { patch.replace(.rowCount) { $0.integer(rowCount) } }
    if digest != older.digest { patch.replace(.digest) { $0.string(digest.description) } }
    if let window {
      if window != older.window { patch.add(at: .window) { $0.window(window) } }
    } else if older.window != nil {
      patch.remove(.window)
    }
    patch.replace(.revision) { $0.string(revision) }
    return patch.finish()
  }
}

extension Snapshot {
  /// Returns the JSON Patch (RFC 6902) that turns any document into the wire document of this
  /// snapshot: one operation that replaces the whole document.
  ///
  /// It answers a client that has no document yet, or whose revision cannot be diffed. So it has no
  /// test of the client's revision.
  ///
  ///     let patch = snapshot.encodedPatch(screen: "profile/1", revision: "hG996zGP.5")
  ///
  /// - Parameters:
  ///   - screen: The screen and key, such as `profile/1`.
  ///   - revision: The revision of this snapshot.
  /// - Complexity: O(*n*), where *n* is the number of bytes; the encoded rows are copied.
  package func encodedPatch(screen: Text, revision: Text) -> [UInt8] {
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

  /// Creates the table of the operations on sections.
  ///
  /// - Complexity: O(*k* log *k*) expected, where *k* is the number of operations.
  init(_ sections: Changeset.Group<Int, Section>) {
    staying = StayingElements(
      departures: sections.deletes.map(\.at) + sections.moves.map(\.from),
      arrivals: sections.inserts.map(\.at) + sections.moves.map(\.to))
    moved = Dictionary(sections.moves.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
  }

  /// Returns the new index of the section with an old one.
  ///
  /// - Precondition: The section is not deleted.
  /// - Complexity: O(log *k*) expected, where *k* is the number of operations on sections.
  func newIndex(ofOld index: Int) -> Int {
    moved[index] ?? staying.newPosition(ofRank: staying.rank(atOld: index))
  }
}
