import CanonicalJSON
import Foundation
import Snapshots
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

@Suite("A checkpoint in Redis")
struct RedisCheckpointTests {
  @Test("is removed by the next removal if Redis fails while it is removed")
  func removal() async throws {
    try await SocketThread.run {
      let redis = try RedisServer(RedisServer.durability + ["--rename-command", "UNLINK", ""])
      let journal = try RedisJournal(redis.journal)
      _ = try journal.checkpoint()
      try journal.begin(with: RedisJournalTests.Follower.first)
      try journal.write(
        Checkpoint(position: 5, parts: [Checkpoint.bookmark: journal.bookmark]))
      #expect(throws: JournalError.self) { try journal.trim(to: 5) }
      redis.kill()
      try redis.restart(RedisServer.durability)
      try journal.trim(to: 5)
      let keys = try redis.command("keys demo:*:checkpoint:*").split(separator: "\n")
      #expect(keys.count == 1)
    }
  }

  @Test("does not count if Redis removes pieces of it while it is written, such as to make space")
  func evictedPieces() async throws {
    try await SocketThread.run {
      let redis = try RedisServer(RedisServer.durability + ["--maxmemory-policy", "volatile-ttl"])
      let journal = try RedisJournal(redis.journal)
      _ = try journal.checkpoint()
      try journal.begin(with: RedisJournalTests.Follower.first)
      let line = try redis.command("info memory").split(whereSeparator: \.isNewline)
        .first { $0.hasPrefix("used_memory:") }
      let used = try #require(line.flatMap { Int($0.dropFirst("used_memory:".count)) })
      // There is space for some pieces.
      try redis.command("config set maxmemory \(used + 3 << 20)")
      let piece = JSONValue.string(Text(String(repeating: "x", count: 1 << 20)))
      let parts =
        (1...8).map { (Text("part/\($0)"), piece) } + [(Checkpoint.bookmark, journal.bookmark)]
      let checkpoint = Checkpoint(position: 0, parts: Dictionary(uniqueKeysWithValues: parts))
      let reason =
        "Redis has removed pieces of a checkpoint while it was written; does it evict keys?"
      #expect(throws: JournalError.unavailable("\(redis.journal): \(reason)")) {
        try journal.write(checkpoint)
      }
      #expect(try RedisJournal(redis.journal).checkpoint() == RedisJournalTests.Follower.first)
    }
  }

  @Test("expires with all keys of its journal if the journal has lost its name and is begun anew")
  func lostName() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let follower = try RedisJournalTests.Follower(redis)
      try follower.append(1...1)
      let era = try redis.command("get demo").prefix(16)
      try redis.command("del demo")
      guard case .lost = try follower.end() else { throw LawViolation("it goes on") }
      try follower.journal.begin(with: RedisJournalTests.Follower.first)
      let keys = try redis.command("keys demo:\(era):*").split(separator: "\n")
      #expect(keys.count >= 4)
      for key in keys { #expect(try redis.command("ttl \(key)") != "-1\n", "\(key)") }
    }
  }
}
