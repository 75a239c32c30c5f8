import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing
import ViewDeltaServer

@Suite("The room for those who wait")
struct WaitingLimitTests {
  @Test(
    "takes so many and no more; those who are in notice nothing",
    arguments: [
      (WaitingLimits(total: 3, perAddress: 100), 503, "too-many-waiting"),
      (WaitingLimits(total: 100, perAddress: 3), 429, "too-many-waiting-here"),
      (WaitingLimits(total: 3, perAddress: 3), 503, "too-many-waiting"),
    ])
  func full(limits: WaitingLimits, status: Int, code: String) async throws {
    let (backend, revision) = try await Backend.loaded { $0.configuration.waitingLimits = limits }
    let query = "since=\(revision)&wait=20"
    let polls = (0..<3).map { _ in backend.poll(query) }
    let sync: JSONValue = ["screens": ["profile/1": ["since": .string(revision)]], "wait": 20]
    for answer in [backend.poll(query).answer, backend.sync(sync).answer] {
      #expect(answer?.status == status)
      #expect(answer?.code == code)
      #expect(answer?["Retry-After"] == "5")
      #expect(answer?["Cache-Control"] == "no-store")
    }
    #expect(backend.events("since=\(revision)") == nil)
    #expect(await backend.get(Backend.viewModel + "/events").status == status)
    #expect(backend.waitingCount == 3)
    // Who need not wait is answered all the same.
    #expect(await backend.diff("since=\(revision)").status == 204)
    #expect(backend.poll("wait=20").answer?.status == 200)

    polls[0].abandon()
    let late = backend.poll(query)
    #expect(late.answer == nil)
    await backend.retitle("Two")
    #expect(polls[1].answer?.status == 200 && polls[2].answer?.status == 200)
    #expect(late.answer?.status == 200)
    #expect(backend.waitingCount == 0)
  }

  @Test("lets no address take the places of the others")
  func addresses() async throws {
    let limits = WaitingLimits(total: 5, perAddress: 2)
    let (backend, revision) = try await Backend.loaded { $0.configuration.waitingLimits = limits }
    let query = "since=\(revision)&wait=20"
    let statuses = ["a", "a", "a", "b", "b", "b", "c", "c", "d"].map {
      backend.poll(query, from: $0).answer?.status
    }
    #expect(statuses == [nil, nil, 429, nil, nil, 429, nil, 503, 503])
  }

  @Test("counts event streams, and gives their places back")
  func streams() async throws {
    let limits = WaitingLimits(total: 2, perAddress: 2)
    let (backend, revision) = try await Backend.loaded { $0.configuration.waitingLimits = limits }
    let streams = try (0..<2).map { _ in try #require(backend.events()) }
    #expect(backend.waitingCount == 2)
    #expect(backend.poll("since=\(revision)&wait=20").answer?.status == 503)
    streams[0].leave()
    #expect(backend.poll("since=\(revision)&wait=20").answer == nil)
  }

  @Test("answers all when the server goes down, and takes no more")
  func drain() async throws {
    let (backend, revision) = try await Backend.loaded()
    let polls = (0..<200).map { backend.poll("since=\(revision)&wait=\(55 - $0 % 50)") }
    #expect(await backend.get("/readyz").status == 200)
    backend.application.beginDraining()
    for poll in polls {
      #expect(poll.answer?.status == 204)
      #expect(poll.answer?["View-Revision"] == revision)
    }
    #expect(backend.waitingCount == 0)
    #expect(await backend.get("/readyz").status == 503)

    let late = try #require(backend.poll("since=\(revision)&wait=20").answer)
    #expect(late.status == 503)
    #expect(late.code == "shutting-down")
    #expect(late["Retry-After"] == "1")
    #expect(await backend.diff("since=\(revision)").status == 204)
    #expect(await backend.get(Backend.viewModel + "/events").status == 503)
    #expect(backend.waitingCount == 0)
    backend.application.beginDraining()
  }

  @Test("answers all whose change comes first, in the order in which they came")
  func order() async throws {
    let (backend, revision) = try await Backend.loaded()
    let order = Mutex<[Int]>([])
    let numbers = Array(0..<200)
    let polls = numbers.map { number in
      backend.poll("since=\(revision)&wait=20", onAnswer: { order.withLock { $0.append(number) } })
    }
    await backend.retitle("Two")
    #expect(order.withLock { $0 } == numbers)
    #expect(polls.allSatisfy { $0.answer?.status == 200 })
  }

  @Test("gives a thousand the same reply, which was encoded once")
  func sharing() async throws {
    let (backend, revision) = try await Backend.loaded()
    for fields: HTTPFields in [[:], [.acceptEncoding: "gzip"]] {
      let since = try await backend.revision
      let polls = (0..<500).map { _ in backend.poll("since=\(since)&wait=20", fields) }
      await backend.retitle("After \(since)" + String(repeating: " and on", count: 130))
      let first = try #require(polls[0].response)
      #expect(first.status == .ok)
      #expect(polls.allSatisfy { $0.response?.isIdentical(to: first) == true })
      #expect(first.fields[.contentEncoding] == fields[.acceptEncoding])
    }
    // Those who are told that there was nothing share their reply, too.
    let since = try await backend.revision
    let idle = (1...50).map { backend.poll("since=\(since)&wait=\($0)") }
    backend.scheduler.advance(by: .seconds(55))
    let nothing = try #require(idle[0].response)
    #expect(idle.allSatisfy { $0.response?.isIdentical(to: nothing) == true })
    #expect(revision != since)
  }
}
