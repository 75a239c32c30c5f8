/// Appends pieces of canonical JSON to a buffer of bytes.
///
/// The writer does not check that the pieces form a document: it is for documents that are put
/// together from already encoded parts, where the caller writes the punctuation too.
public struct JSONWriter: Sendable {
  /// What has been written so far.
  public private(set) var bytes: [UInt8]

  /// An empty writer with room for `capacity` bytes.
  public init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Appends bytes that are canonical JSON already, or a part of it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; a plain copy of memory.
  public mutating func raw(_ encoded: [UInt8]) {
    bytes.append(contentsOf: encoded)
  }

  /// Appends bytes as they are.
  mutating func raw(contentsOf encoded: some Collection<UInt8>) {
    bytes.append(contentsOf: encoded)
  }

  /// Appends punctuation and fixed member names as they are.
  public mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends one byte, in general punctuation.
  public mutating func raw(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Appends a whole value.
  ///
  /// - Precondition: every number is finite and every integer interoperable; see
  ///   ``JSONValue/canonicalBytes()``, whose complexity holds here too.
  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      raw(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        separate(&isFirst)
        self.value(element)
      }
      raw(UInt8(ascii: "]"))
    case .object(let members): object(members)
    }
  }

  /// Appends an object with its members sorted by the UTF-8 bytes of their names.
  public mutating func object(_ members: [Text: JSONValue]) {
    raw(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      separate(&isFirst)
      self.name(name)
      self.value(value)
    }
    raw(UInt8(ascii: "}"))
  }

  /// Appends `true` or `false`.
  public mutating func bool(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  /// Appends a member's name and the colon behind it.
  public mutating func name(_ name: Text) {
    string(name)
    raw(UInt8(ascii: ":"))
  }

  /// Appends a comma unless this is the first of a list, and notes that the first one has been.
  public mutating func separate(_ isFirst: inout Bool) {
    if isFirst { isFirst = false } else { raw(UInt8(ascii: ",")) }
  }
}
