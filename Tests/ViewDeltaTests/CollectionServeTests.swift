import CanonicalJSON
import TestSupport
import Testing

@Suite("The collections of viewdelta serve")
struct CollectionServeTests {
  @Test("cost little however much is in them, and however many ask and do not read")
  func unreadPages() async throws {
    try await SocketThread.run {
      let body = JSONValue.string(String(repeating: "x", count: 64_000))
      let posts = (1...150).map { id -> JSONValue in
        ["id": .integer(id), "userId": 1, "title": "Long", "body": body]
      }
      let data: JSONValue = ["users": [["id": 1, "name": "A"]], "posts": .array(posts)]
      let server = try ServeProcess(data: DataFile(data.canonicalBytes()))
      let client = try server.client()
      _ = try client.get("/v1/users/1/posts")
      let before = try server.residentMemory

      var readers: [SocketClient] = []
      for number in 1...40 {
        let reader = try server.client(receiveBuffer: 4_096)
        try reader.send("GET /v1/users/1/posts?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        readers.append(reader)
        // Each other one finds the collection changed, so that no page can be shared.
        guard number.isMultiple(of: 2) else { continue }
        try client.send("PATCH", "/v1/users/1/posts/\(number)", ["title": .string("\(number)")])
      }
      for reader in readers { #expect(try reader.readHead().status == 200) }
      #expect(try server.residentMemory - before < 64)
    }
  }

  @Test("refuse a name of a megabyte")
  func longName() async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      let client = try server.client()
      let name = String(repeating: "x", count: 1_000_000)
      let reply = try client.request("POST", "/v1/users", json: #"{"username":"\#(name)"}"#)
      #expect(reply.status == 422)
    }
  }
}
