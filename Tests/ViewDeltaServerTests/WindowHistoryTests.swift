import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Synchronization
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@testable import ViewDeltaClient

@Suite("An app that scrolls in a view model of a server", .timeLimit(.minutes(5)))
struct WindowHistoryTests {
  private static let (board, boards): (Text, Text) = ("scoreboard/4", "scoreboards/all")

  @Test(
    "has the rows of the last window, however rows change, servers start anew and requests fail",
    arguments: [[board], [board, boards]] as [Set<Text>])
  func history(names: Set<Text>) async throws {
    try await withSeeds(8) { random in
      let line = try await Line(seed: random.next())
      var app = App(names, on: line)
      for _ in 0..<40 { try await app.step() }
      try await line.calmDown()
      while try await !app.isUpToDate() { try await app.step() }
      try require(app.outageCount > 0, "no request has failed")
    }
  }

  /// An app that knows only what it was told.
  private struct App {
    let line: Line
    let isAlone: Bool
    var one: ViewModelUpdates.AsyncIterator
    var many: ViewModelGroupUpdates.AsyncIterator
    /// Kept up to date by changes alone.
    var snapshots: [Text: Snapshot] = [:]
    var replicas: [Text: Replica] = [:]
    var outageCount = 0

    init(_ names: Set<Text>, on line: Line) {
      let group = line.group(of: names)
      (self.line, isAlone) = (line, names.count == 1)
      (one, many) = (
        group[board].updates().makeAsyncIterator(), group.updates().makeAsyncIterator()
      )
    }

    /// Takes one step, and checks that it fits what was there before, and is what the server has shown.
    mutating func step() async throws {
      let next = await isAlone ? one.next().map { [board: $0] } : many.next()
      guard let next else { throw LawViolation("it ends") }
      for (name, update) in next {
        switch update {
        case .changed(let replica, let changes):
          snapshots[name] = try (snapshots[name] ?? .empty).applying(changes)
          try require(snapshots[name] == replica.snapshot, "\(name): not what the changes give")
          replicas[name] = replica
          if let shown = await line.document(name, at: replica) {
            try require(shown == replica.canonicalBytes(), "\(name) was another one")
          }
        case .interrupted:
          try require(!line.isCalm, "\(name): \(update)")
          outageCount += 1
        case .resumed: break
        case .ended: throw LawViolation("\(name): \(update)")
        }
      }
    }

    /// Whether each copy is, byte for byte, what the server shows through the last window.
    func isUpToDate() async throws -> Bool {
      for name in isAlone ? [board] : [board, boards] {
        let shown = await line.document(name)
        if shown != replicas[name]?.canonicalBytes() { return false }
      }
      return true
    }
  }

  /// The way to a server in this process. Whatever happens meanwhile happens on the task of a request, so that a seed
  /// repeats a history.
  private final class Line: HTTPTransport {
    private struct State {
      var backend: Backend
      var random: SeededGenerator
      var window = RowWindow(start: 0, count: 10)!
      /// Whether nothing more happens.
      var isCalm = false
    }

    private struct Broken: Error {}

    private let state: Mutex<State>
    private let connection = Mutex<ViewModelConnection?>(nil)

    init(seed: UInt64) async throws {
      state = Mutex(
        State(backend: try await Self.server(), random: SeededGenerator(seed: seed)))
    }

    /// Starts a server that keeps few revisions. Its board 4 has 40 players.
    private static func server() async throws -> Backend {
      let backend = try Backend(.scoreboards, logLimits: RevisionLogLimits(count: 6, age: .zero))
      for number in 1...40 {
        let player: JSONValue = [
          "id": .integer(100 + number), "name": "One", "score": .integer(number),
        ]
        await backend.call(.post, players, body: player)
      }
      // A view model that is not made yet would be made on another thread.
      for name in [board, boards] { await backend.get("/v1/view-models/\(name)") }
      return backend
    }

    private static let players = "/v1/scoreboards/4/players"

