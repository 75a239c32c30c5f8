import MicroHTTP
import TestSupport
import Testing

/// `MHD_epoll` takes 128 events at once, and waits again before it deals with them if it got as many.
@Suite("A burst of requests on kept connections", .serialized)
struct BurstTests {
  @Test(
    "gets all its replies, also if each thread finds a multiple of 128 connections ready at once",
    arguments: [1, 2], [128, 256, 384])
  func answered(threads: Int, size: Int) async throws {
    let route = BlockingRoute()
    try await withServer({ $0.threads = threads }) {
      $0.addTestRoutes()
      route.add(to: &$0)
    } client: { port in
      // A thread that is held up takes no clients, so each of these comes to another thread.
      var holders: [SocketClient] = []
      for _ in 1...threads {
        let holder = try route.hold(holders) {
          let holder = try SocketClient(port: port)
          _ = try holder.get("/hello")
          return holder
        }
        holders.append(holder)
      }
      // As many for each thread: all others are held up while they connect.
      var clients: [SocketClient] = []
      for holder in holders {
        try route.hold(holders.filter { $0 !== holder }) {
          for _ in 1...size {
            let client = try SocketClient(port: port, deadline: .seconds(5))
            _ = try client.get("/hello")
            clients.append(client)
          }
        }
      }
      let request = Array("GET /hello HTTP/1.1\r\nHost: t\r\n\r\n".utf8)
      for burst in 1...6 {
        try route.hold(holders) {
          for client in clients { try client.send(request) }
        }
        for client in clients {
          let reply = try client.readReply()
          try require(reply.text == "hello", "burst \(burst): \(reply)")
        }
      }
    }
  }
}
