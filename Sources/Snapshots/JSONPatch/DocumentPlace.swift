import CanonicalJSON

/// A place in the wire document of a snapshot.
struct DocumentPlace {
  private var value: Value
  /// The name of a member of the object there, if that is the place.
  private var member: Text?

  private enum Value {
    case document
    case states
    case section(Int)
    case row(RowPath)
  }

  private init(_ value: Value, member: Text? = nil) {
    self.value = value
    self.member = member
  }

  /// The whole document.
  static let document = DocumentPlace(.document)
  static let revision = DocumentPlace(.document, member: "revision")
  static let rowCount = DocumentPlace(.document, member: "rowCount")
  static let digest = DocumentPlace(.document, member: "digest")

  /// The state of a source.
  static func state(_ name: Text) -> DocumentPlace { DocumentPlace(.states, member: name) }

  static func section(_ index: Int) -> DocumentPlace { DocumentPlace(.section(index)) }

  static func row(_ path: RowPath) -> DocumentPlace { DocumentPlace(.row(path)) }

  /// A member of the section or row here.
  func member(_ name: Text) -> DocumentPlace { DocumentPlace(value, member: name) }

  /// Writes the JSON Pointer to the place (RFC 6901) as a JSON string.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  func encode(into writer: inout JSONWriter) {
    writer.raw(UInt8(ascii: "\""))
    switch value {
    case .document:
      break
    case .states:
      writer.raw("/states")
    case .section(let index):
      writer.raw("/sections/")
      writer.integer(index)
    case .row(let path):
      writer.raw("/sections/")
      writer.integer(path.section)
      writer.raw("/rows/")
      writer.integer(path.row)
    }
    if let member {
      // Escaped twice: as a token of a pointer, then as text in JSON (RFC 6901 §5).
      writer.stringContent(Text(JSONPointer(tokens: [member]).description))
    }
    writer.raw(UInt8(ascii: "\""))
  }
}
