import TestSupport
import Testing

/// Over a socket, because only a server gives a reply again without asking the endpoint.
@Suite("A view model that is asked for again and again")
struct StandingReplyTests {
  /// Whatever is given again must be what an endpoint says that is asked now.
  private static func expectCurrent(
    _ target: String, _ fields: [String] = [], status: Int, from client: SocketClient
  ) throws {
    for time in 1...4 {
      let again = try client.get(target, fields: fields)
      // A field of its own makes this a request that nobody has sent before.
      let anew = try client.get(target, fields: fields + ["X-Time: \(time) \(target)"])
      #expect(again.status == status)
      #expect(anew.status == status)
      #expect(again["view-revision"] == anew["view-revision"])
      #expect(again.body == anew.body)
    }
  }

  @Test("says at once that it has changed, and that it is gone")
  func changesAndEnds() async throws {
    let backend = try Backend()
    try await LiveServer.run(backend) { live in
      let client = try live.client()
      let viewModel = Backend.viewModel
      let tag = try #require(try client.get(viewModel)["etag"])
      let first = try #require(try client.get(viewModel)["view-revision"])
      let known = ["If-None-Match: \(tag)"]
      try Self.expectCurrent(viewModel, status: 200, from: client)
      try Self.expectCurrent(viewModel, known, status: 304, from: client)
      try Self.expectCurrent(viewModel + "/diff?since=\(first)", status: 204, from: client)
      try Self.expectCurrent(viewModel + "/diff?since=unknown", status: 200, from: client)

      let command = try client.request("POST", viewModel + "/commands", json: #"{"type":"appear"}"#)
      #expect(command.status == 202)
      try Self.expectCurrent(viewModel, status: 200, from: client)
      try Self.expectCurrent(viewModel, known, status: 200, from: client)
      try Self.expectCurrent(viewModel + "/diff?since=\(first)", status: 200, from: client)
      let second = try #require(try client.get(viewModel)["view-revision"])
      #expect(second != first)
      try Self.expectCurrent(viewModel + "/diff?since=\(second)", status: 204, from: client)

      #expect(try client.request("DELETE", "/v1/users/1").status == 204)
      try Self.expectCurrent(viewModel, status: 410, from: client)
      try Self.expectCurrent(viewModel, known, status: 410, from: client)
      try Self.expectCurrent(viewModel + "/diff?since=\(first)", status: 410, from: client)
      try Self.expectCurrent(viewModel + "/diff?since=\(second)", status: 410, from: client)
    }
  }
}
