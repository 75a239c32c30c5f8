import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewState

@testable import ViewDeltaServer

@Suite("Over HTTP, a screen that fails")
struct FailingScreenEndpointTests {
  static let path = "/v1/view-models/fragile"

  static func backend() throws -> Backend {
    try FeatureTests.backend { FragileScreen() }
  }

  static func set(
    _ key: Int, to number: Int, in backend: Backend, _ fields: HTTPFields = [:]
  ) async -> Answer {
    await backend.call(
      .post, "\(path)/\(key)/commands", fields, body: ["type": "set", "to": .integer(number)])
  }

  @Test("answers 500 with a stable code to everything, for its own key only, until it is healed")
  func everywhere() async throws {
    let backend = try Self.backend()
    let revision = try await backend.get("\(Self.path)/1").string("revision")
    let broken = await Self.set(1, to: FragileScreen.broken, in: backend)
    #expect(broken.status == 500 && broken.code == "screen-failed")
    #expect(broken["Content-Type"] == "application/problem+json")
    let suffixes = [
      "", "?at=\(revision)", "/diff", "/diff?since=\(revision)&wait=10", "/revisions",
      "/diff?since=abc&have=\(String(repeating: "A", count: 43))",
    ]
    for suffix in suffixes {
      let answer = await backend.get("\(Self.path)/1\(suffix)")
      #expect(answer.status == 500 && answer.code == "screen-failed", "\(suffix)")
    }
    let events = await backend.get("\(Self.path)/1/events", [.accept: "text/event-stream"])
    #expect(events.status == 500 && events.code == "screen-failed")
    #expect(await backend.get("\(Self.path)/2").status == 200)
    #expect(await backend.get("\(Self.path)/x").status == 404)

    let healed = await Self.set(1, to: 3, in: backend)
    #expect(healed.status == 200)
    let diff = await backend.get("\(Self.path)/1/diff?since=\(revision)")
    #expect(try diff.string("revision") == healed.string("revision"))
    #expect(try diff.string("kind") == "diff")
  }

  @Test("from the start answers 500, and a command can heal it")
  func fromTheStart() async throws {
    let backend = try Self.backend()
    #expect(await backend.get("\(Self.path)/11").code == "screen-failed")
    #expect(await Self.set(11, to: FragileScreen.broken, in: backend).code == "screen-failed")
    #expect(await Self.set(11, to: 5, in: backend).status == 200)
    #expect(try await backend.get("\(Self.path)/11").json.member("rowCount").integer() == 1)
  }

  @Test("answers a command of one key alike, which is done once")
  func idempotency() async throws {
    let backend = try Self.backend()
    let key: HTTPFields = [.idempotencyKey: "k"]
    let broken = await Self.set(1, to: FragileScreen.broken, in: backend, key)
    #expect(broken.status == 500)
    #expect(await Self.set(1, to: 3, in: backend).status == 200)
    #expect(await Self.set(1, to: FragileScreen.broken, in: backend, key).body == broken.body)
    #expect(await backend.get("\(Self.path)/1").status == 200)
  }

  @Test("is a problem in its own place of a sync, at once")
  func sync() async throws {
    let backend = try Self.backend()
    let since = try await backend.get("\(Self.path)/1").json.member("revision").value
    let other = try await backend.get("\(Self.path)/2").json.member("revision").value
    let waiting = backend.sync([
      "screens": ["fragile/1": ["since": since], "fragile/2": ["since": other]], "wait": 20,
    ])
    #expect(waiting.answer == nil)
    _ = await Self.set(1, to: FragileScreen.twice, in: backend)
    let answer = try #require(waiting.answer)
    let screens = try answer.json.member("screens")
    #expect(try screens.memberNames == ["fragile/1"])
    #expect(try screens.member("fragile/1").member("code").string() == "screen-failed")
    #expect(try screens.member("fragile/1").member("kind").string() == "problem")
  }

  @Test("that is repaired is a change for those who know that it failed", arguments: [1, 3])
  func repair(to number: Int) async throws {
    let backend = try Self.backend()
    let first = try await backend.get("\(Self.path)/1").string("revision")
    let other = try await backend.get("\(Self.path)/2").string("revision")
    let stream = try #require(
      backend.events(
        "screen=fragile/1&since=\(first)&screen=fragile/2&since=\(other)", of: "/v1"))
    _ = try stream.read()
    _ = await Self.set(1, to: FragileScreen.twice, in: backend)
    #expect(
      try stream.read().contains {
        String(decoding: $0.data ?? [], as: UTF8.self).contains("screen-failed")
      })
    let waiting = backend.sync([
      "screens": ["fragile/1": ["since": "screen-failed"], "fragile/2": ["since": .string(other)]],
      "wait": 20,
    ])
    #expect(waiting.answer == nil)
    #expect(await Self.set(1, to: number, in: backend).status == 200)
    let screens = try #require(waiting.answer).json.member("screens")
    #expect(try screens.memberNames == ["fragile/1"])
    #expect(try screens.member("fragile/1").member("kind").string() == "reset")
    #expect(
      try stream.read().contains {
        String(decoding: $0.data ?? [], as: UTF8.self).contains(#""kind":"reset""#)
      })
  }

  @Test("ends the polls and streams that wait for it")
  func waiting() async throws {
    let backend = try Self.backend()
    let revision = try await backend.get("\(Self.path)/1").string("revision")
    let poll = backend.open(.get, "\(Self.path)/1/diff?since=\(revision)&wait=20")
    let stream = try #require(backend.events("since=\(revision)", of: "\(Self.path)/1"))
    _ = try stream.read()
    _ = await Self.set(1, to: FragileScreen.twice, in: backend)
    #expect(poll.answer?.code == "screen-failed")
    #expect(try stream.read().isEmpty && stream.isOver)
    #expect(backend.waitingCount == 0)
  }

  @Test("is not served from a reply that was made before")
  func standing() async throws {
    try await LiveServer.run(try Self.backend()) { live in
      let client = try live.client()
      func set(_ number: Int) throws -> Int {
        try client.request(
          "POST", "\(Self.path)/1/commands", json: #"{"type":"set","to":\#(number)}"#
        ).status
      }
      func get() throws -> [Int] {
        try (1...3).map { _ in try client.get("\(Self.path)/1").status }
      }
      let before = try get()
      #expect(before == [200, 200, 200])
      #expect(try set(FragileScreen.twice) == 500)
      #expect(try get() == [500, 500, 500])
      #expect(try set(1) == 200)
      #expect(try get() == before)
    }
  }
}
