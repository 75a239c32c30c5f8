import Gzip
import Testing

/// The parts of a member, to build others of them (RFC 1952 §2.3).
@Suite("A file of members")
struct MemberTests {
  static let content = Samples.document(2_000)
  /// The compressed blocks, the checksum and the length.
  static let body = Array(Gzip.compress(content).dropFirst(10))

  static func header(flags: UInt8, _ fields: [UInt8] = []) -> [UInt8] {
    [0x1F, 0x8B, 8, flags, 1, 2, 3, 4, 2, 255] + fields
  }

  @Test("holds the concatenated content of its members")
  func several() throws {
    let parts = [Samples.document(100_000), [], Samples.random(70_000), [1], []]
    let file = parts.flatMap { Gzip.compress($0) }
    let content = Array(parts.joined())
    #expect(try Gzip.decompress(file, limit: content.count) == content)
    #expect(throws: GzipError.tooLarge(limit: content.count - 1)) {
      try Gzip.decompress(file, limit: content.count - 1)
    }
  }

  @Test("may have a name, a comment and extra fields")
  func optionalFields() throws {
    let extra: [UInt8] = [5, 0, 0x41, 0x70, 1, 0, 7]
    let name = Array("posts.json\0".utf8)
    let comment = Array("a comment\0".utf8)
    for (flags, fields) in [
      (0x01, []), (0x04, extra), (0x08, name), (0x10, comment), (0x1D, extra + name + comment),
    ] as [(UInt8, [UInt8])] {
      let file = Self.header(flags: flags, fields) + Self.body
      #expect(try Gzip.decompress(file, limit: Self.content.count) == Self.content)
    }
  }

  @Test("is refused if the checksum of its header is wrong")
  func headerChecksum() {
    #expect(throws: GzipError.corrupted("header crc mismatch")) {
      try Gzip.decompress(Self.header(flags: 0x02, [0, 0]) + Self.body, limit: 10_000)
    }
  }

  @Test("is refused if it has reserved flags", arguments: [0x20, 0x40, 0x80] as [UInt8])
  func reservedFlags(flag: UInt8) {
    #expect(throws: GzipError.corrupted("unknown header flags set")) {
      try Gzip.decompress(Self.header(flags: flag) + Self.body, limit: 10_000)
    }
  }

  @Test("is refused if its second member is cut or changed")
  func secondMember() {
    let first = Gzip.compress([1, 2, 3])
    let second = Gzip.compress(Self.content)
    for count in 2..<second.count {
      #expect(throws: GzipError.truncated) {
        try Gzip.decompress(first + second.prefix(count), limit: 10_000)
      }
    }
    var changed = first + second
    changed[changed.count - 1] ^= 1
    #expect(throws: GzipError.corrupted("incorrect length check")) {
      try Gzip.decompress(changed, limit: 10_000)
    }
  }
}
