import CanonicalJSON
import Foundation
import TestSupport
import Testing

@Suite("nginx as the documentation configures it")
struct DocumentedProxyTests {
  /// The configuration of an article, without TLS.
  private static func site(_ article: String, at port: UInt16? = nil) throws -> String {
    let parts = try ReadmeTests.text(article).components(separatedBy: "```nginx\n")
    let block = try #require(parts.dropFirst().first).components(separatedBy: "```")[0]
    let lines = block.split(separator: "\n").filter { !$0.contains("ssl_certificate") }
    let site = lines.joined(separator: "\n")
    guard let port else { return site }
    return site.replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port);")
  }

  @Test("passes on hosts, origins, changes and events of one server")
  func one() async throws {
    let article = try Self.site("RunAServer", at: 1)
    #expect(article.contains("listen 127.0.0.1:1;") && article.contains("127.0.0.1:8080;"))
    try await SocketThread.run {
      let server = try ServeProcess(["--host-name", "views.example.com"])
      let proxy = try LiveProxy { port in
        article.replacing("127.0.0.1:1;", with: "127.0.0.1:\(port);")
          .replacing("127.0.0.1:8080;", with: "127.0.0.1:\(server.port);")
      }
      let stream = try EventConnection(
        SocketClient(port: proxy.port), "\(RedisServeTests.board)/events")
      let client = try SocketClient(port: proxy.port)
      for (host, status) in [("views.example.com", 201), ("evil.example", 403)] {
        let reply = try client.request(
          "POST", "/v1/scoreboards/1/players",
          fields: [
            "Host: \(host)", "Origin: https://\(host)", "Content-Type: application/json",
          ], body: #"{"name":"Ida","score":7}"#)
        #expect(reply.status == status)
      }
      while let event = try stream.next() {
        if String(decoding: event.data ?? [], as: UTF8.self).contains("Ida") { return }
      }
      Issue.record("the stream ended without the change")
    }
  }

  @Test("gives all reads to the other server after one of two has ended")
  func two() async throws {
    let article = try Self.site("RunAServer", at: 1)
    let servers = try Self.site("RunManyServers")
    let end = try #require(article.range(of: "\n}\n"))
    let site = servers + "\n" + article[end.upperBound...]
    try await SocketThread.run {
      let pair = try ServerPair()
      let proxy = try LiveProxy { port in
        site.replacing("127.0.0.1:1;", with: "127.0.0.1:\(port);")
          .replacing("10.0.0.1:8080", with: "127.0.0.1:\(pair.servers[0].port)")
          .replacing("10.0.0.2:8080", with: "127.0.0.1:\(pair.servers[1].port)")
      }
      let client = try SocketClient(port: proxy.port)
      for _ in 1...4 { #expect(try client.get(RedisServeTests.board).status == 200) }
      try pair.servers[0].crash()
      for _ in 1...20 { #expect(try client.get(RedisServeTests.board).status == 200) }
      try client.send("POST", "/v1/scoreboards/1/players", ["name": "Ida", "score": 7])
    }
  }
}
