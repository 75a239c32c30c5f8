public import CanonicalJSON

/// One row of a view model: an id, a type and the fields of that type, never changed.
///
/// A row is encoded and hashed once in its life, when it is made. It is a reference to that work,
/// so that copies, snapshots and replies share it.
public struct Row: Sendable {
  private let storage: Storage
  /// The hash of ``id`` under the key of this process, for tables in memory only.
  ///
  /// It lies beside the reference, so that lists of rows are searched and compared by id without
  /// reading the rows themselves, which are all over the memory.
  public let idHash: Int

  /// Makes a row and encodes it.
  ///
  /// - Parameters:
  ///   - id: What the row is, unique in its snapshot and the same in every revision.
  ///   - type: How clients show it.
  ///   - fields: The other members of the row's flat object.
  /// - Precondition: `fields` has neither `id` nor `type`, and its values can be written; see
  ///   `JSONValue.canonicalBytes()`.
  /// - Complexity: O(*n* log *m*), where *n* is the number of bytes of the row, *m* that of fields.
  public init(id: Text, type: Text, fields: [Text: JSONValue] = [:]) {
    // A programmer's error: what reads a row from a document takes both out first, and an update of a
    // changeset that sets one is refused (see `FieldChanges`).
    precondition(
      fields["id"] == nil && fields["type"] == nil,
      "`id` and `type` are members of every row and cannot be fields")
    storage = Storage(id: id, type: type, fields: fields)
    idHash = Identifier(id).textHash
  }

  /// What the row is, unique in its snapshot.
  public var id: Text { storage.id }
  /// How clients show it.
  public var type: Text { storage.type }
  /// The members of the row's object other than `id` and `type`.
  public var fields: [Text: JSONValue] { storage.fields }
  /// The canonical JSON of the row: one flat object.
  public var encoded: [UInt8] { storage.encoded }
  /// The 64-bit FNV-1a hash of ``encoded``, alike in every process.
  public var contentHash: UInt64 { storage.contentHash }

  var identifier: Identifier { Identifier(id, textHash: idHash) }

  /// Whether both are references to one row, which says at once that they are equal.
  @usableFromInline package func isIdentical(to other: Row) -> Bool { storage === other.storage }

  /// Whether the rows stand for the same thing, so that one can become the other by an update.
  @usableFromInline package func isSameItem(as other: Row) -> Bool {
    idHash == other.idHash
      && (storage === other.storage
        || (id == other.id && type == other.type))
  }

  private final class Storage: Sendable {
    // The hash comes first, beside the reference count: whoever copies a leaf of the tree has that
    // line of memory at hand already.
    let contentHash: UInt64
    let id: Text
    let type: Text
    let fields: [Text: JSONValue]
    let encoded: [UInt8]

    init(id: Text, type: Text, fields: [Text: JSONValue]) {
      self.id = id
      self.type = type
      self.fields = fields
      var members = fields
      members["id"] = .string(id)
      members["type"] = .string(type)
      encoded = JSONValue.object(members).canonicalBytes()
      contentHash = FNV1a.hash(encoded)
    }
  }
}

extension Row: Hashable {
  /// Whether the rows have the same canonical encoding.
  ///
  /// - Complexity: O(1) for two references to one row and for different hashes, else O(*n*) where
  ///   *n* is the number of bytes.
  public static func == (left: Row, right: Row) -> Bool {
    left.isIdentical(to: right)
      || (left.contentHash == right.contentHash && left.encoded == right.encoded)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(contentHash)
  }
}

extension Row: CustomStringConvertible {
  /// The row's canonical JSON as text.
  public var description: String { String(decoding: encoded, as: UTF8.self) }
}

/// The position of a row: the index of its section and its index in it, as UIKit's index paths.
public struct RowPath: Hashable, Sendable {
  public var section: Int
  public var row: Int

  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension RowPath: Comparable {
  /// Whether the left row stands before the right one.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as it stands on the wire: `[1,4]`.
  public var description: String { "[\(section),\(row)]" }
}
