import HTTPTypes
import MicroHTTP
import Testing

@testable import ViewDeltaServer

@Suite("The table of idempotency keys")
struct IdempotencyEntriesTests {
  static func key(_ name: String, path: String = "/") throws -> IdempotencyKey {
    let request = Request(
      method: .post, target: path, fields: [.idempotencyKey: name])
    return try #require(try IdempotencyKey(request))
  }

  /// Begins a request, and says whether it must be run.
  static func begin(
    _ name: String, _ entries: inout IdempotencyCache.Entries, at now: Duration = .zero
  ) async throws -> Bool {
    let key = try key(name)
    var step: IdempotencyCache.Entries.Step?
    _ = await withCheckedContinuation { (waiter: IdempotencyCache.Waiter) in
      step = entries.begin(key, [1], at: now, waiting: waiter)
      waiter.resume(returning: nil)
    }
    guard case .run? = step else { return false }
    return true
  }

  static func reply(bytes: Int) -> IdempotencyCache.Outcome {
    .success(Response(status: .ok, body: [UInt8](repeating: 0, count: bytes)))
  }

  @Test("forgets the oldest replies beyond its number, even while an older request still runs")
  func count() async throws {
    var entries = IdempotencyCache.Entries(limits: .init(count: 2))
    #expect(try await Self.begin("slow", &entries))
    for name in ["a", "b", "c"] {
      #expect(try await Self.begin(name, &entries))
      _ = entries.finish(try Self.key(name), with: Self.reply(bytes: 1), at: .zero)
    }
    #expect(try await Self.begin("a", &entries))
    #expect(try await !Self.begin("b", &entries))
    #expect(try await !Self.begin("c", &entries))
    #expect(try await !Self.begin("slow", &entries))
  }

  @Test("forgets the oldest replies beyond its bytes")
  func bytes() async throws {
    var entries = IdempotencyCache.Entries(limits: .init(byteCount: 100_000))
    for name in ["a", "b"] {
      #expect(try await Self.begin(name, &entries))
      _ = entries.finish(try Self.key(name), with: Self.reply(bytes: 60_000), at: .zero)
    }
    #expect(try await Self.begin("a", &entries))
    #expect(try await !Self.begin("b", &entries))
  }

  @Test("counts the paths too, and what an empty reply takes")
  func overhead() throws {
    let (long, short) = (
      try Self.key("a", path: "/" + String(repeating: "x", count: 8_000)), try Self.key("a")
    )
    #expect(long.byteCount == short.byteCount + 8_000)
    #expect(Response(status: .noContent).memorySize > 1_000)
  }

  @Test("forgets replies that are too old")
  func age() async throws {
    var entries = IdempotencyCache.Entries(limits: .init(lifetime: .seconds(10)))
    #expect(try await Self.begin("a", &entries))
    _ = entries.finish(try Self.key("a"), with: Self.reply(bytes: 1), at: .seconds(5))
    #expect(try await !Self.begin("a", &entries, at: .seconds(14)))
    #expect(try await Self.begin("a", &entries, at: .seconds(15)))
  }
}
