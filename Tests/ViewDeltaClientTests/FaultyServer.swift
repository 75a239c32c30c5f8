import CanonicalJSON
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

@testable import ViewDeltaClient

/// A server that is restarted behind a network with faults, on a time that passes only in requests and pauses.
final class FaultyServer: HTTPTransport {
  private struct NoReply: Error {}

  private struct State {
    var random: SeededGenerator
    var server = ListServer()
    var now = Duration.zero
    /// The end of the faults.
    var end: Duration?
    var requestCount = 0
    /// The number of requests since time has passed, or a list has changed.
    var idleCount = 0
    var mostIdle = 0
    /// Ends the loop.
    var stop: (@Sendable () -> Void)?
    var isOver = false

    mutating func pass(_ time: Duration) {
      now += time
      if time > .zero { idleCount = 0 }
    }
  }

  /// The time without faults after which the loop is ended.
  private static let calm = Duration.seconds(200)

  private let state: Mutex<State>

  init(_ random: inout SeededGenerator) {
    state = Mutex(State(random: SeededGenerator(seed: random.next())))
  }

  /// The server as it is now.
  var server: ListServer { state.withLock { $0.server } }
  var now: Duration { state.withLock { $0.now } }
  /// The number of requests since the end of the faults.
  var requestCount: Int { state.withLock { $0.requestCount } }
  /// The most requests in turn between which no time has passed, and no list has changed.
  var mostIdle: Int { state.withLock { $0.mostIdle } }

  var pacing: Pacing {
    Pacing(
      now: { self.now },
      sleep: { pause in
        self.state.withLock { $0.pass(pause) }
        try Task.checkCancellation()
      }, random: { self.state.withLock { Double($0.random.number(in: 1...1_000)) / 1_000 } })
  }

  /// Ends the faults.
  func recover() { state.withLock { ($0.end, $0.requestCount) = ($0.now, 0) } }

  /// Sets what ends the loop a while after that.
  func stop(_ stop: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.stop = stop
      return state.isOver
    }
    if isOver { stop() }
  }

  func reply(to request: HTTPRequest, body: Data) async throws -> (Data, HTTPResponse) {
    try Task.checkCancellation()
    let (isOver, stop) = state.withLock { state in
      state.isOver = state.end.map { state.now > $0 + Self.calm } ?? false
      return (state.isOver, state.stop)
    }
    if isOver {
      stop?()
      // The loop may not be known yet. It ends this request when it is cancelled.
      let (silence, continuation) = AsyncStream<Never>.makeStream()
      for await _ in silence {}
      withExtendedLifetime(continuation) {}
      throw CancellationError()
    }
    let reply = try state.withLock { state in
      state.requestCount += 1
      state.idleCount += 1
      state.mostIdle = max(state.mostIdle, state.idleCount)
      let revisionCount = state.server.contents.count
      defer { if state.server.contents.count > revisionCount { state.idleCount = 0 } }
      return try state.end == nil
        ? Self.faultyReply(to: request, Array(body), &state)
        : Self.reply(to: request, Array(body), &state)
    }
    return (
      Data(reply.body), HTTPResponse(status: .init(code: reply.status), headerFields: reply.fields)
    )
  }

  private static func reply(
    to request: HTTPRequest, _ body: [UInt8], _ state: inout State
  ) throws -> ListServer.Reply {
    var server = state.server
    defer { state.server = server }
    return try server.reply(to: request, body) { seconds, server in
      state.pass(.seconds(seconds))
      if state.end == nil { server.write(&state.random) }
    }
  }

  private static func faultyReply(
    to request: HTTPRequest, _ body: [UInt8], _ state: inout State
  ) throws -> ListServer.Reply {
    func restart() { state.server.start(keepsData: state.random.chance(0.5)) }
    if state.random.chance(0.3) { state.pass(.milliseconds(state.random.number(in: 1...5_000))) }
    if state.random.chance(0.1) { restart() }
    if state.random.chance(0.3) { state.server.write(&state.random) }
    if state.random.chance(0.5) { return try reply(to: request, body, &state) }
    let page = Array("<html>Log in".utf8)
    let problem: HTTPFields = [.contentType: "application/problem+json"]
    func refusal(_ status: Int, _ code: String, _ seconds: String?) -> ListServer.Reply {
      var fields = problem
      fields[.retryAfter] = seconds
      return (status, fields, Array(#"{"code":"\#(code)"}"#.utf8))
    }
    switch state.random.number(in: 0...13) {
    case 0: throw NoReply()
    case 1:
      state.pass(.seconds(25))
      throw NoReply()
    case 2:
      _ = try reply(to: request, body, &state)
      throw NoReply()
    case 3:
      _ = try reply(to: request, body, &state)
      restart()
      throw NoReply()
    case 4:
      let statuses = [
        302, 304, 400, 404, 405, 407, 408, 410, 413, 421, 429, 451, 500, 501, 502, 503, 504, 511,
        522, 530,
      ]
      return (state.random.pick(statuses), [.contentType: "text/html"], page)
    case 5: return (200, [:], Array(#"{"login":"https://wifi","screens":{},"name":7}"#.utf8))
    case 6: return (200, [.contentType: "text/html"], state.random.chance(0.5) ? page : [])
    case 7: return (204, [:], [])
    case 8:
      var reply = try reply(to: request, body, &state)
      reply.body = Array(reply.body.prefix(reply.body.count / state.random.number(in: 2...50)))
      return reply
    case 9:
      let foreign = #"{"title":1,"status":"no","code":7,"detail":[]}"#
      return (state.random.pick([400, 404, 502]), problem, Array(foreign.utf8))
    case 10: return refusal(503, "overloaded", state.random.pick(["0", "1", "20", "soon", nil]))
    case 11: return refusal(429, "too-many-waiting-here", state.random.pick(["0", "7", nil]))
    case 12:
      _ = try reply(to: request, body, &state)
      return refusal(503, "unconfirmed", "2")
    default: return refusal(500, "screen-failed", nil)
    }
  }
}
