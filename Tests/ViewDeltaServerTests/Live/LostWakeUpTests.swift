import Dispatch
import Synchronization
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A change and a poll that meet", .serialized)
struct LostWakeUpTests {
  /// How long each race goes on at least; a slow machine takes longer for a hundred changes.
  private static let budget = Duration.milliseconds(1_500)

  /// How far pollers have come.
  private final class Progress: Sendable {
    private let revisions: Mutex<[String]>
    private let isOver = Mutex(false)

    init(_ count: Int, start: String) {
      revisions = Mutex(Array(repeating: start, count: count))
    }

    var isRunning: Bool { !isOver.withLock { $0 } }
    func end() { isOver.withLock { $0 = true } }
    func reached(_ revision: String, by poller: Int) {
      revisions.withLock { $0[poller] = revision }
    }
    /// Whether every poller has this revision.
    func all(have revision: String) -> Bool {
      revisions.withLock { $0.allSatisfy { $0 == revision } }
    }
  }

  @Test("never miss each other on many threads: each poller sees every final state")
  func threads() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    let progress = Progress(4, start: start)
    let pollers = (0..<4).map { number -> @Sendable () throws -> Void in
      {
        var since = start
        while progress.isRunning {
          let answered = DispatchSemaphore(value: 0)
          let poll = backend.poll("since=\(since)&wait=50", onAnswer: { answered.signal() })
          guard answered.waitPatiently() else {
            throw LawViolation("poller \(number) was not woken from \(since)")
          }
          guard poll.answer?.status == 200, let next = poll.answer?["View-Revision"] else {
            continue
          }
          since = next
          progress.reached(since, by: number)
        }
      }
    }
    async let polling = SocketThread.run { try onThreads(pollers).count }
    var generator = SeededGenerator(seed: 1)
    let end = ContinuousClock.now + Self.budget
    var changes = 0
    do {
      defer {
        progress.end()
        backend.application.beginDraining()
      }
      while changes <= 100 || ContinuousClock.now < end {
        for _ in 0..<generator.number(in: 1...3) {
          changes += 1
          await backend.send(changes % 2 == 1 ? "loadPosts" : "cancelPosts")
        }
        let revision = try await backend.revision
        try awaitTrue("all have \(revision)") { progress.all(have: revision) }
      }
    }
    #expect(try await polling == 4)
    #expect(backend.waitingCount == 0)
  }

  @Test("never miss each other on connections: each poller sees every final state")
  func connections() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    try await LiveServer.run(backend) { live in
      let progress = Progress(6, start: start)
      let pollers = (0..<6).map { number -> @Sendable () throws -> Void in
        {
          let client = try live.client()
          var since = start
          while progress.isRunning {
            let reply = try client.get("\(Backend.viewModel)/diff?since=\(since)&wait=50")
            guard reply.status == 200 else { continue }
            since = try LiveServer.revision(of: reply)
            progress.reached(since, by: number)
          }
        }
      }
      let writer: @Sendable () throws -> Void = {
        defer {
          progress.end()
          backend.application.beginDraining()
        }
        let client = try live.client()
        var generator = SeededGenerator(seed: 2)
        let end = ContinuousClock.now + Self.budget
        var changes = 0
        while changes <= 100 || ContinuousClock.now < end {
          var revision = start
          for _ in 0..<generator.number(in: 1...3) {
            changes += 1
            let type = changes % 2 == 1 ? "loadPosts" : "cancelPosts"
            revision = try LiveServer.revision(
              of: client.request(
                "POST", "\(Backend.viewModel)/commands", json: "{\"type\":\"\(type)\"}"))
          }
          try awaitTrue("all have \(revision)") { progress.all(have: revision) }
        }
      }
      _ = try onThreads(pollers + [writer])
    }
  }
}
