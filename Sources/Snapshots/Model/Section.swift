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
  public init(id: Text, fields: [Text: JSONValue] = [:], rows: some Sequence<Row>) {
    self.init(id: id, fields: fields, rows: Rows(rows))
  }

  /// Makes a section of the rows of another one, which it shares.
  ///
  /// - Precondition: `fields` has neither `id` nor `rows`.
  /// - Complexity: O(*n* log *m*), where *n* is the size of the fields and *m* their number.
  public init(id: Text, fields: [Text: JSONValue] = [:], rows: Rows) {
    // As for a row.
    precondition(
      fields["id"] == nil && fields["rows"] == nil,
      "`id` and `rows` are members of every section and cannot be fields")
    storage = Storage(frame: SectionFrame(id: id, fields: fields), rows: rows)
  }

  private init(storage: Storage) {
    self.storage = storage
  }

  /// The same section with other rows.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the fields, for a hash; they are not encoded
  ///   again.
  func with(_ rows: PersistentSequence<Row>) -> Section {
    Section(storage: Storage(frame: storage.frame, rows: Rows(tree: rows)))
  }

  /// What the section is, unique in its snapshot.
  public var id: Text { storage.frame.identifier.text }
  /// The members of the section's object other than `id` and `rows`.
  public var fields: [Text: JSONValue] { storage.frame.fields }
  /// The rows in order.
  public var rows: Rows { storage.rows }

  var identifier: Identifier { storage.frame.identifier }

  /// The canonical JSON up to and including the bracket that opens the rows.
  var encodedHead: [UInt8] { storage.frame.encodedHead }
  /// The canonical JSON from the bracket that closes the rows.
  var encodedTail: [UInt8] { storage.frame.encodedTail }

  /// The section's hash as the definition of ``Digest`` has it, not reduced yet.
  var contentHash: UInt64 { storage.contentHash }

  /// Whether both are references to one section, which says at once that they are equal.
  func isIdentical(to other: Section) -> Bool { storage === other.storage }

  /// Whether the sections have the same id and fields, whatever their rows.
  ///
  /// - Complexity: O(1) where one was made from the other, else O(*n*), where *n* is the size of
  ///   the fields.
  func hasSameFrame(as other: Section) -> Bool {
    storage.frame === other.storage.frame
      || (encodedHead == other.encodedHead && encodedTail == other.encodedTail)
  }

  private final class Storage: Sendable {
    let frame: SectionFrame
    let rows: Rows
    let contentHash: UInt64

    init(frame: SectionFrame, rows: Rows) {
      self.frame = frame
      self.rows = rows
      contentHash = frame.contentHash(around: rows.fold)
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
      || (left.contentHash == right.contentHash && left.hasSameFrame(as: right)
        && left.rows == right.rows)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(contentHash)
  }
}
