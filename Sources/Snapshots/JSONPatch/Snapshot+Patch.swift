public import CanonicalJSON

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
