public import CanonicalJSON
import Synchronization

/// A section of a view model: an id, fields and an ordered list of rows.
///
///     let section = Section(
///       id: "posts", fields: ["title": "Posts"],
///       rows: [Row(id: "post/1", type: "post"), Row(id: "post/2", type: "post")])
public struct Section: Sendable {
  private let storage: Storage

  /// Creates a section.
  ///
  /// - Parameters:
  ///   - id: The id of the section, unique in its snapshot and the same in every revision.
  ///   - fields: The members of the section's JSON object besides `id` and `rows`, such as a title.
  ///   - generation: A number that reloads the section when it changes; see ``generation``.
  ///   - rows: The rows in order. The snapshot checks that no two rows have the same id.
  ///
  /// A section cannot be written if a field is named `id` or `rows`, or has a value that a row cannot
  /// have. Each snapshot refuses such a section: see ``SnapshotError/unwritableSectionIDs``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  public init(
    id: Text, fields: [Text: JSONValue] = [:], generation: Int = 0, rows: some Sequence<Row>
  ) {
    self.init(id: id, fields: fields, generation: generation, rows: Rows(rows))
  }

  /// Creates a section that shares the rows of another one.
  ///
  /// - Complexity: O(*n* log *m*), where *n* is the size of the fields in bytes and *m* their
  ///   number.
  public init(id: Text, fields: [Text: JSONValue] = [:], generation: Int = 0, rows: Rows) {
    let frame = SectionFrame(id: id, fields: fields, generation: generation)
    storage = Storage(frame: frame, rows: rows)
  }

  private init(storage: Storage) {
    self.storage = storage
  }

  /// Returns the same section with other rows.
  ///
  /// - Parameters:
  ///   - script: How they were made; see ``script(from:)``.
  ///   - origin: The section of whose rows they were made.
  /// - Complexity: O(*n*), where *n* is the size of the fields: they are hashed again but not
  ///   encoded again.
  func with(
    _ rows: PersistentSequence<Row>, by script: consuming EditScript? = nil,
    from origin: Section? = nil
  ) -> Section {
    Section(
      storage: Storage(
        frame: storage.frame, rows: Rows(tree: rows), script: script,
        origin: origin?.storage.number ?? 0))
  }

  /// Returns the script that leads from the rows of another section to those of this one, if this one was made of
  /// the other by it; `nil` otherwise.
  ///
  /// It is the script that a difference of both finds: a script depends on nothing but the two lists, because no id
  /// occurs twice in them. So whether it is known changes no difference. Positions are in section 0.
  func script(from other: Section) -> EditScript? {
    storage.origin == other.storage.number ? storage.script : nil
  }

  /// Returns the rows that changed, if this section was made from another one and each row is where it was; `nil` if
  /// that is not known. Positions are in section 0.
  func updates(since other: Section) -> [EditScript.Transition]? {
    guard let script = script(from: other), script.deletes.isEmpty, script.inserts.isEmpty,
      script.moves.isEmpty
    else { return nil }
    return script.updates
  }

  /// The memory of the script, in bytes.
  var scriptByteCount: Int { storage.script?.byteCount ?? 0 }

  /// The id, unique in the snapshot.
  public var id: Text { storage.frame.identifier.text }
  /// The members of the section's JSON object other than `id` and `rows`.
  public var fields: [Text: JSONValue] { storage.frame.fields }
  /// A number that reloads the section when it changes; 0 unless given.
  ///
  /// Clients do not get the number, as for ``Row/generation``. If it differs between two snapshots, clients draw the
  /// section again, with the rows that it has in both.
  public var generation: Int { storage.frame.generation }
  /// The rows in order.
  public var rows: Rows { storage.rows }

  var identifier: Identifier { storage.frame.identifier }

  /// Whether the section has its canonical JSON.
  var isWritable: Bool { !encodedHead.isEmpty }

  /// The canonical JSON up to and including the bracket that opens the rows.
  var encodedHead: [UInt8] { storage.frame.encodedHead }
  /// The canonical JSON from the bracket that closes the rows.
  var encodedTail: [UInt8] { storage.frame.encodedTail }

  /// The hash of the section by the definition of ``Digest``, before it is reduced by the modulus.
  var contentHash: UInt64 { storage.contentHash }

  /// Returns whether both are references to the same section, which implies that they are equal.
  @usableFromInline package func isIdentical(to other: Section) -> Bool {
    storage === other.storage
  }

  /// Returns whether the sections have the same id, fields and generation. Their rows may differ.
  ///
  /// - Complexity: O(1) if one section was made from the other, else O(*n*), where *n* is the size
  ///   of the fields.
  func hasSameFrame(as other: Section) -> Bool {
    sharesFrame(with: other)
      || (generation == other.generation && encodedHead == other.encodedHead
        && encodedTail == other.encodedTail)
  }

  /// Returns whether one section was made from the other by changing its rows.
  func sharesFrame(with other: Section) -> Bool { storage.frame === other.storage.frame }

  private final class Storage: Sendable {
    let frame: SectionFrame
    let rows: Rows
    let contentHash: UInt64
    /// Names this object, as no other object of the process is ever named.
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    /// How the rows were made of those of another section; `nil` if that is not known.
    let script: EditScript?
    /// The number of the other section; none has 0.
    let origin: UInt64

    private static let lastNumber = Atomic<UInt64>(0)

    init(frame: SectionFrame, rows: Rows, script: EditScript? = nil, origin: UInt64 = 0) {
      self.frame = frame
      self.rows = rows
      self.script = script
      self.origin = origin
      contentHash = frame.contentHash(around: rows.measure.fold)
    }
  }
}

