import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

@Suite("The end of an event stream")
struct EventStreamEndTests {
  @Test(
    "comes after its lifetime, with nothing but a comment for each 15 seconds before",
    arguments: [.seconds(20), .milliseconds(20_050), .milliseconds(15_030), .milliseconds(60_099)]
      as [Duration])
  func lifetime(lifetime: Duration) async throws {
    let (backend, revision) = try await Backend.loaded {
      $0.configuration.eventStreamLifetime = lifetime...lifetime
    }
    let stream = try #require(backend.events("since=\(revision)"))
    var comments = 0
    var elapsed = Duration.zero
    _ = try stream.read()
    while !stream.isOver, elapsed < lifetime {
      backend.scheduler.advance(by: .milliseconds(10))
      elapsed += .milliseconds(10)
      comments += try stream.read().count
    }
    #expect(stream.isOver)
    #expect(elapsed >= lifetime - .milliseconds(110))
    #expect(comments <= Int(lifetime / .seconds(15)))
    #expect(backend.waitingCount == 0)
  }

  @Test("is drawn from the range for each, so that they do not come back together")
  func jitter() async throws {
    let (backend, revision) = try await Backend.loaded()
    let streams = try (0..<60).map { _ in try #require(backend.events("since=\(revision)")) }
    for stream in streams { _ = try stream.read() }
    var endedAt: [Int] = []
    for second in 1...361 {
      backend.scheduler.advance(by: .seconds(1))
      for stream in streams where !stream.isOver {
        _ = try stream.read()
        if stream.isOver { endedAt.append(second) }
      }
    }
    #expect(endedAt.count == 60)
    #expect(endedAt.allSatisfy { (240...361).contains($0) })
    #expect(Set(endedAt).count > 15)
    #expect(backend.waitingCount == 0)
  }

  @Test("comes with the key's deletion; a client that comes back learns of it")
  func deletion() async throws {
    let (backend, revision) = try await Backend.loaded()
    let stream = try #require(backend.events("since=\(revision)"))
    _ = try stream.read()
    await backend.call(.delete, "/v1/users/1")
    #expect(try stream.read().isEmpty)
    #expect(stream.isOver)
    #expect(backend.waitingCount == 0)
    let back = await backend.get(Backend.viewModel + "/events", [.lastEventID: revision])
    #expect(back.status == 410)
  }

  @Test("does not come where the key was made anew: that is a reset")
  func madeAnew() async throws {
    let (backend, revision) = try await Backend.loaded()
    let stream = try #require(backend.events("since=\(revision)"))
    _ = try stream.read()
    await backend.call(.delete, "/v1/users/1")
    await backend.call(.post, "/v1/users", body: ["id": 1, "username": "ada"])
    let events = try stream.read()
    #expect(events.map(\.data) == [await backend.diff("since=\(revision)").body])
    #expect(!stream.isOver)
  }

  @Test("comes when the server goes down, also for one that has not read yet")
  func drain() async throws {
    let (backend, revision) = try await Backend.loaded()
    let streams = try (0..<20).map { _ in try #require(backend.events("since=\(revision)")) }
    for stream in streams.prefix(10) { _ = try stream.read() }
    backend.application.beginDraining()
    for stream in streams { #expect(try stream.read().isEmpty) }
    #expect(streams.allSatisfy { $0.isOver })
    #expect(backend.waitingCount == 0)
  }

  @Test("frees its place when the client leaves, and leaves no timer")
  func leftovers() async throws {
    let (backend, revision) = try await Backend.loaded()
    let before = backend.scheduler.pendingCount
    let streams = try (0..<50).map { _ in try #require(backend.events("since=\(revision)")) }
    for stream in streams.prefix(25) { _ = try stream.read() }
    #expect(backend.waitingCount == 50)
    for stream in streams { stream.leave() }
    #expect(backend.waitingCount == 0)
    await backend.retitle("Two")
    backend.scheduler.advance(by: .seconds(15))
    #expect(backend.scheduler.pendingCount == before)
  }

  @Test("is at the first look for HEAD, which takes no place")
  func head() async throws {
    let (backend, _) = try await Backend.loaded()
    let head = await backend.call(.head, Backend.viewModel + "/events")
    #expect(head.status == 200)
    #expect(head["Content-Type"] == "text/event-stream")
    #expect(backend.waitingCount == 0)
  }
}
