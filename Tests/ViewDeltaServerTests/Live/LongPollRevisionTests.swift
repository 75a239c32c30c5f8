import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer
import ViewState

@Suite("A poll that waits since a revision that is not known, or no longer")
struct LongPollRevisionTests {
  /// A client that was fed by a server of another run, and a new server that shows the same.
  static func afterRestart() async throws -> (Replica, Backend) {
    let (before, _) = try await Backend.loaded()
    let replica = try Replica(document: await before.get(Backend.viewModel).body)
    return (replica, try await Backend.loaded().0)
  }

  static func query(_ replica: Replica) -> String {
    "since=\(replica.revision)&have=\(ContentHash(of: replica.snapshot))&wait=20"
  }

  @Test("waits where the client has what is shown, and gets a diff from its own revision")
  func matching() async throws {
    let (held, backend) = try await Self.afterRestart()
    var replica = held
    let idle = backend.poll(Self.query(replica))
    backend.scheduler.advance(by: .seconds(20))
    #expect(idle.answer?.status == 204)
    #expect(idle.answer?["View-Revision"] == (try await backend.revision))

    let poll = backend.poll(Self.query(replica))
    #expect(poll.answer == nil)
    await backend.retitle("Two")
    let answer = try #require(poll.answer)
    #expect(try answer.string("kind") == "diff")
    #expect(try answer.string("from") == replica.revision.string)
    #expect(answer["Cache-Control"] == "no-store")
    try replica.apply(document: answer.body)
    #expect(replica.canonicalBytes() == (await backend.get(Backend.viewModel).body))
  }

  @Test("waits after a way out and back, where one with a known revision learns of it")
  func outAndBack() async throws {
    let (replica, backend) = try await Self.afterRestart()
    let start = try await backend.revision
    await backend.retitle("Two")
    await backend.retitle("One")
    #expect(try await backend.revision != start)
    let known = try #require(backend.poll("since=\(start)&wait=20").answer)
    #expect(
      try known.json.memberNames == ["digest", "from", "kind", "revision", "rowCount", "screen"])
    let poll = backend.poll(Self.query(replica))
    #expect(poll.answer == nil)
    await backend.retitle("Three")
    #expect(try poll.answer?.json.member("rows").memberNames == ["updates"])
  }

  @Test("goes on waiting after a change that cannot be seen, and hears of the next one that can")
  func rename() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    let poll = backend.poll("since=\(start)&wait=20")
    let idle = backend.poll("since=\(start)&wait=5")
    await backend.retitle("Two")
    #expect(poll.answer == nil && idle.answer == nil)
    backend.scheduler.advance(by: .seconds(5))
    #expect(idle.answer?.status == 204)
    #expect(idle.answer?["View-Revision"] == (try await backend.revision))
    #expect(try await backend.revision != start)
    let late = backend.poll("since=\(start)&wait=20")
    #expect(late.answer == nil)

    await backend.send("loadPosts")
    for poll in [poll, late] {
      let answer = try #require(poll.answer)
      #expect(try answer.string("from") == start)
      #expect(answer["View-Revision"] == (try await backend.revision))
    }
  }

  @Test("gets the diff at once where the client has what was shown, and a reset where it never was")
  func older() async throws {
    let (replica, backend) = try await Self.afterRestart()
    await backend.retitle("Two")
    let diff = try #require(backend.poll(Self.query(replica)).answer)
    #expect(try diff.string("kind") == "diff")
    #expect(try diff.string("from") == replica.revision.string)
    let other = String(repeating: "A", count: 43)
    let reset = backend.poll("since=\(replica.revision)&have=\(other)&wait=20")
    #expect(try reset.answer?.string("reason") == "epoch-changed")
  }

  @Test("goes by the revision alone where that is known, whatever the client says it has")
  func knownRevision() async throws {
    let (backend, revision) = try await Backend.loaded()
    let poll = backend.poll("since=\(revision)&have=\(String(repeating: "A", count: 43))&wait=20")
    #expect(poll.answer == nil)
    await backend.retitle("Two")
    #expect(try poll.answer?.string("from") == revision)
  }

  @Test("is 410 at once for a strict client, unless its content is known")
  func strict() async throws {
    let (replica, backend) = try await Self.afterRestart()
    let strict: HTTPFields = [.prefer: "handling=strict, wait=20"]
    let poll = backend.poll("since=\(replica.revision)", strict)
    #expect(poll.answer?.status == 410)
    #expect(poll.answer?.code == "revision-expired")
    #expect(poll.answer?["Preference-Applied"] == "handling=strict")
    #expect(backend.poll(Self.query(replica), strict).answer == nil)
  }

  @Test("gets a reset, or 410, where its revision was dropped by the very change that woke it")
  func dropped() async throws {
    let backend = try Backend(logLimits: .init(count: 1, age: .zero))
    let start = try await backend.revision
    let poll = backend.poll("since=\(start)&wait=20")
    let strict = backend.poll("since=\(start)&wait=20", [.prefer: "handling=strict"])
    await backend.send("loadPosts")
    #expect(try poll.answer?.string("reason") == "history-expired")
    #expect(strict.answer?.status == 410)
    #expect(backend.waitingCount == 0)
  }

  @Test("is 410 when the key is deleted meanwhile, and 410 ever after")
  func deleted() async throws {
    let (backend, revision) = try await Backend.loaded()
    let poll = backend.poll("since=\(revision)&wait=20")
    await backend.call(.delete, "/v1/users/1")
    let answer = try #require(poll.answer)
    #expect(answer.status == 410)
    #expect(answer.code == "key-deleted")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(try answer.string("instance") == Backend.viewModel + "/diff")
    #expect(backend.waitingCount == 0)
    #expect(backend.poll("since=\(revision)&wait=20").answer?.status == 410)
  }

  @Test("names the view model as a URI does if its key was deleted")
  func escaped() async throws {
    let backend = try Backend()
    await backend.call(.post, "/v1/users", body: ["id": "a b\u{FC}", "username": "ada"])
    let viewModel = "/v1/view-models/profile/a%20b%C3%BC"
    let revision = try await backend.get(viewModel).string("revision")
    let poll = backend.open(.get, "\(viewModel)/diff?since=\(revision)&wait=20")
    await backend.call(.delete, "/v1/users/a%20b%C3%BC")
    #expect(try poll.answer?.string("instance") == "\(viewModel)/diff")
  }

  @Test("never gets the diff of a key that was deleted and made anew")
  func madeAnew() async throws {
    let (backend, revision) = try await Backend.loaded()
    await backend.call(.delete, "/v1/users/1")
    await backend.call(.post, "/v1/users", body: ["id": 1, "username": "ada"])
    let poll = await backend.diff("since=\(revision)&wait=20")
    #expect(try poll.string("reason") == "epoch-changed")
    #expect(poll.status == 200)
  }
}
