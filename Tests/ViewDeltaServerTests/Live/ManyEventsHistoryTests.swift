import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A client of one event stream of many view models")
struct ManyEventsHistoryTests {
  @Test(
    "holds what the server shows after each step of a random history, however often it breaks off")
  func convergence() async throws {
    try await withSeeds(12) { generator in
      let backend = try Backend(.scoreboards)
      let names: [Text] = [
        "profile/1", "profile/2", "profile/3", "scoreboards/all", "scoreboard/1", "scoreboard/9",
      ]
      var client = MultiReplica(names.shuffled(using: &generator))
      for name in names { await backend.get("/v1/view-models/\(name)") }
      var stream = try #require(backend.manyEvents(client.query))
      for _ in 0..<60 {
        for _ in 0..<generator.number(in: 1...4) { try await Self.step(backend, &generator) }
        if generator.chance(0.3) { stream.leave() }
        if stream.isOver {
          let fields: HTTPFields =
            client.lastEventID.isEmpty ? [:] : [.lastEventID: client.lastEventID]
          for name in names { await backend.get("/v1/view-models/\(name)") }
          stream = try #require(backend.manyEvents(client.query, fields))
        }
        try client.take(stream.read())
        if !stream.isOver { try await client.compare(with: backend) }
      }
      stream.leave()
      try require(backend.waitingCount == 0, "a stream is left")
    }
  }

  /// One thing that a user, a developer or the time may do.
  private static func step(_ backend: Backend, _ generator: inout SeededGenerator) async throws {
    let user = generator.number(in: 1...3)
    let text: JSONValue = .string(generator.pick(["Lagos", "Porto", "Quito"]))
    switch generator.number(in: 0...8) {
    case 0: await SyncTests.send("appear", to: user, backend)
    case 1: await SyncTests.send("loadPosts", to: user, backend)
    case 2: backend.scheduler.advance(by: .milliseconds(generator.number(in: 0...5_000)))
    case 3: await backend.call(.patch, "/v1/users/\(user)", body: ["address": ["city": text]])
    case 4: await backend.call(.delete, "/v1/users/\(user)")
    case 5: await backend.call(.post, "/v1/users", body: ["id": .integer(user), "username": text])
    case 6: await backend.call(.delete, "/v1/scoreboards/9")
    case 7: await backend.call(.post, "/v1/scoreboards", body: ["id": 9, "title": text])
    default: await backend.call(.patch, "/v1/scoreboards/1", body: ["title": text])
    }
  }
}
