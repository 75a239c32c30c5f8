import TestSupport
import Testing

@Suite("A signal", .serialized)
struct StreamSignalTests {
  /// Serves streams of the latest number while a client talks to the server.
  private func withNumbers(
    size: Int, client: @escaping @Sendable (SocketClient, LatestSource) throws -> Void
  ) async throws {
    let lot = StreamLot<LatestSource>()
    try await withServer(routes: { $0.stream(to: lot) { LatestSource($0, size: size) } }) { port in
      let stream = try SocketClient(port: port)
      try stream.send(streamRequest)
      _ = try stream.readHead()
      let source = try lot.next()
      try client(stream, source)
      stream.close()
      let other = try SocketClient(port: port)
      #expect(try other.get("/now").text == "now")
    }
  }

  /// Reads the numbers of the pieces up to a last one.
  private static func numbers(
    _ client: SocketClient, to last: Int, size: Int
  ) throws -> [Int] {
    var numbers: [Int] = []
    while numbers.last != last {
      var piece: [UInt8] = []
      while piece.count < size { piece += try client.readChunk() }
      let digits = piece.prefix { $0 != UInt8(ascii: " ") }
      numbers.append(try #require(Int(String(decoding: digits, as: UTF8.self))))
    }
    return numbers
  }

  @Test("is never lost, however fast signals are raised")
  func hammered() async throws {
    try await withNumbers(size: 64) { client, source in
      for round in 0..<20 {
        let first = round * 5_000 + 1
        let writer = Writer { for number in first..<(first + 5_000) { source.set(number) } }
        let numbers = try Self.numbers(client, to: first + 4_999, size: 64)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        writer.wait()
      }
    }
  }

  @Test("is never lost at the moment of the suspension")
  func lockstep() async throws {
    try await withNumbers(size: 32) { client, source in
      for number in 1...10_000 {
        // The previous piece was just read, so the server is about to call the source or to suspend.
        source.set(number)
        let numbers = try Self.numbers(client, to: number, size: 32)
        guard numbers == [number] else {
          Issue.record("\(numbers) instead of \(number)")
          return
        }
      }
    }
  }

  @Test("gives a late client the latest piece and skips the others")
  func coalesced() async throws {
    let size = 64 * 1024
    try await withNumbers(size: size) { client, source in
      for number in 1...20_000 { source.set(number) }
      let numbers = try Self.numbers(client, to: 20_000, size: size)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
      #expect(numbers.count < 400)
    }
  }
}
