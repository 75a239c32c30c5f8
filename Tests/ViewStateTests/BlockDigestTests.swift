import CanonicalJSON
import Synchronization
import Testing

@testable import ViewState

@Suite("The digest of what inputs have changed")
struct BlockDigestTests {
  /// Writes to a store, and returns the digest.
  private static func digest(of number: Int, reading names: [Text] = []) async throws -> Text {
    try await digest(of: ["a": number], reading: names)
  }

  private static func digest(
    of write: Counters.Write, once key: RequestKey? = nil, reading names: [Text] = []
  ) async throws -> Text {
    let world = try JournalWorld()
    world.engine.beginBlocks()
    let read = try names.map { try world.registry.instance(screen: "counter", key: $0) }
    try await world.store.write(write, once: key)
    for count in 2...BlockDigest.length { _ = try await world.store.write(["b": count % 50]) }
    let block = try #require(world.engine.takeBlock())
    #expect(block.position == BlockDigest.length && world.engine.takeBlock() == nil)
    #expect(read.count == names.count)
    return block.digest(shownBy: world.engine.contents.hosts)
  }

  @Test("is that of the content, whoever reads it")
  func content() async throws {
    let unread = try await Self.digest(of: 2)
    #expect(try await Self.digest(of: 2, reading: ["a"]) == unread)
    #expect(try await Self.digest(of: 3) != unread)
  }

  @Test("is another one if something else was removed, or if an outcome is remembered")
  func invisible() async throws {
    #expect(try await Self.digest(of: ["a": nil]) != Self.digest(of: ["c": nil, "a": 1]))
    let key = RequestKey(target: "a", name: "b", fingerprint: "c")
    #expect(try await Self.digest(of: ["a": 2], once: key) != Self.digest(of: ["a": 2]))
  }

  @Test("is none of a block that began before")
  func rest() async throws {
    let world = try JournalWorld()
    try await world.store.write(["a": 2])
    world.engine.beginBlocks()
    for count in 2...BlockDigest.length { _ = try await world.store.write(["a": count % 50]) }
    #expect(world.engine.takeBlock() == nil)
  }
}
