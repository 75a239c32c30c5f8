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
    let reply = try request(method, target, json: "\(body)")
    try require((200..<300).contains(reply.status), "\(target) is \(reply.status): \(reply.text)")
    return reply
  }

  /// Waits until no source of the view model is loading, and returns the snapshot.
  func settled(_ viewModel: String) throws -> HTTPReply {
    try awaitAnswer("\(viewModel) settles") {
      let reply = try get(viewModel)
      let states = try JSONReader(JSONValue(parsing: reply.body)).member("states").object()
      return states.values.contains("isLoading") ? nil : reply
    }
  }
}
