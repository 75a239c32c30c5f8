import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaClient
import ViewState

@Suite("A client that is fed diffs only")
struct ReplicaHistoryTests {
  @Test("equals the snapshot byte for byte after every step of a random history")
  func convergence() async throws {
    try await withSeeds(20) { generator in
      let backend = try Backend(refreshPolicy: generator.chance(0.5) ? .blank : .keepPrevious)
      var eager = try Replica(document: await backend.get(Backend.viewModel).body)
      var lazy = eager
      for _ in 0..<80 {
        try await Self.step(backend, &generator)
        try await backend.follow(Backend.viewModel, &eager)
        if generator.chance(0.1) { try await backend.follow(Backend.viewModel, &lazy) }
      }
      try await backend.follow(Backend.viewModel, &lazy)
      try require(lazy.canonicalBytes() == eager.canonicalBytes(), "two clients differ")
    }
  }

  @Test("can go from any kept revision to any other")
  func allPairs() async throws {
    try await withSeeds(2) { generator in
      let backend = try Backend()
      for _ in 0..<60 { try await Self.step(backend, &generator) }
      let kept = try await backend.revisions()
      for from in kept {
        let start = try Replica(document: await backend.get("\(Backend.viewModel)?at=\(from)").body)
        for to in kept {
          var replica = start
          let diff = await backend.diff("since=\(from)&until=\(to)")
          try replica.apply(document: diff.body)
          let target = await backend.get("\(Backend.viewModel)?at=\(to)")
          try require(replica.canonicalBytes() == target.body, "\(from) to \(to)")
        }
      }
    }
  }

  /// One thing that a user, a developer or the time may do.
  private static func step(_ backend: Backend, _ generator: inout SeededGenerator) async throws {
    switch generator.number(in: 0...7) {
    case 0: await backend.send("appear")
    case 1: await backend.send(generator.pick(["loadPosts", "loadProfile"]))
    case 2: await backend.send(generator.pick(["cancelPosts", "cancelProfile"]))
    case 3, 4: backend.scheduler.advance(by: .milliseconds(generator.number(in: 0...9_000)))
    case 5:
      let source = generator.pick(["posts", "profile"])
      let outcome = JSONValue.string(generator.pick(["fail", "hang", "succeed"]))
      await backend.call(.put, "/v1/faults/\(source)/1", body: ["outcomes": .array([outcome])])
    case 6:
      let city: JSONValue =
        generator.chance(0.5) ? nil : .string(generator.pick(["Lagos", "Porto"]))
      await backend.call(
        .patch, "/v1/users/1",
        body: ["address": ["city": city], "friendsCount": .integer(generator.number(in: 0...3))])
    default:
      try await editPosts(backend, &generator)
    }
  }

  private static func editPosts(
    _ backend: Backend, _ generator: inout SeededGenerator
  ) async throws {
    let path = "/v1/users/1/posts"
    let ids = try await backend.get(path).json.elements().map { try $0.member("id").integer() }
    let date = "2026-0\(generator.number(in: 1...9))-01"
    switch generator.number(in: 0...2) {
    case 1 where !ids.isEmpty:
      await backend.call(.delete, "\(path)/\(generator.pick(ids))")
    case 2 where !ids.isEmpty:
      // A new date moves the post, a new title changes it.
      await backend.call(
        .patch, "\(path)/\(generator.pick(ids))",
        body: generator.chance(0.5)
          ? ["date": .string(date)] : ["title": .string(date), "date": .string(date)])
    default:
      await backend.call(
        .post, path, body: ["title": "T", "body": "B", "date": .string(date)])
    }
  }
}
