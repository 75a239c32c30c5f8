import CanonicalJSON
import Glibc
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("A server that follows a journal in Redis")
struct RedisFollowerTests {
  typealias Follower = RedisJournalTests.Follower

  /// The key with the entries of the journal.
  private static func stream(of redis: RedisServer) throws -> String {
    "demo:\(try redis.command("get demo").prefix(16)):entries"
  }

  @Test("gets the digests of other servers, and not its own")
  func digests() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let followers = try (1...2).map { _ in try Follower(redis) }
      for (follower, digest) in zip(followers, ["a", "b"] as [Text]) {
        try follower.journal.append(digest, at: 1_024)
      }
      // Those before come first.
      for follower in followers { try follower.journal.append("end", at: 2_048) }
      #expect(try followers[0].digests(2) == ["b", "end"])
      #expect(try followers[1].digests(2) == ["a", "end"])
    }
  }

  @Test("gets nothing that Redis takes from its former connection after it has joined again")
  func lateInput() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      let stream = try Self.stream(of: redis)
      let session = try #require(
        try redis.command("xrevrange \(stream) + - count 1").split(separator: "\n").first)
      try redis.cutLastReader()
      try follower.join(times: 2)
      try redis.command("xadd \(stream) * session \(session) input {\"n\":1}")
      try follower.append(2...2)
      #expect(try follower.inputs(1) == [nil])
      let next = try RedisJournal(redis.journal)
      _ = try next.checkpoint()
      #expect(try next.entries(after: 0, limit: 10).map(\.input) == [["n": 2]])
    }
  }

  @Test("gets an input that is nested more deeply than what clients send")
  func depth() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let followers = try (1...2).map { _ in try Follower(redis) }
      let deep = (1...500).reduce(JSONValue.null) { value, _ in [value] }
      try followers[0].journal.append(
        [Entry(position: 0, time: Timestamp.now(), input: deep)])
      #expect(try followers[1].inputs(1) == [deep])
    }
  }

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

  @Test("has not appended an input that Redis refuses at the end of the transaction")
  func exhausted() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      let stream = try Self.stream(of: redis)
      try redis.command("xsetid \(stream) \(UInt64.max)-\(UInt64.max)")
      let error = #expect(throws: JournalError.self) { try follower.append(1...1) }
      #expect(try #require(error).description.contains("last possible ID"))
    }
  }

  @Test("reads on over entries that are no inputs, however many they are")
  func noInputs() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      let next = try RedisJournal(redis.journal)
      _ = try next.checkpoint()
      try redis.command("-r 20 xadd \(Self.stream(of: redis)) * join 0-0")
      try follower.append(1...1)
      #expect(try next.entries(after: 0, limit: 5).map(\.input) == [["n": 1]])
    }
  }

  @Test("appends again after a reply that did not come in time")
  func lateReply() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try Follower(redis)
      kill(redis.identifier, SIGSTOP)
      #expect(throws: JournalError.unavailable("\(redis.journal): no reply in time")) {
        try follower.append(1...1)
      }
      kill(redis.identifier, SIGCONT)
      try follower.join(times: 2)
      try follower.append(2...2)
      let next = try RedisJournal(redis.journal)
      _ = try next.checkpoint()
      #expect(try next.entries(after: 0, limit: 10).last?.input == ["n": 2])
    }
  }
}
