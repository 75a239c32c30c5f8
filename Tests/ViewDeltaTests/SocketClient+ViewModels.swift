import CanonicalJSON
import Glibc
import TestSupport

/// What the tests of the binary do over and over.
extension SocketClient {
  func json(_ target: String) throws -> JSONReader {
    let reply = try get(target)
    try require(reply.status == 200, "\(target) is \(reply.status): \(reply.text)")
    return JSONReader(try JSONValue(parsing: reply.body))
  }

  /// Sends JSON and expects success.
  @discardableResult
  func send(_ method: String, _ target: String, _ body: JSONValue) throws -> HTTPReply {
    let reply = try request(
      method, target, fields: ["Content-Type: application/json"], body: "\(body)")
    try require((200..<300).contains(reply.status), "\(target) is \(reply.status): \(reply.text)")
    return reply
  }

  /// Waits until no source of the view model is loading, and returns the snapshot.
  func settled(_ viewModel: String) throws -> HTTPReply {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      let reply = try get(viewModel)
      let states = try JSONReader(JSONValue(parsing: reply.body)).member("states").object()
      if !states.values.contains("isLoading") { return reply }
      _ = poll(nil, 0, 5)
    }
    throw LawViolation("\(viewModel) did not settle within \(patience)")
  }
}
