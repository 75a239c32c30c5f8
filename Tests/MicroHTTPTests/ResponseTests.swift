import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A response")
struct ResponseTests {
  @Test("keeps its parts, and has one 304 without the fields that describe content")
  func shared() {
    let response = Response(
      status: .created,
      fields: [
        .contentType: "text/plain", .contentEncoding: "gzip", .contentLanguage: "en",
        .eTag: "\"1\"", .vary: "Accept",
      ],
      body: [1, 2, 3])
    #expect(response.status == .created)
    #expect(response.fields[.eTag] == "\"1\"")
    #expect(response.body == [1, 2, 3])
    let notModified = response.notModified
    #expect(notModified.status == .notModified)
    #expect(notModified.fields == [.eTag: "\"1\"", .vary: "Accept"])
    #expect(notModified.notModified.isIdentical(to: notModified))
    #expect(notModified.body.isEmpty)
    #expect(notModified.isIdentical(to: response.notModified))
    #expect(!notModified.isIdentical(to: response))
    #expect(response.isIdentical(to: response))
    #expect(!response.isIdentical(to: Response(status: .created, body: [1, 2, 3])))
  }

  @Test("shares its status and fields with a reply that has another body")
  func otherBody() async throws {
    let first = Response(
      status: .created, fields: [.contentType: "text/plain", .vary: "Accept", .contentLength: "7"],
      body: [1, 2, 3])
    let other = first.with(body: Array("other".utf8))
    #expect(other.status == .created)
    #expect(other.fields == first.fields)
    #expect(other.text == "other")
    #expect(first.body == [1, 2, 3])
    #expect(other.notModified.fields[.vary] == "Accept")

    let anew = Response(status: other.status, fields: other.fields, body: other.body)
    try await withServer(routes: { router in
      router.get("/other") { _ in other }
      router.get("/anew") { _ in anew }
    }) { port in
      let client = try SocketClient(port: port)
      let replies = try ["/other", "/anew"].map { target in
        var reply = try client.get(target)
        reply.fields.removeAll { $0.name == "date" }
        return reply
      }
      #expect(replies[0] == replies[1])
    }
  }

  @Test("refuses fields that exceed the limit")
  func tooLarge() {
    let value = String(repeating: "x", count: 40 * 1024)
    let response = Response(status: .ok, fields: [.location: value], body: [1])
    #expect(response.status == .internalServerError)
    #expect(response.text.contains(#""code":"reply-fields-too-large""#))
    #expect(response.fields[.location] == nil)
  }

  @Test("encodes a problem as canonical JSON")
  func problem() {
    let problem = ProblemDetails(
      status: .unprocessableContent, code: "bad-member", title: "Bad \"member\"",
      detail: "a/b\\ \u{1}\u{8}\t\n\u{c}\r\u{1f}\u{7f}é", pointer: "/name",
      extensions: ["limit": "3", "status": "ignored"], fields: [.retryAfter: "5"])
    let response = problem.response(instance: "/v1/users")
    #expect(
      response.text == #"{"code":"bad-member","detail":"a/b\\ \u0001\b\t\n\f\r\u001f"# + "\u{7f}é"
        + #"","instance":"/v1/users","limit":"3","pointer":"/name","status":422,"#
        + #""title":"Bad \"member\"","type":"urn:viewdelta:problem:bad-member"}"#)
    #expect(response.status.code == 422)
    #expect(response.fields[.contentType] == "application/problem+json")
    #expect(response.fields[.cacheControl] == "no-store")
    #expect(response.fields[.retryAfter] == "5")
  }

  @Test("omits absent members of a problem")
  func sparseProblem() {
    let response = ProblemDetails(status: .notFound, code: "not-found").response()
    #expect(
      response.text
        == #"{"code":"not-found","status":404,"title":"Not Found","type":"urn:viewdelta:problem:not-found"}"#
    )
  }
}
