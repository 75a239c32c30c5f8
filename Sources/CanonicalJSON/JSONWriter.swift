/// Appends fragments of canonical JSON to a buffer of bytes.
///
/// The writer does not check that the fragments form a document. It is for documents that are
/// composed of already encoded parts; the caller also writes the punctuation.
///
/// ```swift
/// var writer = JSONWriter(capacity: 64)
/// writer.raw("{")
/// writer.name("rows")
/// writer.value(["a", "b"])
/// writer.raw("}")
/// writer.bytes  // {"rows":["a","b"]}
/// ```
///
/// It writes to memory of its own, because appending to an array checks each time whether the array is shared, which
/// takes longer than copying the few bytes of most fragments. A writer cannot be copied, so nothing else has that
/// memory: each access is to `capacity` bytes from `start`, which live as long as the writer, and the first `size` of
/// them are initialized.
@usableFromInline
package struct JSONWriter: ~Copyable {
  @usableFromInline var start: UnsafeMutablePointer<UInt8>
  @usableFromInline var size = 0
  @usableFromInline var capacity: Int
  /// Whether the memory is the writer's own, and not scratch.
  private var isOwner = true

  /// Creates an empty writer with room for `capacity` bytes.
  package init(capacity: Int = 0) {
    self.capacity = max(capacity, 64)
    start = .allocate(capacity: self.capacity)
  }

  /// Creates an empty writer that writes to some memory, and goes on in memory of its own if that is full.
  private init(scratch: UnsafeMutableBufferPointer<UInt8>) {
    // The memory of a temporary allocation with a size has an address.
    start = scratch.baseAddress.unsafelyUnwrapped
    capacity = scratch.count
    isOwner = false
  }

  deinit { if isOwner { start.deallocate() } }

  /// Returns what a closure makes of an empty writer, whose memory need not be allocated for a short text.
  package static func bytes(_ write: (consuming JSONWriter) -> [UInt8]) -> [UInt8] {
    // The writer ends with the call of the closure, before its memory does.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: shortSize) {
      write(JSONWriter(scratch: $0))
    }
  }

  /// The greatest size of a short text, in bytes. A short text is written on the stack and copied, which takes less
  /// time than to create an uninitialized array: the runtime looks up the type of each.
  private static var shortSize: Int { 1024 }

  /// Returns what a closure writes. If a long text is expected, it is written into the array that is returned, and copied
  /// only if it is longer than expected.
  ///
  /// - Parameter capacity: The expected number of bytes, at least 1.
  package static func bytes(
    capacity: Int, _ write: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    if capacity <= shortSize {
      return bytes { writer in
        var writer = writer
        write(&writer)
        return writer.bytes
      }
    }
    var longer: [UInt8]?
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
      // The writer ends with this call, before the memory does.
      var writer = JSONWriter(scratch: memory)
      write(&writer)
      if writer.isOwner { longer = writer.bytes } else { count = writer.size }
    }
    return longer ?? bytes
  }

  /// The bytes written so far.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; a plain memory copy.
  package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: size)) }

  /// The number of bytes written so far.
  package var count: Int { size }

  /// Makes room for some more bytes.
  @inlinable
  mutating func reserve(_ additional: Int) {
    if capacity - size < additional { grow(by: additional) }
  }

  @usableFromInline
  mutating func grow(by additional: Int) {
    capacity = max(2 * capacity, size + additional)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    grown.initialize(from: start, count: size)
    if isOwner { start.deallocate() }
    (start, isOwner) = (grown, true)
  }

  /// Appends a fragment that is already canonical JSON.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; a plain memory copy.
  package mutating func raw(_ encoded: [UInt8]) {
    encoded.withUnsafeBufferPointer { raw($0) }
  }

  /// Appends bytes unchanged.
  @inlinable
  package mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.baseAddress else { return }
    reserve(bytes.count)
    (start + size).initialize(from: first, count: bytes.count)
    size += bytes.count
  }

  /// Appends fixed text, such as punctuation and member names, unchanged.
  package mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { raw($0) }
  }

  /// Appends one byte, such as punctuation, unchanged.
  @inlinable
  package mutating func raw(_ byte: UInt8) {
    reserve(1)
    start[size] = byte
    size += 1
  }

  /// Appends a whole value.
  ///
  /// - Precondition: Every number is finite and every integer is in
  ///   ``JSONValue/interoperableIntegers``.
  /// - Complexity: That of ``JSONValue/canonicalBytes()``.
  package mutating func value(_ value: JSONValue) {
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

  /// Appends a whole value that code may have computed.
  ///
  /// - Returns: `false`, and appends nothing, if JSON cannot represent the value.
  package mutating func writableValue(_ value: JSONValue) -> Bool {
    switch value {
    // Most values of rows.
    case .string(let text): string(text)
    case .bool(let value): bool(value)
    default:
      guard value.isWritable else { return false }
      self.value(value)
    }
    return true
  }

  /// Appends an object with its members sorted by the UTF-8 bytes of their names.
  package mutating func object(_ members: [Text: JSONValue]) {
    guard members.count == 1, let (name, value) = members.first else {
      return object(members, beside: [])
    }
    // Mostly the one field that an update changes, which has no order.
    raw(UInt8(ascii: "{"))
    self.name(name)
    self.value(value)
    raw(UInt8(ascii: "}"))
  }

  /// Appends an object with its members, and others beside them, sorted by the UTF-8 bytes of their names.
  ///
  /// - Precondition: No two members have one name.
  package mutating func object(
    _ members: [Text: JSONValue], beside others: [(key: Text, value: JSONValue)]
  ) {
    var all = others
    all.reserveCapacity(others.count + members.count)
    all.append(contentsOf: members)
    all.sort { $0.key < $1.key }
    raw(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in all {
      separate(&isFirst)
      self.name(name)
      self.value(value)
    }
    raw(UInt8(ascii: "}"))
  }

  /// Appends `true` or `false`.
  package mutating func bool(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  /// Appends a member's name and a colon.
  package mutating func name(_ name: Text) {
    string(name)
    raw(UInt8(ascii: ":"))
  }

  /// Appends a comma if `isFirst` is false, and sets `isFirst` to false.
  package mutating func separate(_ isFirst: inout Bool) {
    if isFirst { isFirst = false } else { raw(UInt8(ascii: ",")) }
  }
}

extension JSONWriter {
  /// Appends a string literal. It escapes only `"`, `\` and the control characters below U+0020,
  /// with the short form if there is one (RFC 8785 §3.2.2.2).
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func string(_ text: Text) {
    reserve(text.byteCount + 2)
    raw(UInt8(ascii: "\""))
    stringContent(text)
    raw(UInt8(ascii: "\""))
  }

  /// Appends the string literal of a Swift string.
  package mutating func string(_ string: String) {
    self.string(Text(string))
  }

  /// Appends the content of a string literal without its quotes, to compose a literal of several
  /// parts.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func stringContent(_ text: Text) {
    text.withBytes { bytes in
      if Self.hasEscape(bytes) {
        for byte in bytes { escaped(byte) }
      } else {
        raw(bytes.assumingMemoryBound(to: UInt8.self))
      }
    }
  }

  /// Returns whether a byte must be escaped. It reads all bytes, even behind one that must be, so that the compiler
  /// makes it compare many at a time.
  private static func hasEscape(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.reduce(0) { $0 | escape($1) } != 0
  }

  /// Returns the number of bytes that ``string(_:)-(Text)`` appends.
  static func size(of text: Text) -> Int {
    2
      + text.withBytes { bytes in
        guard hasEscape(bytes) else { return bytes.count }
        var writer = JSONWriter(capacity: bytes.count)
        for byte in bytes { writer.escaped(byte) }
        return writer.size
      }
  }

  /// Returns 1 if a byte must be escaped, or else 0: a number, because `||` would compare the bytes one at a time.
  private static func escape(_ byte: UInt8) -> UInt8 {
    (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0)
      | (byte == UInt8(ascii: "\\") ? 1 : 0)
  }

  private mutating func escaped(_ byte: UInt8) {
    guard Self.escape(byte) == 1 else { return raw(byte) }
    raw(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: raw(UInt8(ascii: "b"))
    case 0x09: raw(UInt8(ascii: "t"))
    case 0x0A: raw(UInt8(ascii: "n"))
    case 0x0C: raw(UInt8(ascii: "f"))
    case 0x0D: raw(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): raw(byte)
    default:
      raw("u00")
      raw(Self.hexDigit(byte >> 4))
      raw(Self.hexDigit(byte & 0xF))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