    /// Returns a group whose board shows a window.
    func group(of names: Set<Text>) -> ViewModelGroup {
      let pacing = Pacing(now: { .zero }, sleep: { _ in }, random: { 0 })
      let server = RemoteServer(at: URL(string: "http://localhost")!, by: self, pacing)
      let group = ViewModelGroup(of: names, on: server)
      connection.withLock { $0 = group[board] }
      scroll { $0 }
      return group
    }

    private func scroll(_ next: (RowWindow) -> RowWindow) {
      let window = state.withLock { state in
        state.window = next(state.window)
        return state.window
      }
      connection.withLock { $0 }?.scroll(to: window)
    }

    private var backend: Backend { state.withLock { $0.backend } }
    var isCalm: Bool { state.withLock { $0.isCalm } }

    private func number(in range: ClosedRange<Int>) -> Int {
      state.withLock { $0.random.number(in: range) }
    }

    private func happens(_ probability: Double) -> Bool {
      state.withLock { !$0.isCalm && $0.random.chance(probability) }
    }

    func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
      while happens(0.3) { try await act() }
      if happens(0.1) { throw Broken() }
      let parked = backend.open(
        request.method, request.path ?? "", request.headerFields,
        body: body.isEmpty ? nil : try JSONValue(parsing: Array(body)))
      defer { parked.abandon() }
      let end = ContinuousClock.now + patience
      while parked.response == nil {
        if happens(0.1) { throw Broken() }
        if isCalm {
          // Some replies are made on another thread.
          await Task.yield()
          if ContinuousClock.now > end { throw Broken() }
        } else {
          try await act()
        }
        try Task.checkCancellation()
      }
      while happens(0.2) { try await act() }
      try Task.checkCancellation()
      if happens(0.1) { throw Broken() }
      guard let answer = parked.answer else { throw Broken() }
      return (
        Data(answer.body),
        HTTPResponse(status: .init(code: answer.status), headerFields: answer.fields)
      )
    }

    /// One thing that others, the user of the app or the operator may do.
    private func act() async throws {
      let player = "\(Self.players)/\(100 + number(in: 1...40))"
      let score = JSONValue.integer(number(in: 0...60))
      switch number(in: 0...40) {
      case 0:
        let backend = try await Self.server()
        state.withLock { $0.backend = backend }
      case 1...12: await backend.call(.patch, player, body: ["score": score])
      case 13...16: await backend.call(.delete, player)
      case 17...20:
        await backend.call(.post, Self.players, body: ["name": "New", "score": score])
      case 21...32:
        let step = number(in: -3...3)
        scroll { RowWindow(start: max(0, $0.start + step), count: $0.count)! }
      default:
        let window = RowWindow(start: number(in: 0...45), count: number(in: 1...20))!
        scroll { _ in window }
      }
    }

    /// Lets nothing more happen after the next changes. Everyone sees them: the number of players is another one, also
    /// if one was deleted.
    func calmDown() async throws {
      try await act()
      state.withLock { $0.isCalm = true }
      for name: JSONValue in ["Last", "Very last"] {
        await backend.call(.post, Self.players, body: ["name": name, "score": 30])
      }
    }

    /// Returns what the server shows of a view model through the last window.
    func document(_ name: Text) async -> [UInt8]? {
      let window = name == board ? state.withLock { $0.window } : nil
      return await document(name, [], window)
    }

    /// Returns what the server has shown in place of a copy; `nil` if it does not know any more.
    func document(_ name: Text, at replica: Replica) async -> [UInt8]? {
      await document(name, ["at=\(replica.revision)"], replica.snapshot.window?.rows)
    }

    private func document(
      _ name: Text, _ parameters: [String], _ window: RowWindow?
    ) async -> [UInt8]? {
      let query = parameters + (window.map { ["window=\($0.start),\($0.count)"] } ?? [])
      let answer = await backend.get("/v1/view-models/\(name)?\(query.joined(separator: "&"))")
      return answer.status == 200 ? answer.body : nil
    }
  }
}
