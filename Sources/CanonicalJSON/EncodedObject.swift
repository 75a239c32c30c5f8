#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An object as canonical JSON, of which members are found and compared without decoding the others.
///
/// ```swift
/// let object = EncodedObject(Array(#"{"id":7,"name":"Ada"}"#.utf8))
/// object.members.map { object.name($0) }  // ["id", "name"]
/// ```
package struct EncodedObject {
  /// A member, as places of bytes in the object.
  package struct Member {
    /// The literal of the name with its quotes.
    let name: Range<Int>
    let value: Range<Int>
  }

  private let bytes: [UInt8]
  /// The members, sorted by the bytes of their names.
  package let members: [Member]

  /// Finds the members of an object.
  ///
  /// - Precondition: The bytes are one object in canonical JSON.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    members = bytes.withUnsafeBufferPointer(Self.members)
  }

  /// The name of a member.
  package func name(_ member: Member) -> Text {
    guard case .string(let name) = decoded(member.name) else {
      preconditionFailure("the name of a member is a string")
    }
    return name
  }

  /// The value of a member.
  package func value(_ member: Member) -> JSONValue { decoded(member.value) }

  /// Decodes a part. Most are strings without escapes, which need no parser.
  ///
  /// The bytes were written from values that `isWritable` lets pass, and the parser reads all of these: see
  /// `EncodedObjectTests`. What a client sends is decoded and written anew before it gets here.
  private func decoded(_ range: Range<Int>) -> JSONValue {
    let literal = bytes[range]
    if literal.first == UInt8(ascii: "\""), !literal.contains(UInt8(ascii: "\\")) {
      return .string(Text(String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)))
    }
    do {
      return try JSONValue(parsing: literal, limits: .greatest)
    } catch {
      preconditionFailure("canonical JSON cannot be read: \(error)")
    }
  }

  /// Returns the members that are new or have another value than in an older object, and the names that only
  /// the older one has, sorted by their bytes.
  ///
  /// - Complexity: O(*n* + *m* · *g*), where *n* is the number of bytes of both, *m* the number of members of the
  ///   older one, and *g* that of new names.
  package func changes(since older: EncodedObject) -> (set: [Text: JSONValue], unset: [Text]) {
    var (set, unset): ([Text: JSONValue], [Text]) = ([:], [])
    // Both are sorted, so common names come in one order.
    var rest = older.members[...]
    for member in members {
      let place = rest.firstIndex { older.hasSameBytes($0.name, as: bytes[member.name]) }
      if let place {
        if place > rest.startIndex { unset += rest[..<place].map(older.name) }
        rest = rest[(place + 1)...]
        if older.hasSameBytes(older.members[place].value, as: bytes[member.value]) { continue }
      }
      set[name(member)] = value(member)
    }
    return (set, unset + rest.map(older.name))
  }

  private func hasSameBytes(_ range: Range<Int>, as other: ArraySlice<UInt8>) -> Bool {
    range.count == other.count
      && bytes.withUnsafeBytes { bytes in
        other.withUnsafeBytes { Text.areEqual(UnsafeRawBufferPointer(rebasing: bytes[range]), $0) }
      }
  }
}

extension EncodedObject {
  private static func members(_ bytes: UnsafeBufferPointer<UInt8>) -> [Member] {
    var members: [Member] = []
    // Rows mostly have no more.
    members.reserveCapacity(12)
    var position = 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "}") {
      if bytes[position] == UInt8(ascii: ",") { position += 1 }
      let name = position..<endOfString(bytes, position)
      // Behind the colon.
      let value = name.upperBound + 1..<endOfValue(bytes, name.upperBound + 1)
      members.append(Member(name: name, value: value))
      position = value.upperBound
    }
    return members
  }

  /// Returns the place behind a string literal.
  private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    var position = start + 1
    // The search is within the buffer, and takes many bytes at a time.
    while position < bytes.count,
      let quote = memchr(base + position, Int32(UInt8(ascii: "\"")), bytes.count - position)
    {
      position = UnsafeRawPointer(quote) - UnsafeRawPointer(base)
      // A backslash escapes what follows it, which may be another one. The literal begins with no backslash.
      var first = position
      while bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
      position += 1
      if (position - 1 - first).isMultiple(of: 2) { return position }
    }
    return bytes.count
  }

  /// Returns the place behind a value.
  private static func endOfValue(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var (position, depth) = (start, 0)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = endOfString(bytes, position)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ",") where depth == 0: return position
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
    }
    return position
  }
}
