import MicroHTTP
import TestSupport
import Testing

/// `MHD_epoll` reads at most 128 events at once, and waits again before it handles them if it got 128.
@Suite("A burst of requests on kept connections", .serialized)
struct BurstTests {
  @Test(
    "gets all replies even if a multiple of 128 connections of each thread is ready at once",
    arguments: [1, 2], [128, 256, 384])
  func answered(threads: Int, size: Int) async throws {
    let route = BlockingRoute()
    try await withServer({ $0.threads = threads }) {
      $0.addTestRoutes()
      route.add(to: &$0)
    } client: { port in
      // A blocked thread accepts no clients, so each of these is served by another thread.
      var holders: [SocketClient] = []
      for _ in 1...threads {
        let holder = try route.hold(holders) {
          let holder = try SocketClient(port: port)
          _ = try holder.get("/hello")
          return holder
        }
        holders.append(holder)
      }
      // The same number for each thread: all others are blocked while they connect.
      var clients: [SocketClient] = []
      for holder in holders {
        try route.hold(holders.filter { $0 !== holder }) {
          for _ in 1...size {
            let client = try SocketClient(port: port)
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
