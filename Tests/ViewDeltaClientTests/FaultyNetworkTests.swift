import CanonicalJSON
import Foundation
import Snapshots
import TestSupport
import Testing

@testable import ViewDeltaClient

@Suite("An app on a network with faults", .timeLimit(.minutes(5)))
struct FaultyNetworkTests {
  @Test("shows only contents that the server had, sends commands once, and soon has the newest one")
  func one() async throws {
    try await withSeeds(60) { random in
      try await follow(&random) { remote in
        ViewModelConnection(to: "list/1", on: remote).updates().map { ["list/1": $0] }
      }
    }
  }

  @Test("does so with a group")
  func group() async throws {
    try await withSeeds(60) { random in
      try await follow(&random) { remote in
        ViewModelGroup(of: Set(ListServer.names), on: remote).updates()
      }
    }
  }

  /// Follows lists through faults, sends commands, and checks what the app is told of both.
  private func follow(
    _ random: inout SeededGenerator,
    _ updates: (RemoteServer) -> some AsyncSequence<[Text: ViewModelUpdate], Never> & Sendable
  ) async throws {
    let network = FaultyServer(&random)
    let remote = RemoteServer(at: URL(string: "http://localhost")!, by: network, network.pacing)
    let (steps, stepCount) = (updates(remote), random.number(in: 5...40))
    let loop = Task { [random] () throws -> (app: App, recovery: Duration) in
      var (app, random, count, recovery) = (App(), random, 0, Duration.zero)
      for await step in steps {
        for (name, update) in step { try app.take(update, of: name, from: network) }
        count += 1
        if count == stepCount {
          network.recover()
          recovery = network.now
        }
        if count < stepCount, random.chance(0.5) {
          try await Self.send(Text("c\(count)"), to: remote, network)
        }
      }
      return (app, recovery)
    }
    network.stop { loop.cancel() }
    let (app, recovery) = try await loop.value
    let server = network.server
    try require(!app.replicas.isEmpty, "there is no content")
    for (name, replica) in app.replicas {
      try require(replica.snapshot == server.newest(name), "\(name) is not the newest")
      try require(replica.snapshot.states["items"] == "loaded", "\(name) is not opened")
      let count = server.openings[name] ?? 0
      try require(count == 1, "\(name) is opened \(count) times")
    }
    let time = app.lastTime - recovery
    try require(time < .seconds(90), "it takes \(time) until it has the newest content")
    try require(network.mostIdle <= 8, "it asks \(network.mostIdle) times without a pause")
    try require(network.requestCount < 30, "it asks \(network.requestCount) times without faults")
  }

  /// What an app has been told.
  private struct App {
    var replicas: [Text: Replica] = [:]
    var areCurrent: [Text: Bool] = [:]
    var lastTime = Duration.zero

    mutating func take(
      _ update: ViewModelUpdate, of name: Text, from network: FaultyServer
    ) throws {
      lastTime = network.now
      switch update {
      case .changed(let replica, let changes):
        let content = try (replicas[name]?.snapshot ?? .empty).applying(changes)
        try require(content == replica.snapshot, "the changes lead to another content")
        try require(
          network.server.contents[replica.revision] == content,
          "\(replica.revision) has another content on the server")
        (replicas[name], areCurrent[name]) = (replica, true)
      case .interrupted:
        try require(areCurrent[name] != false, "an outage is told twice")
        areCurrent[name] = false
      case .resumed:
        try require(areCurrent[name] == false, "the end of no outage is told")
        areCurrent[name] = true
      case .ended(let problem): throw LawViolation("it ends with \(problem.status)")
      }
    }
  }

  private static func send(
    _ id: Text, to remote: RemoteServer, _ network: FaultyServer
  ) async throws {
    let connection = ViewModelConnection(to: "list/1", on: remote)
    var isRefused = false
    do {
      try await connection.send(["type": "add", "id": .string(id)])
    } catch let error as ConnectionError {
      isRefused = (error.problem?.status ?? 500) < 500
    }
    let count = network.server.executions[id] ?? 0
    try require(count <= (isRefused ? 0 : 1), "\(id) is executed \(count) times")
  }
}
