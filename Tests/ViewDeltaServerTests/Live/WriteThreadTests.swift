import CanonicalJSON
import Glibc
import MicroHTTP
import Snapshots
import Synchronization
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("The thread that applies a command", .serialized)
struct WriteThreadTests {
  @Test("is that of the connection if commands of late were quick, and another one if not")
  func pace() async throws {
    try await Self.run { (threads: Threads) throws in
      #expect(try threads.ofCommand("work") == threads.serving)
      #expect(try threads.ofCommand("takeLong") == threads.serving)
      #expect(try threads.ofCommand("work") != threads.serving)
      for _ in 0..<100 { _ = try threads.ofCommand("work") }
      #expect(try threads.ofCommand("work") == threads.serving)
    }
  }

  @Test("is another one if the view model must be made")
  func unmade() async throws {
    try await Self.run { (threads: Threads) throws in
      #expect(try threads.ofCommand("work", key: "2") != threads.serving)
      #expect(try threads.ofCommand("work", key: "2") == threads.serving)
    }
  }

  @Test("is another one if the command is large, or asks for a diff")
  func size() async throws {
    try await Self.run { (threads: Threads) throws in
      let padding = String(repeating: " ", count: 4096)
      #expect(try threads.ofCommand("work", padding: padding) != threads.serving)
      #expect(try threads.ofCommand("work", query: "?since=x") != threads.serving)
      #expect(try threads.ofCommand("work") == threads.serving)
    }
  }

  private static func run(_ body: @escaping @Sendable (Threads) throws -> Void) async throws {
    let scheduler = ManualScheduler()
    let feature = ThreadFeature(scheduler: scheduler)
    let environment = ScreenEnvironment(scheduler: scheduler)
    let application = try Application(ApplicationConfiguration(environment: environment)) {
      feature
    }
    let backend = Backend(scheduler: scheduler, application: application)
    try await LiveServer.run(backend, configure: { $0.threads = 1 }) { live in
      try body(Threads(client: live.client(), latest: feature.latest))
    }
  }

  /// The threads of one connection and of the commands that it sends.
  private struct Threads {
    let client: SocketClient
    let latest: Latest
    let serving: pthread_t

    init(client: SocketClient, latest: Latest) throws {
      (self.client, self.latest) = (client, latest)
      // Whether a screen has a key is asked where the request is served.
      #expect(try client.get("/v1/view-models/threads/none").status == 404)
      serving = latest.thread
      #expect(try client.get("/v1/view-models/threads/1").status == 200)
    }

    func ofCommand(
      _ type: String, key: String = "1", query: String = "", padding: String = ""
    ) throws -> pthread_t {
      let reply = try client.request(
        "POST", "/v1/view-models/threads/\(key)/commands\(query)",
        json: #"{"type":"\#(type)"}"# + padding)
      #expect(reply.status == 200)
      return latest.thread
    }
  }
}

/// The thread that code of the screen last ran on.
private final class Latest: Sendable {
  private let latest = Atomic<pthread_t>(0)

  var thread: pthread_t { latest.load(ordering: .acquiring) }

  func note() { latest.store(pthread_self(), ordering: .releasing) }
}

private struct ThreadFeature: Feature {
  let scheduler: ManualScheduler
  let latest = Latest()

  func register(in application: inout ApplicationBuilder) {
    application.add(ThreadScreen(scheduler: scheduler, latest: latest))
  }
}

/// A screen that notes the threads that it runs on.
private struct ThreadScreen: Screen {
  let scheduler: ManualScheduler
  let latest: Latest

  static let name: Text = "threads"
  static let keyName = "name"
  static let summary = "The threads of commands."
  static let number = RowType("number", of: Int.self) { Field("n", \.self) }

  var commands: [AnyCommand<Int>] {
    Command("work", "Works.") { [latest] (_: inout Int) in latest.note() }
    Command("takeLong", "Works for longer than a thread may be kept.") {
      [latest, scheduler] (_: inout Int) in
      latest.note()
      scheduler.advance(by: .milliseconds(10))
    }
  }

  var rowTypes: [RowTypeDescriptor] { Self.number }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    latest.note()
    if key == "none" { throw .unknownKey }
    return 0
  }

  func body(_ state: Int) -> [ListSection] { ListSection("s") { Self.number("r", state) } }
}
