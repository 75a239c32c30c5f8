import CanonicalJSON
import Foundation
import Snapshots
import Synchronization
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

/// Counts. A server that applies inputs wrongly counts one of them twice.
struct CountScreen: Screen {
  static let name: Text = "count"
  static let keyName = "name"
  static let summary = "A count."
  static let number = RowType("number", of: Int.self) { Field("n", \.self) }

  var mistake: Int?
  var whileAdding: @Sendable () -> Void = {}

  var commands: [AnyCommand<Int>] {
    Command("add", "Adds one.") { [mistake, whileAdding] (state: inout Int) in
      whileAdding()
      state += state == mistake ? 2 : 1
    }
  }

  var rowTypes: [RowTypeDescriptor] { Self.number }

  func initialState(for key: Text, in stores: Stores) -> Int { 0 }

  func body(_ state: Int) -> [ListSection] { ListSection("s") { Self.number("r", state) } }
}

/// A server on a journal that others share.
final class SharedWorld: Sendable {
  let engine: Engine
  let registry: ScreenRegistry
  let incidents = Incidents()

  final class Incidents: Sendable {
    private let list = Mutex<[JournalIncident]>([])
    func add(_ incident: JournalIncident) { list.withLock { $0.append(incident) } }
    var all: [JournalIncident] { list.withLock { $0 } }
  }

  init(_ redis: RedisServer, _ screen: some Screen) throws {
    let environment = ScreenEnvironment(scheduler: ClockScheduler(), recordJournal: incidents.add)
    engine = try Engine(environment: environment, journal: RedisJournal(redis.journal))
    var registry = ScreenRegistry(engine)
    registry.register(screen)
    self.registry = registry
    try engine.start()
  }

  func send(_ type: Text) async throws {
    let command = try SentCommand(JSONReader(["type": .string(type)]))
    _ = try await registry.send(command, to: "count", "a")
  }

  /// The number that the server shows.
  var number: JSONValue? {
    get throws {
      let rows = try registry.instance(screen: "count", key: "a").current.snapshot.sections[0].rows
      return rows.first?.fields["n"]
    }
  }

  /// Waits until something is so.
  static func wait(_ isReached: () throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(30)
    while try !isReached() {
      guard ContinuousClock.now < end else { throw LawViolation("it does not come") }
      await Task.yield()
    }
  }
}

@Suite("Servers that share a journal")
struct ServerComparisonTests {
  @Test("find the one that has applied an input wrongly, and it begins without it")
  func wrong() async throws {
    let redis = try RedisServer()
    let servers = try [nil, 700, nil].map { try SharedWorld(redis, CountScreen(mistake: $0)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...1_024 { group.addTask { try await servers[0].send("add") } }
      try await group.waitForAll()
    }
    let differs = JournalIncident.differs(position: 1_024)
    try await SharedWorld.wait { servers[1].incidents.all == [differs] }
    #expect(servers[1].engine.journalDoubt == .differs)
    await #expect(throws: CommandFailure.notRecorded) { try await servers[1].send("add") }
    for server in [servers[0], servers[2]] {
      try await SharedWorld.wait { server.engine.journalDoubt == nil }
      #expect(server.incidents.all.isEmpty)
      #expect(try server.number == 1_024)
    }
    // It goes on with what is recorded.
    let again = try SharedWorld(redis, CountScreen())
    #expect(try again.number == 1_024)
  }

  @Test("agree if all have applied the inputs, whoever has sent and reads them")
  func alike() async throws {
    let redis = try RedisServer()
    let servers = try (1...2).map { _ in try SharedWorld(redis, CountScreen()) }
    _ = try servers[0].number
    for _ in 1...2 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...1_024 { group.addTask { try await servers[number % 2].send("add") } }
        try await group.waitForAll()
      }
    }
    try await SharedWorld.wait { try servers.allSatisfy { try $0.number == 2_048 } }
    try await SharedWorld.wait { try Self.digests(redis).count == 4 }
    #expect(try Set(Self.digests(redis)).count == 2)
    #expect(servers.allSatisfy { $0.engine.journalDoubt != .differs && $0.incidents.all.isEmpty })
  }

  /// The digests that servers have told each other.
  private static func digests(_ redis: RedisServer) throws -> [Substring] {
    let era = try redis.command("get demo").prefix(16)
    let lines = try redis.command("xrange demo:\(era):entries - +").split(separator: "\n")
    return lines.indices.filter { lines[$0] == "digest" }.map { lines[$0 + 1] }
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
      SharedWorld(redis, CountScreen()), SharedWorld(redis, slow),
    ]
    try await servers[0].send("add")
    try await SharedWorld.wait { servers[1].engine.journalDoubt == .behind }
    #expect(servers[0].engine.journalDoubt == nil)
    gate.signal()
    try await SharedWorld.wait { servers[1].engine.journalDoubt == nil }
    #expect(try servers[1].number == 1)
    kill(redis.identifier, SIGSTOP)
    for server in servers { try await SharedWorld.wait { server.engine.journalDoubt == .behind } }
    kill(redis.identifier, SIGCONT)
    for server in servers { try await SharedWorld.wait { server.engine.journalDoubt == nil } }
  }
}
