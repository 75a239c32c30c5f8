import Testing
import ViewState

@testable import ViewDeltaRedis

@Suite("The place of a server in the stream of a journal")
struct RedisCursorTests {
  private static func entry(_ id: String, _ fields: String...) -> RedisReply {
    .array([.bytes(Array(id.utf8)), .array(fields.map { .bytes(Array($0.utf8)) })])
  }

  @Test("does not go back: an entry that comes twice, or too late, is none of the journal")
  func order() throws {
    var cursor = RedisCursor(position: 7)
    _ = try cursor.read(Self.entry("5-0", "join", ""))
    for (id, position) in [("5-1", 8), ("6-0", 9)] {
      _ = try cursor.read(Self.entry(id, "session", "5-0", "input", "{}"))
      #expect(cursor.position == position)
    }
    for id in ["6-0", "5-9"] {
      #expect(throws: JournalError.damaged("the entry \(id) comes after 6-0")) {
        try cursor.read(Self.entry(id, "session", "5-0", "input", "{}"))
      }
    }
    #expect(cursor.position == 9)
  }

  @Test("knows that a session has ended once it has read so, but of none that is still to come")
  func ends() throws {
    var cursor = RedisCursor(position: 0)
    _ = try cursor.read(Self.entry("5-0", "join", ""))
    #expect(!cursor.hasEnded("5-0") && !cursor.hasEnded("6-0") && cursor.hasEnded("4-0"))
    _ = try cursor.read(Self.entry("6-0", "join", "5-0"))
    #expect(cursor.hasEnded("5-0") && !cursor.hasEnded("6-0"))
  }
}
