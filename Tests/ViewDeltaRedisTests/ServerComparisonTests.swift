import CanonicalJSON
import Foundation
import TestSupport
import Testing
import ViewState

@Suite("Servers that share a journal")
struct ServerComparisonTests {
  private static let differs = JournalIncident.differs(position: 1_024)

  /// Sends a command until it is recorded: Redis may be late on a busy machine.
  private static func add(_ server: SharedWorld) async throws {
    while true {
      do {
        return try await server.send("add")
      } catch CommandFailure.notRecorded {
        await Task.yield()
      }
    }
  }

  @Test("find the one that has applied an input wrongly, and it begins without it")
  func wrong() async throws {
    let redis = try RedisServer()
    let servers = try [nil, 700, nil].map {
      try SharedWorld(redis.journal, CountScreen(mistake: $0))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...1_024 { group.addTask { try await Self.add(servers[0]) } }
      try await group.waitForAll()
    }
    try await wait { servers[1].incidents.all.contains(Self.differs) }
    #expect(servers[1].engine.journalDoubt == .differs)
    await #expect(throws: CommandFailure.notRecorded) { try await servers[1].send("add") }
    for server in [servers[0], servers[2]] {
      try await wait { server.engine.journalDoubt == nil }
      #expect(!server.incidents.all.contains(Self.differs))
      #expect(try server.number == 1_024)
    }
    // It goes on with what is recorded.
    let again = try SharedWorld(redis.journal, CountScreen())
    #expect(try again.number == 1_024)
  }

  @Test("agree if all have applied the inputs, whoever has sent and reads them")
  func alike() async throws {
    let redis = try RedisServer()
    let servers = try (1...2).map { _ in try SharedWorld(redis.journal, CountScreen()) }
    _ = try servers[0].number
    for _ in 1...2 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...1_024 { group.addTask { try await Self.add(servers[number % 2]) } }
        try await group.waitForAll()
      }
    }
    try await wait { try servers.allSatisfy { try $0.number == 2_048 } }
    try await wait { try redis.digests().count == 4 }
    #expect(try Set(redis.digests()).count == 2)
    #expect(servers.allSatisfy { $0.engine.journalDoubt != .differs })
    #expect(
      servers.allSatisfy {
        $0.incidents.all.allSatisfy { if case .differs = $0 { false } else { true } }
      })
  }

  @Test("get no new clients while they have not applied what others have, or cannot know")
  func behind() async throws {
    let redis = try RedisServer()
    let gate = DispatchSemaphore(value: 0)
    let slow = CountScreen {
      gate.wait()
      gate.signal()
    }
    let servers = try [
      SharedWorld(redis.journal, CountScreen()), SharedWorld(redis.journal, slow),
    ]
    try await servers[0].send("add")
    try await wait { servers[1].engine.journalDoubt == .behind }
    try await wait { servers[0].engine.journalDoubt == nil }
    gate.signal()
    try await wait { servers[1].engine.journalDoubt == nil }
    #expect(try servers[1].number == 1)
    kill(redis.identifier, SIGSTOP)
    for server in servers { try await wait { server.engine.journalDoubt == .behind } }
    kill(redis.identifier, SIGCONT)
    for server in servers { try await wait { server.engine.journalDoubt == nil } }
  }
}
