public import CanonicalJSON
import Synchronization

/// A row of a view model: an id, a type and the fields of that type.
///
/// A row is an immutable value. It is encoded once, when it is created, and hashed once, when a section first
/// holds it. Copies, snapshots and replies share the result by reference.
///
///     let row = Row(id: "post/1", type: "post", fields: ["title": "Hello"])
///     String(decoding: row.encoded, as: UTF8.self)  // {"id":"post/1","title":"Hello","type":"post"}
public struct Row: Sendable {
  private let storage: Storage
  /// The hash of ``id`` under the random key of this process, for tables in memory only.
  ///
  /// It lies beside the reference, so that a list of rows can be searched by id without reading the
  /// rows themselves, which are scattered in memory.
  package let idHash: Int

  /// Creates a row and encodes it.
  ///
  /// - Parameters:
  ///   - id: The id of the row, unique in its snapshot and the same in every revision.
  ///   - type: The row type, by which clients choose how to show the row.
  ///   - fields: The other members of the row's JSON object.
  ///   - generation: A number that reloads the row when it changes; see ``generation``.
  ///
  /// A row cannot be written if a field is named `id` or `type`, has an infinite number, NaN, or an
  /// integer beyond ±2^53, or nests deeper than 512 levels. Each snapshot refuses such a row: see
  /// ``SnapshotError/unwritableRowIDs``.
  ///
  /// - Complexity: O(*n* log *m*), where *n* is the number of bytes of the row and *m* the number
  ///   of its fields.
  public init(id: Text, type: Text, fields: [Text: JSONValue] = [:], generation: Int = 0) {
    var encoded: [UInt8] = []
    // A row has no bytes if they could not be written: a screen may compute such a number from what
    // clients send, and must not end the process by it.
    if fields.areWritable(beside: ["id", "type"]) {
      var writer = JSONWriter(capacity: 128)
      writer.object(fields, beside: [("id", .string(id)), ("type", .string(type))])
      encoded = writer.bytes
    }
    self.init(id: id, type: type, encoded: encoded, generation: generation)
  }

  /// Creates a row of its canonical JSON, which is empty if it cannot be written.
  init(id: Text, type: Text, encoded: [UInt8], generation: Int = 0) {
    storage = Storage(id: id, type: type, encoded: encoded, generation: generation)
    idHash = Identifier(id).textHash
  }

  /// Returns the same row with another ``generation``.
  ///
  /// - Complexity: O(1): the content is neither encoded nor hashed again.
  public func generation(_ generation: Int) -> Row {
    generation == self.generation
      ? self : Row(storage: Storage(storage, generation: generation), idHash: idHash)
  }

  private init(storage: Storage, idHash: Int) {
    self.storage = storage
    self.idHash = idHash
  }

  /// The id, unique in the snapshot.
  public var id: Text { storage.id }
  /// The row type, by which clients choose how to show the row.
  public var type: Text { storage.type }
  /// The members of the row's JSON object other than `id` and `type`, read from ``encoded``. Empty for a row
  /// that each snapshot refuses.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes of the row.
  public var fields: [Text: JSONValue] {
    let object = EncodedObject(encoded)
    return object.members.reduce(into: [:]) { fields, member in
      let name = object.name(member)
      if name != "id" && name != "type" { fields[name] = object.value(member) }
    }
  }
  /// A number that reloads the row when it changes; 0 unless given.
  ///
  /// Clients do not get the number. If it differs between two snapshots, clients draw the row again, even if the row
  /// has the same content. To reload a row, increase the number:
  ///
  /// ```swift
  /// Row(id: "map", type: "map", fields: fields, generation: state.timesReloaded)
  /// ```
  public var generation: Int { storage.generation }
  /// The canonical JSON of the row: one flat object. Empty for a row that each snapshot refuses.
  public var encoded: [UInt8] { storage.encoded }
  /// The 64-bit FNV-1a hash of ``encoded``, the same in every process.
  ///
  /// - Complexity: O(1), after O(*n*) once, where *n* is the number of bytes.
  package var contentHash: UInt64 {
    if let hash = storage.knownHash { return hash }
    let hash = FNV1a.hash(encoded)
    storage.know(hash)
    return hash
  }

