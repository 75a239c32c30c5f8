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

  @Test("tells two contents apart that were made to have one digest")
  func forged() throws {
    let (left, right) = (try snapshot("IDNN00d7a3I"), try snapshot("48CmbL3rJYO"))
    #expect(left.digest == right.digest)
    #expect(ContentHash(of: left) != ContentHash(of: right))
    #expect(ContentHash(of: left) == ContentHash(of: try snapshot("IDNN00d7a3I")))
  }

  @Test("is read as it is written, and nothing else is")
  func text() throws {
    let hash = ContentHash(of: try snapshot("a"))
    #expect(hash.description.utf8.count == ContentHash.length)
    #expect(ContentHash(hash.description) == hash)
    let short = String(hash.description.dropLast())
    for text in ["", "1", short, hash.description + "A", short + "="] {
      #expect(ContentHash(text) == nil, "\(text)")
    }
    // Its last two bits belong to no byte.
    #expect(ContentHash(String(repeating: "A", count: 42) + "B") == nil)
  }
}
