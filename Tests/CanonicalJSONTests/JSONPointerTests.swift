import CanonicalJSON
import TestSupport
import Testing

/// RFC 6901: the string form, and the evaluation of its section 5.
@Suite struct JSONPointerTests {
  static let document: JSONValue = [
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
    " ": 7, "m~n": 8,
  ]

  static let places: [(String, JSONValue)] = [
    ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
    ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
  ]

  @Test(arguments: places)
  func `a pointer finds the value of the RFC's example`(
    _ text: String, _ value: JSONValue
  ) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.description == text)
    #expect(Self.document.value(at: pointer) == value)
  }

  @Test(arguments: ["/foo/2", "/foo/-", "/foo/00", "/foo/+1", "/foo/-1", "/bar", "/foo/0/x", "/a"])
  func `a pointer to nothing finds nothing`(_ text: String) throws {
    #expect(Self.document.value(at: try #require(JSONPointer(text))) == nil)
  }

  @Test(arguments: ["a", "a/b", "/~", "/~2", "/a~", "#/a"])
  func `text that is no pointer is refused`(_ text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test func `escapes are undone in one pass`() {
    #expect(JSONPointer("/~01")?.tokens == ["~1"])
    #expect(JSONPointer.root.appending("~1").appending("/").appending(3).description == "/~01/~1/3")
  }

  @Test func `any tokens survive the string form`() throws {
    try withSeeds(500) { random in
      let pointer = JSONPointer(tokens: (0..<random.number(in: 0...4)).map { _ in random.text() })
      try require(JSONPointer(pointer.description) == pointer, "\(pointer)")
    }
  }
}