  /// Computes the hashes of rows that have none yet, four at a time.
  static func hash(_ rows: [Row]) {
    var index = rows.startIndex
    func next() -> Storage? {
      while index < rows.endIndex {
        defer { index += 1 }
        if rows[index].storage.knownHash == nil { return rows[index].storage }
      }
      return nil
    }
    // At most three are left, which are hashed one after another.
    while let a = next(), let b = next(), let c = next(), let d = next() {
      let hashes = FNV1a.hashes(a.encoded, b.encoded, c.encoded, d.encoded)
      a.know(hashes.0)
      b.know(hashes.1)
      c.know(hashes.2)
      d.know(hashes.3)
    }
  }

  /// Returns whether the rows have the same canonical JSON.
  ///
  /// - Complexity: O(1) if the lengths or the known hashes differ, else O(*n*), where *n* is the number of bytes.
  func hasSameBytes(as other: Row) -> Bool {
    if let hash = storage.knownHash, let other = other.storage.knownHash, hash != other {
      return false
    }
    return encoded.hasSameBytes(as: other.encoded)
  }

  var identifier: Identifier { Identifier(text: id, textHash: idHash) }

  /// Whether the row has its canonical JSON.
  var isWritable: Bool { !encoded.isEmpty }

  /// Returns whether both are references to the same row, which implies that they are equal.
  @usableFromInline package func isIdentical(to other: Row) -> Bool { storage === other.storage }

  /// Returns whether the rows have the same id and type, so that an update can turn one into the
  /// other.
  @usableFromInline package func isSameItem(as other: Row) -> Bool {
    idHash == other.idHash
      && (storage === other.storage
        || (id == other.id && type == other.type))
  }

  private final class Storage: Sendable {
    // The hash comes first, beside the reference count: code that copies a leaf of the tree has
    // just touched that cache line. Each thread that computes it gets the same, so threads need no order.
    private let hash: Atomic<UInt64>
    let generation: Int
    let id: Text
    let type: Text
    let encoded: [UInt8]

    init(_ other: Storage, generation: Int) {
      hash = Atomic(other.knownHash ?? 0)
      self.generation = generation
      (id, type, encoded) = (other.id, other.type, other.encoded)
    }

    init(id: Text, type: Text, encoded: [UInt8], generation: Int) {
      (self.id, self.type, self.encoded, self.generation) = (id, type, encoded, generation)
      hash = Atomic(0)
    }

    /// The hash, if it has been computed. One that is zero is computed each time.
    var knownHash: UInt64? {
      let hash = hash.load(ordering: .relaxed)
      return hash == 0 ? nil : hash
    }

    func know(_ value: UInt64) { hash.store(value, ordering: .relaxed) }
  }
}

extension Row: Hashable {
  /// Returns whether the rows have the same canonical encoding and the same generation.
  ///
  /// - Complexity: O(1) for two references to the same row, else O(*n*), where *n* is the number of bytes.
  public static func == (left: Row, right: Row) -> Bool {
    // Rows that cannot be written have no bytes, but ids.
    left.isIdentical(to: right)
      || (left.idHash == right.idHash && left.generation == right.generation
        && left.hasSameBytes(as: right))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(idHash)
  }
}

extension Row: CustomStringConvertible {
  /// The row's canonical JSON as text.
  public var description: String { String(decoding: encoded, as: UTF8.self) }
}

extension [Text: JSONValue] {
  /// Returns whether the fields can be members of an object beside some others: none has a name of those,
  /// and JSON carries all numbers.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of values in the fields.
  func areWritable(beside others: [Text]) -> Bool {
    others.allSatisfy { self[$0] == nil } && values.allSatisfy(\.isWritable)
  }
}

/// The position of a row: the index of its section, and its index in that section, like UIKit's
/// `IndexPath`.
public struct RowPath: Hashable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the row in its section.
  public var row: Int

  /// Creates a path from the index of a section and the index of a row in it.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension RowPath: Comparable {
  /// Returns whether the left row comes before the right one.
  public static func < (left: RowPath, right: RowPath) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension RowPath: CustomStringConvertible {
  /// The path as it is written on the wire: `[1,4]`.
  public var description: String { "[\(section),\(row)]" }
}
