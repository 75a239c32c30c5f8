public import CanonicalJSON

extension Snapshot {
  /// The kind of a document that has a whole snapshot.
  public enum DocumentKind: Hashable, Sendable {
    /// The reply to a client that has no revision yet, or for which a diff would not be smaller.
    case snapshot
    /// The reply to a client whose revision cannot be diffed, with the reason as a stable
    /// identifier.
    case reset(reason: Text)
  }

  /// Returns the wire document of this snapshot: canonical JSON with the members `digest`, `kind`,
  /// `reason` (of a reset), `revision`, `rowCount`, `screen`, `sections`, `states` and `window` (of a snapshot that is
  /// seen through one).
  ///
  ///     let document = snapshot.encoded(kind: .snapshot, screen: "profile/1", revision: "hG996zGP.5")
  ///
  /// - Parameters:
  ///   - kind: The kind of the document.
  ///   - screen: The screen and key, such as `profile/1`.
  ///   - revision: The revision of this snapshot.
  /// - Complexity: O(*n*), where *n* is the number of bytes; the encoded rows are copied.
  public func encoded(kind: DocumentKind, screen: Text, revision: Text) -> [UInt8] {
    JSONWriter.bytes(capacity: contentByteCount) { writer in
      writer.raw("{\"digest\":")
      writer.string(digest.description)
      switch kind {
      case .snapshot:
        writer.raw(",\"kind\":\"snapshot\"")
      case .reset(let reason):
        writer.raw(",\"kind\":\"reset\",\"reason\":")
        writer.string(reason)
      }
      writer.raw(",\"revision\":")
      writer.string(revision)
      writer.raw(",\"rowCount\":")
      writer.integer(rowCount)
      writer.raw(",\"screen\":")
      writer.string(screen)
      writer.raw(",\"sections\":[")
      var isFirst = true
      for section in sections {
        writer.separate(&isFirst)
        section.encode(into: &writer)
      }
      writer.raw("],\"states\":")
      writer.raw(sourceStates.encoded)
      if let window {
        writer.raw(",\"window\":")
        writer.window(window)
      }
      writer.raw(UInt8(ascii: "}"))
    }
  }

  /// The approximate size of the content in bytes. It is an upper estimate of the size of the wire document, so that a
  /// buffer of this size rarely grows.
  ///
  /// - Complexity: O(1).
  package var contentByteCount: Int { frameByteCount + sections.tree.measure.byteCount }

  /// An upper estimate of the size of the wire document without its sections, in bytes.
  var frameByteCount: Int { 512 + sourceStates.encoded.count }
}

extension Section {
  /// The size of the canonical JSON without the rows, with a comma behind it, in bytes.
  var frameByteCount: Int { encodedHead.count + encodedTail.count + 1 }

  /// Writes the canonical JSON of the section with its rows.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; the encoded rows are copied.
  func encode(into writer: inout JSONWriter) {
    writer.raw(encodedHead)
    var isFirst = true
    for row in rows {
      writer.separate(&isFirst)
      writer.raw(row.encoded)
    }
    writer.raw(encodedTail)
  }
}

extension JSONWriter {
  /// Writes a window as a member of a document.
  mutating func window(_ window: SeenWindow) {
    raw("{\"count\":")
    integer(window.rows.count)
    raw(",\"start\":")
    integer(window.rows.start)
    raw(",\"total\":")
    integer(window.total)
    raw(UInt8(ascii: "}"))
  }
}

extension RowWindow {
  /// Reads the members `start` and `count` of a window on the wire.
  ///
  /// - Throws: `JSONShapeError` if a number is missing or out of range.
  package init(_ window: JSONReader) throws(JSONShapeError) {
    let start = try window.member("start").integer()
    let count = try window.member("count").integer()
    guard let read = RowWindow(start: start, count: count) else {
      throw window.error(
        "expected a start of 0 to \(Self.greatestStart) and a count of 1 to \(Self.greatestCount)")
    }
    self = read
  }
}
