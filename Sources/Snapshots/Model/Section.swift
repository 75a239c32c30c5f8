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

extension Section {
  /// The rows of a section, in order.
  ///
  /// Sections of several snapshots share what is the same in them; see ``PersistentSequence``. So a
  /// row at a position is found in O(log *n*), where *n* is the number of rows; walking through all
  /// of them is O(*n*).
  public struct Rows: Sendable, Hashable {
    let tree: PersistentSequence<Row>

    init(_ rows: some Sequence<Row>) {
      self.init(tree: PersistentSequence(Array(rows)))
    }

    init(tree: PersistentSequence<Row>) {
      self.tree = tree
    }

    var measure: TreeMeasure { tree.measure }
    /// The rows' part of the digest.
    var fold: DigestFold { tree.measure.fold }
  }
}

extension Section.Rows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// The row at a position.
  ///
  /// - Precondition: the position is in the collection's bounds.
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  public subscript(position: Int) -> Row { tree[position] }

  public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }

  /// Walks the rows in order; a row costs O(1) on average.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Row>.Iterator

    public mutating func next() -> Row? { base.next() }
  }
}

/// What a section has beside its rows, encoded once: sections that differ in rows share it.
final class SectionFrame: Sendable {
  let identifier: Identifier
  let fields: [Text: JSONValue]
  /// The canonical JSON up to and including the bracket that opens the rows.
  let encodedHead: [UInt8]
  /// The canonical JSON from the bracket that closes the rows.
  let encodedTail: [UInt8]

  init(id: Text, fields: [Text: JSONValue]) {
    identifier = Identifier(id)
    self.fields = fields
    var members = fields
    members["id"] = .string(id)
    (encodedHead, encodedTail) = Self.encodeAround(members)
  }

  /// The hash of a section as the definition of ``Digest`` has it, not reduced yet.
  func contentHash(around rows: DigestFold) -> UInt64 {
    // The rows' brackets give way to the text of their fold.
    var hash = FNV1a()
    hash.combine(encodedHead.dropLast())
    hash.combine("\"\(rows)\"".utf8)
    hash.combine(encodedTail.dropFirst())
    return hash.value
  }

  /// Encodes the members before and behind the place of "rows" in the order of names.
  private static func encodeAround(
    _ members: [Text: JSONValue]
  ) -> (head: [UInt8], tail: [UInt8]) {
    var head = JSONWriter()
    var tail = JSONWriter()
    head.raw(UInt8(ascii: "{"))
    tail.raw(UInt8(ascii: "]"))
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if name < "rows" {
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
