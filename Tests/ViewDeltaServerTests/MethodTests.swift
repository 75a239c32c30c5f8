import TestSupport
import Testing

@Suite("A path of the server")
struct MethodTests {
  @Test("answers HEAD with the fields of GET and keeps the connection")
  func head() async throws {
    let backend = try Backend(.all)
    let revision = try await backend.revision
    try await LiveServer.run(backend) { live in
      let client = try live.client()
      for target in [
        "/healthz", "/readyz", "/openapi.json", "/v1/view-models", Backend.viewModel,
        Backend.viewModel + "?at=\(revision)", Backend.viewModel + "/diff",
        Backend.viewModel + "/diff?since=\(revision)", Backend.viewModel + "/revisions",
        "/v1/users",
        "/v1/users/1", "/v1/users/1/posts", "/v1/users/1/posts/1", "/v1/faults/posts/1",
      ] {
        let get = try client.get(target)
        let head = try client.request("HEAD", target)
        #expect(head.status == get.status, "\(target)")
        #expect(head.body.isEmpty)
        #expect(
          head.fields.filter { $0.name != "date" }.map { "\($0)" }
            == get.fields.filter { $0.name != "date" }.map { "\($0)" })
      }
    }
  }

  @Test(
    "says which methods it has, and refuses others",
    arguments: [
      ("/healthz", "GET, HEAD, OPTIONS"), (Backend.viewModel + "/commands", "POST, OPTIONS"),
      ("/v1/users", "GET, HEAD, POST, OPTIONS"),
      ("/v1/users/1", "GET, HEAD, PUT, DELETE, PATCH, OPTIONS"),
    ])
  func methods(target: String, allow: String) async throws {
    try await LiveServer.run(try Backend(.all)) { live in
      let client = try live.client()
      let names = Set(allow.split(separator: ", ").map(String.init))
      let options = try client.request("OPTIONS", target)
      #expect(options.status == 204)
      #expect(Set((options["allow"] ?? "").split(separator: ", ").map(String.init)) == names)
      for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"]
      where !names.contains(method) {
        let reply = try client.request(method, target)
        #expect(reply.status == 405, "\(method) \(target)")
        #expect(reply["allow"] == options["allow"])
      }
    }
  }
}
