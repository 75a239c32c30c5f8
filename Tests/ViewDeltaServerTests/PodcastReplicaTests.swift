import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer
import ViewState

@Suite("A client of the podcasts screen that is fed diffs only")
struct PodcastReplicaTests {
  private static let viewModel = PodcastEndpointTests.viewModel

  @Test("equals the snapshot byte for byte after every step of a random history")
  func convergence() async throws {
    try await withSeeds(20) { generator in
      let backend = try Backend(
        .podcasts, refreshPolicy: generator.chance(0.5) ? .blank : .keepPrevious
      ) {
        $0.configuration.latencies["podcasts"] = .seconds(2)
      }
      var replica = try Replica(document: await backend.get(Self.viewModel).body)
      for _ in 0..<60 {
        try await Self.step(backend, &generator)
        try await backend.follow(Self.viewModel, &replica)
      }
    }
  }

  @Test("chooses the refresh policy by the action of the header, and sees it at once")
  func policy() async throws {
    let backend = try Backend(.podcasts)
    let revision = try await backend.get(Self.viewModel).string("revision")
    let answer = await backend.call(
      .post, "\(Self.viewModel)/commands?since=\(revision)",
      body: ["type": "setRefreshPolicy", "policy": "blank"])
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""refreshPolicy":"blank""#))
    let refused = await backend.call(
      .post, "\(Self.viewModel)/commands", body: ["type": "setRefreshPolicy", "policy": "none"])
    #expect(refused.status == 422 && refused.pointer == "/policy")
    let unknown = await backend.call(
      .post, "\(Self.viewModel)/commands", body: ["type": "loadPosts"])
    #expect(unknown.status == 422 && unknown.code == "invalid-command")
  }

  /// One thing that a user, a developer or the time may do.
  private static func step(_ backend: Backend, _ generator: inout SeededGenerator) async throws {
    let id = generator.number(in: 1...6)
    switch generator.number(in: 0...6) {
    case 0, 1: _ = await PodcastEndpointTests.send(backend, ["type": "load"])
    case 2: _ = await PodcastEndpointTests.send(backend, ["type": "cancel"])
    case 3:
      let policy = JSONValue.string(generator.pick(["keepPrevious", "blank"]))
      _ = await PodcastEndpointTests.send(
        backend, ["type": "setRefreshPolicy", "policy": policy])
    case 4: backend.scheduler.advance(by: .milliseconds(generator.number(in: 0...4_000)))
    case 5:
      let outcome = JSONValue.string(generator.pick(["fail", "hang", "succeed"]))
      await backend.call(.put, "/v1/faults/podcasts/1", body: ["outcomes": .array([outcome])])
    default:
      let date = "2026-0\(generator.number(in: 1...9))-01"
      let body: JSONValue = [
        "id": .integer(id), "title": .string(generator.pick(["A", "B", ""])),
        "latestEpisode": ["title": "E", "date": .string(date)],
      ]
      let path = PodcastEndpointTests.podcasts
      switch generator.number(in: 0...2) {
      case 0: await backend.call(.post, path, body: body)
      case 1: await backend.call(.patch, "\(path)/\(id)", body: body)
      default: await backend.call(.delete, "\(path)/\(id)")
      }
    }
  }
}
