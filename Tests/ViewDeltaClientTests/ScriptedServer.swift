import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Synchronization

@testable import ViewDeltaClient

/// A server whose replies a test gives one by one, on a time that passes only in pauses.
final class ScriptedServer: HTTPTransport {
  typealias Reply = (status: Int, fields: HTTPFields, body: [UInt8])

  private struct State {
    /// Make the replies.
    var replies: [@Sendable () async throws -> Reply] = []
    /// What happens in the next pauses.
    var happenings: [@Sendable () async throws -> Void] = []
    /// The loop that ends after the last reply.
    var loop: (@Sendable () -> Void)?
    var isOver = false
    var requests: [String] = []
    var keys: [String?] = []
    var matches: [String?] = []
    var preferences: [String?] = []
    var now = Duration.zero
    var pollTime = Duration.seconds(2)
    var pauses: [Duration] = []
    var cutPauses: [Duration] = []
  }

  private struct NoReply: Error {}

  private let state = Mutex(State())

  /// The methods and targets of the requests, and the bodies of those that have one.
  var requests: [String] { state.withLock { $0.requests } }
  /// The values of `Idempotency-Key` of the requests with a body.
  var keys: [String?] { state.withLock { $0.keys } }
  /// The values of `If-Match` of the requests with a body.
  var matches: [String?] { state.withLock { $0.matches } }
  /// The values of `Prefer` of the requests.
  var preferences: [String?] { state.withLock { $0.preferences } }
  /// The pauses before requests, in the order in which they were made.
  var pauses: [Duration] { state.withLock { $0.pauses } }
  /// Those of them that were cut short.
  var cutPauses: [Duration] { state.withLock { $0.cutPauses } }

  /// The time that each reply takes.
  var pollTime: Duration {
    get { state.withLock { $0.pollTime } }
    set { state.withLock { $0.pollTime = newValue } }
  }

  func reply(_ status: Int = 200, _ fields: HTTPFields = [:], body: [UInt8] = []) {
    state.withLock { $0.replies.append { (status, fields, body) } }
  }

  func reply(_ status: Int = 200, _ fields: HTTPFields = [:], body: JSONValue) {
    var fields = fields
    let type = status < 400 ? "application/json" : "application/problem+json"
    fields[.contentType] = fields[.contentType] ?? type
    reply(status, fields, body: body.canonicalBytes())
  }

  /// The reply to a poll of a group; its revisions are in the order of the names.
  func reply(_ documents: [Text: JSONValue], revisions: String) {
    reply(200, [.viewRevision: revisions], body: ["screens": .object(documents)])
  }

  /// The answer of a poll of which nothing has come.
  func unchanged(_ revision: String) {
    reply(204, [.viewRevision: revision])
  }

  func noReply(_ count: Int = 1) {
    state.withLock { for _ in 1...count { $0.replies.append { throw NoReply() } } }
  }

  /// Gives the last reply only after something has happened; none if that cancels the request.
  func lastReply(after happening: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let reply = state.replies.removeLast()
      state.replies.append {
        happening()
        try Task.checkCancellation()
        return try await reply()
      }
    }
  }

  /// Lets something happen in the next pause, which may cut it short.
  func inPause(_ happening: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.happenings.append(happening) }
  }

  /// Lets time pass.
  func pass(_ time: Duration) { state.withLock { $0.now += time } }

  /// Answers with the next reply. The loop is cancelled after the last one.
  func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
    let next = state.withLock { state -> (@Sendable () async throws -> Reply)? in
      let target = "\(request.method) \(request.path ?? "")"
      state.requests.append(
        body.isEmpty ? target : "\(target) \(String(decoding: body, as: UTF8.self))")
      state.preferences.append(request.headerFields[HTTPField.Name("Prefer")!])
      if !body.isEmpty {
        state.keys.append(request.headerFields[HTTPField.Name("Idempotency-Key")!])
        state.matches.append(request.headerFields[.ifMatch])
      }
      state.now += state.pollTime
      return state.replies.isEmpty ? nil : state.replies.removeFirst()
    }
    guard let next else {
      let end = state.withLock { state in
        state.isOver = true
        return state.loop
      }
      end?()
      // The loop may not be known yet. It ends this request when it is cancelled.
      let (silence, continuation) = AsyncStream<Never>.makeStream()
      for await _ in silence {}
      withExtendedLifetime(continuation) {}
      throw CancellationError()
    }
    let reply = try await next()
    return (
      Data(reply.body),
      HTTPResponse(status: .init(code: reply.status), headerFields: reply.fields)
    )
  }

  /// Without chance: each pause is as long as it can be.
  var pacing: Pacing {
    Pacing(
      now: { self.state.withLock { $0.now } },
      sleep: { pause in
        let happening = self.state.withLock { state in
          state.now += pause
          state.pauses.append(pause)
          return state.happenings.isEmpty ? nil : state.happenings.removeFirst()
        }
        try await happening?()
        if Task.isCancelled { self.state.withLock { $0.cutPauses.append(pause) } }
        try Task.checkCancellation()
      }, random: { 1 })
  }

  func connection(to name: Text = "list/1", at address: String = "http://localhost")
    -> ViewModelConnection
  {
    ViewModelConnection(to: name, on: remote(at: address))
  }

  func group(of names: Set<Text>) -> ViewModelGroup {
    ViewModelGroup(of: names, on: remote(at: "http://localhost"))
  }

  private func remote(at address: String) -> RemoteServer {
    RemoteServer(at: URL(string: address)!, by: self, pacing)
  }

  /// Follows the view model until the last reply.
  func updates(from replica: Replica? = nil) async -> [ViewModelUpdate] {
    await all(connection().updates(from: replica))
  }

  /// Returns all updates until the last reply, after which the task is cancelled.
  func all<Updates: AsyncSequence & Sendable>(_ updates: Updates) async -> [Updates.Element]
  where Updates.Failure == Never, Updates.Element: Sendable {
    let loop = Task {
      var all: [Updates.Element] = []
      for await update in updates { all.append(update) }
      return all
    }
    let isOver = state.withLock { state in
      state.loop = { loop.cancel() }
      return state.isOver
    }
    if isOver { loop.cancel() }
    return await loop.value
  }
}

extension ViewModelUpdate {
  /// The revision and the ids of its rows, or what has happened.
  var summary: String {
    switch self {
    case .changed(let replica, let changes):
      "\(replica.revision): \(replica.snapshot.sections.flatMap(\.rows).map(\.id)) after \(changes.operationCount) operations"
    case .interrupted(let error): "interrupted: \(error)"
    case .resumed: "resumed"
    case .ended(let problem): "ended with \(problem.status) \(problem.code ?? "")"
    }
  }
}
