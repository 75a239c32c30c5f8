public import CanonicalJSON

/// One section of a view model: an id, fields of its own and an ordered list of rows.
public struct Section: Sendable {
  private let storage: Storage

  /// Makes a section.
  ///
  /// - Parameters:
  ///   - id: What the section is, unique in its snapshot and the same in every revision.
  ///   - fields: Members of the section's object beside `id` and `rows`, such as a title.
  ///   - rows: The rows in order. That no two have one id is checked by the snapshot.
  /// - Precondition: `fields` has neither `id` nor `rows`.
  /// - Complexity: O(*n*), where *n* is the number of rows.
  public init(id: String, fields: [String: JSONValue] = [:], rows: some Sequence<Row>) {
    self.init(id: id, fields: fields, rows: Rows(rows))
  }

  /// Makes a section of the rows of another one, which it shares.
  ///
  /// - Precondition: `fields` has neither `id` nor `rows`.
  public init(id: String, fields: [String: JSONValue] = [:], rows: Rows) {
    precondition(
      fields["id"] == nil && fields["rows"] == nil,
      "`id` and `rows` are members of every section and cannot be fields")
    storage = Storage(id: id, fields: fields, rows: rows)
  }

  /// What the section is, unique in its snapshot.
  public var id: String { storage.identifier.text }
  /// The members of the section's object other than `id` and `rows`.
  public var fields: [String: JSONValue] { storage.fields }
  /// The rows in order.
  public var rows: Rows { storage.rows }

  var identifier: Identifier { storage.identifier }

  /// The canonical JSON up to and including the bracket that opens the rows.
  var encodedHead: [UInt8] { storage.encodedHead }
  /// The canonical JSON from the bracket that closes the rows.
  var encodedTail: [UInt8] { storage.encodedTail }

  /// The section's hash as the definition of ``Digest`` has it, not reduced yet.
  var contentHash: UInt64 { storage.contentHash }

  /// Whether both are references to one section, which says at once that they are equal.
  func isIdentical(to other: Section) -> Bool { storage === other.storage }

  private final class Storage: Sendable {
    let identifier: Identifier
    let fields: [String: JSONValue]
    let rows: Rows
    let encodedHead: [UInt8]
    let encodedTail: [UInt8]
    let contentHash: UInt64

    init(id: String, fields: [String: JSONValue], rows: Rows) {
      identifier = Identifier(id)
      self.fields = fields
      self.rows = rows
      var members = fields
      members["id"] = .string(id)
      (encodedHead, encodedTail) = Self.encodeAround(members)
      // The rows' brackets give way to the text of their fold.
      var hash = FNV1a()
      hash.combine(encodedHead.dropLast())
      hash.combine("\"\(rows.fold)\"".utf8)
      hash.combine(encodedTail.dropFirst())
      contentHash = hash.value
    }

    /// Encodes the members before and behind the place of "rows" in the order of names.
    private static func encodeAround(
      _ members: [String: JSONValue]
    ) -> (head: [UInt8], tail: [UInt8]) {
      var head = JSONWriter()
      var tail = JSONWriter()
      head.raw(UInt8(ascii: "{"))
      tail.raw(UInt8(ascii: "]"))
      for (name, value) in members.sorted(by: { $0.key.precedesInBytes($1.key) }) {
        if name.precedesInBytes("rows") {
          head.name(name)
          head.value(value)
          head.raw(UInt8(ascii: ","))
        } else {
          tail.raw(UInt8(ascii: ","))
          tail.name(name)
          tail.value(value)
        }
      }
      head.raw("\"rows\":[")
      tail.raw(UInt8(ascii: "}"))
      return (head.bytes, tail.bytes)
    }
  }
}

extension Section: Hashable {
  /// Whether the sections have the same id, fields and rows.
  ///
  /// - Complexity: O(1) for two references to one section, else O(*n*) where *n* is the number of
  ///   rows, counting two references to one row as one step.
  public static func == (left: Section, right: Section) -> Bool {
    left.isIdentical(to: right)
      || (left.contentHash == right.contentHash && left.encodedHead == right.encodedHead
        && left.encodedTail == right.encodedTail && left.rows == right.rows)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(contentHash)
  }
}
