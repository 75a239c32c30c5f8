import CanonicalJSON

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
