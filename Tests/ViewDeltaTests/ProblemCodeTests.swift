import TestSupport
import Testing

@Suite("The code of a problem")
struct ProblemCodeTests {
  @Test("is that of the API document, also if no endpoint sees the request")
  func codes() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--faults"])
      let json = "Content-Type: application/json"
      let refusals: [(String, [String], Int, String)] = [
        ("POST /v1/users", ["Content-Length: 3"], 400, "bad-framing"),
        ("GET /v1/users", ["Host: local host"], 400, "bad-host"),
        ("POST /v1/users", ["Expect: tea"], 417, "expectation-failed"),
        ("POST /v1/users", [json, "Content-Encoding: gzip"], 415, "unsupported-content-coding"),
        ("GET /v1/faults/likes/1", [], 404, "unknown-source"),
      ]
      for (line, fields, status, code) in refusals {
        let words = line.split(separator: " ").map(String.init)
        let body = words[0] == "POST" ? "{}" : nil
        let reply = try server.client().request(words[0], words[1], fields: fields, body: body)
        #expect(reply.status == status, "\(line) \(fields)")
        #expect(reply.text.contains(#""code":"\#(code)""#), "\(line) \(fields): \(reply.text)")
      }
    }
  }
}
