import Foundation
import Glibc
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("Replies that their clients do not read", .serialized)
struct UnreadReplyTests {
  private static let count = 60

  private let blocking = BlockingRoute()

  /// Adds a route with a reply of `size` bytes.
  private func addRoutes(to router: inout Router, size: Int) {
    let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))
    router.addTestRoutes()
    blocking.add(to: &router)
    router.get("/large") { _ in large }
  }

  /// Connects clients that send a request and do not read the reply. All replies begin at once, so that no deadline is
  /// over before the last of them has begun.
  private func readers(_ port: UInt16, fields: String = "") throws -> [SocketClient] {
    try blocking.hold([SocketClient(port: port)]) {
      try (1...Self.count).map { _ in
        let client = try SocketClient(port: port, receiveBuffer: 4_096)
        try client.send("GET /large HTTP/1.1\r\nHost: t\r\n\(fields)\r\n")
        return client
      }
    }
  }

  /// Polls the size of each client's send queue until the condition holds. Other clients are served
  /// meanwhile.
  ///
  /// - Returns: The largest size seen; `nil` if the condition did not hold in time.
  private static func await(
    _ port: UInt16, until end: ContinuousClock.Instant = .now + patience,
    _ condition: ([Int]) -> Bool
  ) throws -> Int? {
    let other = try SocketClient(port: port)
    var largest = 0
    while true {
      let queues = try SendQueues.sizes(ofPort: port)
      largest = max(largest, queues.max() ?? 0)
      #expect(try other.get("/hello").text == "hello")
      if condition(queues) { return largest }
      if ContinuousClock.now > end { return nil }
      _ = poll(nil, 0, 5)
    }
  }

  /// Tries with longer and longer deadlines, until all queues were seen full before a deadline was over.
  private static func withDeadlines(_ attempt: (Duration) async throws -> Bool) async throws {
    for exponent in 0...8 {
      if try await attempt(.milliseconds(100 << exponent)) { return }
    }
    Issue.record("the queues are never full")
  }

  @Test("use little kernel memory, and their connections are reset at the deadline")
  func bounded() async throws {
    try await Self.withDeadlines { deadline in
      let size = 3 << 20
      return try await withServer({ $0.replyDeadline = deadline }) {
        addRoutes(to: &$0, size: size)
      } client: { port in
        let start = ContinuousClock.now
        let readers = try readers(port)
        // The deadline of a reply is per started MiB.
        let full = try Self.await(port, until: start + deadline * 4) {
          $0.count { $0 >= 64 << 10 } == Self.count
        }
        guard let full else { return false }
        let end = try #require(try Self.await(port) { $0.allSatisfy { $0 == 0 } })
        #expect(max(full, end) <= 256 << 10)
        for reader in readers { #expect(throws: SocketFailure.reset) { try reader.read(size) } }
        return true
      }
    }
  }

  @Test("are dropped by the kernel, too, if it had accepted them completely before the close")
  func orphans() async throws {
    try await Self.withDeadlines { deadline in
      try await withServer({ $0.replyDeadline = deadline }) {
        addRoutes(to: &$0, size: 100_000)
      } client: { port in
        let start = ContinuousClock.now
        let readers = try readers(port, fields: "Connection: close\r\n")
        let full = try Self.await(port, until: start + deadline) {
          $0.count { $0 >= 64 << 10 } == Self.count
        }
        if full == nil { return false }
        _ = try #require(try Self.await(port) { $0.allSatisfy { $0 == 0 } })
        for reader in readers { #expect(throws: SocketFailure.reset) { try reader.read(200_000) } }
        return true
      }
    }
  }
}

/// The send queues of the kernel: bytes that were sent but not received.
private enum SendQueues {
  /// Reads the bytes for each socket of a local port, even a closed one, from `/proc/net/tcp` (proc(5)).
  static func sizes(ofPort port: UInt16) throws -> [Int] {
    // The size of the file is unknown, so it is read up to its end.
    let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      .compactMap { line in
        // sl local_address rem_address st tx_queue:rx_queue ...; all but sl are hexadecimal.
        let fields = line.split(separator: " ")
        guard fields.count > 4, let local = fields[1].split(separator: ":").last,
          UInt16(local, radix: 16) == port
        else { return nil }
        return fields[4].split(separator: ":").first.flatMap { Int($0, radix: 16) }
      }
  }
}
