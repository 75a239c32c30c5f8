import Foundation
import HTTPTypes
import Testing

@testable import ViewDeltaClient

@Suite("A transport of an app")
struct TransportTests {
  @Test("is the file that the documentation shows, which imports nothing but the client")
  func documented() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let file = try String(
      contentsOf: root.appending(path: "Tests/ViewDeltaClientTests/SignedIn.swift"), encoding: .utf8
    )
    let source = try String(
      contentsOf: root.appending(path: "Sources/ViewDeltaClient/HTTPTransport.swift"),
      encoding: .utf8)
    let comment = file.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { $0.isEmpty ? "///" : "///     \($0)" }.joined(separator: "\n")
    #expect(source.contains(comment))
  }

  /// Answers each request with the time after which it is given up.
  final class Echo: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}
    override func startLoading() {
      guard let url = request.url,
        let response = HTTPURLResponse(
          url: url, statusCode: 503, httpVersion: "HTTP/1.1",
          headerFields: ["Retry-After": "\(Int(request.timeoutInterval))"])
      else { return }
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data("{}".utf8))
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  @Test(
    "that is a URLSession gives a silent request up soon, whatever the session is configured for")
  func silence() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Echo.self]
    configuration.timeoutIntervalForRequest = 600
    let session = URLSession(configuration: configuration)
    for (method, body) in [(HTTPRequest.Method.get, ""), (.post, "{}")] {
      let request = HTTPRequest(
        method: method, scheme: "http", authority: "localhost", path: "/v1")
      let (data, response) = try await session.reply(to: request, body: Data(body.utf8))
      #expect(response.status == 503 && data == Data("{}".utf8))
      #expect(response.headerFields[.retryAfter] == "25")
    }
  }
}
