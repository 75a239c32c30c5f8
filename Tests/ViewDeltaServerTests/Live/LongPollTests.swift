import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A poll that waits")
struct LongPollTests {
  @Test("is answered by the next change, with its diff")
  func change() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    let poll = backend.poll("since=\(start)&wait=20")
    #expect(poll.answer == nil)
    #expect(backend.waitingCount == 1)
    await backend.send("loadPosts")
    let answer = try #require(poll.answer)
    #expect(answer.status == 200)
    #expect(answer.body == (await backend.diff("since=\(start)").body))
    #expect(answer["View-Revision"] == (try await backend.revision))
    #expect(backend.waitingCount == 0)
  }

  @Test("is 204 with the revision once its time is over, up to a tenth of a second early")
  func timeout() async throws {
    let (backend, revision) = try await Backend.loaded()
    for delay in [0, 37, 99] {
      backend.scheduler.advance(by: .milliseconds(delay))
      let poll = backend.poll("since=\(revision)&wait=3")
      backend.scheduler.advance(by: .milliseconds(2_899))
      #expect(poll.answer == nil)
      backend.scheduler.advance(by: .milliseconds(101))
      let answer = try #require(poll.answer)
      #expect(answer.status == 204)
      #expect(answer.body.isEmpty)
      #expect(answer["View-Revision"] == revision)
      #expect(answer["Cache-Control"] == "no-store")
      #expect(backend.waitingCount == 0)
    }
  }

  @Test(
    "waits no longer than 55 seconds, whatever it asks for",
    arguments: [
      "55", "56", "1000000000", "99999999999999999999", "00000000000000000000060",
    ])
  func clamped(wait: String) async throws {
    let (backend, revision) = try await Backend.loaded()
    let poll = backend.poll("since=\(revision)&wait=\(wait)")
    backend.scheduler.advance(by: .milliseconds(54_899))
    #expect(poll.answer == nil)
    backend.scheduler.advance(by: .milliseconds(101))
    #expect(poll.answer?.status == 204)
  }

  @Test(
    "takes the time from Prefer where the query names none, and passes over what is malformed there",
    arguments: [
      ("wait=7", "", 7), ("wait=7", "&wait=3", 3), ("wait=7", "&wait=0", 0), ("wait=100", "", 55),
      ("wait=0", "", 0), ("wait=x", "", 0), ("wait=", "", 0), ("wait=-1", "", 0),
      ("wait=1.5", "", 0), ("wait", "", 0), ("", "", 0), ("wait=x", "&wait=3", 3),
      ("wait=x, wait=7", "", 0), ("wait=7, wait=9", "", 7), ("respond-async, wait=7", "", 7),
      ("handling=lenient, wait=7; foo=\"bar\"", "", 7), ("Wait=7", "", 7), ("wait=\"7\"", "", 7),
      ("wait = 7", "", 7), ("a=\"b, wait=9\", wait=7", "", 7), ("wait=7, wait", "", 7),
      ("awaits=7", "", 0), ("wait=99999999999999999999", "", 55),
    ])
  func prefer(field: String, query: String, seconds: Int) async throws {
    let (backend, revision) = try await Backend.loaded()
    let poll = backend.poll("since=\(revision)\(query)", [.prefer: field])
    if seconds > 0 {
      backend.scheduler.advance(by: .seconds(seconds) - .milliseconds(101))
      #expect(poll.answer == nil)
      backend.scheduler.advance(by: .milliseconds(101))
    }
    #expect(poll.answer?.status == 204)
  }

  @Test("does not wait where there is something to tell, nothing to wait for, or no time to")
  func atOnce() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    await backend.send("loadPosts")
    let current = try await backend.revision
    for (query, kind) in [
      ("wait=20", "snapshot"), ("since=\(start)&wait=20", "diff"),
      ("since=\(current)&until=\(current)&wait=20", "diff"),
      ("since=\(start)&until=\(current)&wait=20", "diff"), ("since=00000000.0&wait=20", "reset"),
    ] {
      let poll = backend.poll(query)
      #expect(try poll.answer?.string("kind") == kind)
    }
    #expect(backend.poll("since=\(current)&wait=0").answer?.status == 204)
    #expect(backend.poll("since=\(current)").answer?.status == 204)
    #expect(
      backend.open(.get, "/v1/view-models/profile/99/diff?since=R&wait=9").answer?.status == 404)
    #expect(backend.waitingCount == 0)
  }

  @Test("gets one diff for the burst that happened while it was away")
  func burst() async throws {
    let (backend, start) = try await Backend.loaded()
    for number in 1...20 { await backend.retitle("Title \(number)") }
    let answer = try #require(backend.poll("since=\(start)&wait=20").answer)
    let updates = try answer.json.member("rows").member("updates").elements()
    #expect(updates.count == 1)
    #expect(try updates[0].member("set").value == ["title": "Title 20"])
  }

  @Test("misses no change, whether it comes before it or after it")
  func chain() async throws {
    let (backend, start) = try await Backend.loaded()
    var since = start
    for number in 1...50 {
      let early = backend.poll("since=\(since)&wait=20")
      await backend.retitle("Title \(number)")
      let late = backend.poll("since=\(since)&wait=20")
      #expect(early.answer?.text.contains("Title \(number)") == true)
      #expect(early.answer?.body == late.answer?.body)
      since = try #require(early.answer?["View-Revision"])
    }
    #expect(since == (try await backend.revision))
  }

  @Test("is woken by no other view model, by nothing that changes nothing, and by no reader")
  func undisturbed() async throws {
    let (backend, revision) = try await Backend.loaded()
    let poll = backend.poll("since=\(revision)&wait=20")
    await backend.call(.post, "/v1/view-models/profile/2/commands", body: ["type": "appear"])
    await backend.call(.post, "/v1/users/2/posts", body: ["title": "New", "body": "Text"])
    await backend.call(.post, "/v1/users", body: ["username": "carla"])
    let ignored = await backend.send("cancelPosts")
    #expect(try ignored.json.member("accepted").bool() == false)
    #expect(await backend.send("nothing").status == 422)
    await backend.retitle("One")
    for target in ["", "/diff", "/revisions", "/diff?since=\(revision)", "?at=\(revision)"] {
      await backend.get(Backend.viewModel + target)
    }
    await backend.call(.head, Backend.viewModel)
    #expect(poll.answer == nil)
    #expect(backend.waitingCount == 1)
    #expect(try await backend.revision == revision)
  }

  @Test("is woken by each thing that changes the view: a command, a load's end, a write")
  func causes() async throws {
    let backend = try Backend()
    func next() async throws -> ParkedRequest {
      backend.poll("since=\(try await backend.revision)&wait=50")
    }
    var poll = try await next()
    await backend.send("loadPosts")
    #expect(try poll.answer?.json.member("states").value == ["posts": "isLoading"])
    poll = try await next()
    backend.scheduler.advance(by: .seconds(4))
    #expect(try poll.answer?.json.member("states").value == ["posts": "loaded"])
    poll = try await next()
    await backend.call(.delete, "/v1/users/1/posts/1")
    let rows = try #require(try poll.answer?.json.member("rows"))
    #expect(try rows.member("deletes").elements()[0].member("id").string() == "post/1")
  }

  @Test("is forgotten when its client leaves")
  func abandoned() async throws {
    let (backend, revision) = try await Backend.loaded()
    let polls = (0..<10).map { _ in backend.poll("since=\(revision)&wait=20") }
    for poll in polls.prefix(5) { poll.abandon() }
    #expect(backend.waitingCount == 5)
    await backend.retitle("Two")
    #expect(polls.map { $0.answer == nil } == (0..<10).map { $0 < 5 })
    #expect(backend.waitingCount == 0)
    backend.scheduler.advance(by: .seconds(60))
    #expect(polls[0].answer == nil)
  }

  @Test("leaves neither a place nor a timer behind, however it ended")
  func leftovers() async throws {
    let (backend, start) = try await Backend.loaded()
    let before = backend.scheduler.pendingCount
    var since = start
    for round in 1...20 {
      let polls = (1...10).map { backend.poll("since=\(since)&wait=\($0 * 5)") }
      polls[round % 10].abandon()
      backend.scheduler.advance(by: .seconds(round % 30))
      await backend.retitle("Title \(round)")
      since = try await backend.revision
      #expect(backend.waitingCount == 0)
      // At most the one timer of all who wait.
      #expect(backend.scheduler.pendingCount <= before + 1)
    }
    backend.scheduler.advance(by: .seconds(55))
    #expect(backend.scheduler.pendingCount == before)
  }
}
