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

  /// Makes an object of its bytes.
  ///
  /// - Precondition: The bytes are one object in canonical JSON.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The members, sorted by the bytes of their names.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package var members: [Member] { bytes.withUnsafeBufferPointer { Array(Members($0)) } }

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
    let text: Text? = bytes[range].withUnsafeBufferPointer { literal in
      guard literal.count > 1, literal[0] == UInt8(ascii: "\"") else { return nil }
      let content = UnsafeBufferPointer(rebasing: literal[1..<literal.count - 1])
      return content.contains(UInt8(ascii: "\\"))
        ? nil : Text(String(decoding: content, as: UTF8.self))
    }
    if let text { return .string(text) }
    do {
      return try JSONValue(parsing: bytes[range], limits: .greatest)
    } catch {
      preconditionFailure("canonical JSON cannot be read: \(error)")
    }
  }

  /// Returns the members that are new or have another value than in an older object, as the canonical JSON of an object,
  /// or as no bytes if there are none; and the names that only the older object has, sorted by their bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of both.
  package func changes(since older: EncodedObject) -> (set: [UInt8], unset: [Text]) {
    var unset: [Text] = []
    let set = JSONWriter.bytes { writer in
      var writer = writer
      older.bytes.withUnsafeBufferPointer { oldBytes in
        bytes.withUnsafeBufferPointer { newBytes in
          func areEqual(_ old: Range<Int>, _ new: Range<Int>) -> Bool {
            Text.areEqual(
              UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: oldBytes[old])),
              UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: newBytes[new])))
          }
          // The writer is passed, because each access to one that is captured would be checked at run time.
          func add(_ member: Member, to writer: inout JSONWriter) {
            writer.raw(UInt8(ascii: writer.count == 0 ? "{" : ","))
            let part = member.name.lowerBound..<member.value.upperBound
            writer.raw(UnsafeBufferPointer(rebasing: newBytes[part]))
          }
          // Both are sorted, so they are merged, from the first member that differs.
          var (oldRest, newRest) = Members.behindCommonStart(oldBytes, newBytes)
          var (old, new) = (oldRest.next(), newRest.next())
          while true {
            if let from = old, let to = new, areEqual(from.name, to.name) {
              if !areEqual(from.value, to.value) { add(to, to: &writer) }
              (old, new) = (oldRest.next(), newRest.next())
            } else if let from = old, new.map({ older.name(from) < name($0) }) ?? true {
              unset.append(older.name(from))
              old = oldRest.next()
            } else if let to = new {
              add(to, to: &writer)
              new = newRest.next()
            } else {
              return
            }
          }
        }
      }
      if writer.count > 0 { writer.raw(UInt8(ascii: "}")) }
      return writer.bytes
    }
    return (set, unset)
  }
}

/// Finds the members of an object one after another.
private struct Members: Sequence, IteratorProtocol {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 1) {
    (self.bytes, self.position) = (bytes, position)
  }

  /// Returns the members of two objects behind those at their start that both have.
  static func behindCommonStart(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> (left: Members, right: Members) {
    let end = Text.firstDifference(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
    var rest = Members(right)
    var start = rest.position
    // Both have the byte behind such a member, so that it ends there in both.
    while let member = rest.next(), member.value.upperBound < end { start = rest.position }
    return (Members(left, from: start), Members(right, from: start))
  }

  mutating func next() -> EncodedObject.Member? {
    guard position < bytes.count, bytes[position] != UInt8(ascii: "}") else { return nil }
    if bytes[position] == UInt8(ascii: ",") { position += 1 }
    let name = position..<endOfString(position)
    // Behind the colon.
    let value = name.upperBound + 1..<endOfValue(name.upperBound + 1)
    position = value.upperBound
    return EncodedObject.Member(name: name, value: value)
  }

  /// Returns the place behind a string literal.
  private func endOfString(_ start: Int) -> Int {
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
  private func endOfValue(_ start: Int) -> Int {
    var (position, depth) = (start, 0)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = endOfString(position)
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
