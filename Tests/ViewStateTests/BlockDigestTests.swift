import CanonicalJSON
import Synchronization
import Testing

@testable import ViewState

@Suite("The digest of what inputs have changed")
struct BlockDigestTests {
  /// Writes a number and others to a store, and returns the digest.
  private static func digest(of number: Int, reading names: [Text] = []) async throws -> Text {
    let world = try JournalWorld()
    world.engine.beginBlocks()
    let read = try names.map { try world.registry.instance(screen: "counter", key: $0) }
    _ = try await world.store.write(["a": number])
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

  @Test("is none of a block that began before")
  func rest() async throws {
    let world = try JournalWorld()
    _ = try await world.store.write(["a": 2])
    world.engine.beginBlocks()
    for count in 2...BlockDigest.length { _ = try await world.store.write(["a": count % 50]) }
    #expect(world.engine.takeBlock() == nil)
  }
}
