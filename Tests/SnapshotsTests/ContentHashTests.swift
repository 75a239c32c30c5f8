import CanonicalJSON
import Snapshots
import Testing

@Suite("The hash of a content")
struct ContentHashTests {
  private func snapshot(_ text: JSONValue) throws -> Snapshot {
    let row = Row(id: "post/1", type: "post", fields: ["body": text])
    return try Snapshot(sections: [Section(id: "posts", rows: [row])])
  }

  @Test("is the SHA-256 of its canonical JSON, in base64url")
  func vector() throws {
    let nothing = ContentHash(of: try Snapshot(sections: []))
    #expect(nothing.description == "47mQ3rkHVsTt2b2XU3tW8lAg9-mywJM9X0wvCfmAWpM")
  }

  @Test("distinguishes two contents that were forged to have the same digest")
  func forged() throws {
    let (left, right) = (try snapshot("IDNN00d7a3I"), try snapshot("48CmbL3rJYO"))
    #expect(left.digest == right.digest)
    #expect(ContentHash(of: left) != ContentHash(of: right))
    #expect(ContentHash(of: left) == ContentHash(of: try snapshot("IDNN00d7a3I")))
  }

  @Test("is parsed only from its text form")
  func text() throws {
    let hash = ContentHash(of: try snapshot("a"))
    #expect(hash.description.utf8.count == 43)
    #expect(ContentHash(hash.description) == hash)
    let short = String(hash.description.dropLast())
    for text in ["", "1", short, hash.description + "A", short + "="] {
      #expect(ContentHash(text) == nil, "\(text)")
    }
    // The last two bits belong to no byte.
    #expect(ContentHash(String(repeating: "A", count: 42) + "B") == nil)
  }

  /// The examples of NIST for FIPS 180-4 with one block, two and many.
  static let vectors: [(message: [UInt8], hash: String)] = [
    ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      Array(repeating: UInt8(ascii: "a"), count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test("uses the standard's SHA-256, whatever the pieces of its input")
  func standard() {
    for (message, expected) in Self.vectors {
      for size in [7, 63, 64, 65, 4096] {
        var hash = SHA256()
        for start in stride(from: 0, to: message.count, by: size) {
          hash.update(Array(message[start..<min(start + size, message.count)]))
        }
        let text = hash.finalize().map {
          String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        #expect(text.joined() == expected, "\(message.count) bytes in pieces of \(size)")
      }
    }
  }
}
