import CanonicalJSON
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("A server that follows a journal in Redis")
struct RedisFollowerTests {
  typealias Follower = RedisJournalTests.Follower

  @Test("is seen by others while it starts and ends, also on connections that it makes anew")
  func newConnection() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let (journal, other) = try (RedisJournal(redis.journal), RedisJournal(redis.journal))
      #expect(try journal.enter(as: "a") == nil)
      try journal.begin(with: Follower.first)
      try journal.write(start: ["n": 1])
      try redis.cutLast("viewdelta-starting")
      #expect(try journal.newestMark?.position == 0)
      _ = try other.checkpoint()
      #expect(try other.endedStarts.isEmpty)
      #expect(try other.enter(as: "b") == "a")
    }
  }
}