extension Section: Hashable {
  /// Returns whether the sections have the same id, fields, generation and rows.
  ///
  /// - Complexity: O(1) for two references to the same section, else O(*n*), where *n* is the
  ///   number of rows; two references to the same row are compared in O(1).
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
  /// The rows of a section in order.
  ///
  /// Sections of several snapshots share their common parts. A row is
  /// found by its position in O(log *n*), where *n* is the number of rows. Iterating over all rows
  /// takes O(*n*).
  public struct Rows: Sendable, Hashable {
    let tree: PersistentSequence<Row>

    var measure: TreeMeasure { tree.measure }
  }
}

extension Section.Rows: RandomAccessCollection {
  package init(_ rows: some Sequence<Row>) {
    self.init(tree: PersistentSequence(Array(rows)))
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// Returns the row at a position.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  public subscript(position: Int) -> Row { tree[position] }

  public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }

  /// An iterator over the rows in order, with O(1) amortised per row.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Row>.Iterator

    public mutating func next() -> Row? { base.next() }
  }
}

/// The id, fields and generation of a section, encoded once. Sections that differ only in their rows share it. Fields
/// that cannot be written have no bytes.
final class SectionFrame: Sendable {
  let identifier: Identifier
  let fields: [Text: JSONValue]
  let generation: Int
  /// The canonical JSON up to and including the bracket that opens the rows.
  let encodedHead: [UInt8]
  /// The canonical JSON from the bracket that closes the rows.
  let encodedTail: [UInt8]
  /// The hash of what comes before the rows; see ``contentHash(around:)``.
  private let headHash: FNV1a

  init(id: Text, fields: [Text: JSONValue], generation: Int) {
    identifier = Identifier(id)
    self.fields = fields
    self.generation = generation
    guard fields.areWritable(beside: ["id", "rows"]) else {
      (encodedHead, encodedTail) = ([], [])
      headHash = FNV1a()
      return
    }
    var members = fields
    members["id"] = .string(id)
    (encodedHead, encodedTail) = Self.encodeAround(members)
    // In the hash, the text of the rows' fold replaces their brackets.
    var hash = FNV1a()
    hash.combine(encodedHead.dropLast())
    hash.combine(CollectionOfOne(UInt8(ascii: "\"")))
    headHash = hash
  }

  /// Returns the hash of the section by the definition of ``Digest``, before it is reduced by the
  /// modulus.
  func contentHash(around rows: DigestFold) -> UInt64 {
    var hash = headHash
    hash.combine(rows)
    hash.combine(CollectionOfOne(UInt8(ascii: "\"")))
    hash.combine(encodedTail.dropFirst())
    return hash.value
  }

  /// Encodes the members whose names sort before "rows" and those whose names sort after it.
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
