import Gzip
import TestSupport
import Testing

@Suite("Compressed content")
struct RoundTripTests {
  @Test("is restored, of any size and content", arguments: Samples.sizes)
  func comesBack(size: Int) throws {
    for bytes in [Samples.random(size), Samples.repetitive(size)] {
      let compressed = Gzip.compress(bytes)
      #expect(try Gzip.decompress(compressed, limit: size) == bytes)
    }
  }

  @Test("is restored at every level", arguments: Gzip.levels)
  func comesBack(level: Int) throws {
    let bytes = Samples.document(100_000)
    let compressed = Gzip.compress(bytes, level: level)
    #expect(try Gzip.decompress(compressed, limit: bytes.count) == bytes)
  }

  @Test("is readable by other programs", arguments: Tool.allCases)
  func isReadByOthers(tool: Tool) throws {
    for size in [0, 1, 1024, 65_537, 5 * 1024 * 1024] {
      for bytes in [Samples.random(size), Samples.repetitive(size)] {
        let content = try tool.decompress(Gzip.compress(bytes))
        #expect(content == bytes)
      }
    }
  }

  @Test("of other programs is readable", arguments: Tool.allCases)
  func readsOthers(tool: Tool) throws {
    let bytes = Samples.document(300_000)
    #expect(try Gzip.decompress(tool.compress(bytes), limit: bytes.count) == bytes)
  }

  @Test("is the same for a span as for an array")
  func takesSpans() throws {
    let bytes = Samples.document(10_000)
    let slice = bytes[100..<9_000]
    let compressed = Gzip.compress(slice.span)
    #expect(compressed == Gzip.compress(Array(slice)))
    let content = try Gzip.decompress(compressed.span, limit: 8_900)
    #expect(content == Array(slice))
  }

  @Test("shrinks to a third if it is a document, and hardly grows if it is noise")
  func shrinks() {
    let document = Samples.document(20_000)
    #expect(Gzip.compress(document).count < document.count / 3)
    let noise = Samples.random(1_000_000)
    #expect(Gzip.compress(noise).count < noise.count + 1_000)
  }
}
