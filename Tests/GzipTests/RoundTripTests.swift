import Gzip
import TestSupport
import Testing

@Suite("Compressed content")
struct RoundTripTests {
  /// Returns the content of a file, read by a program that does not use libdeflate.
  private static func content(of file: [UInt8]) throws -> [UInt8] {
    try Program.run("gzip", ["-dc"], input: file)
  }

  @Test("is restored, of any size and content", arguments: Samples.sizes)
  func comesBack(size: Int) throws {
    for bytes in [Samples.random(size), Samples.repetitive(size)] {
      let content = try Self.content(of: Gzip.compress(bytes))
      #expect(content == bytes)
    }
  }

  private static let document = Samples.document(100_000)

  @Test("is restored at every level", arguments: Gzip.levels)
  func comesBack(level: Int) throws {
    let content = try Self.content(of: Gzip.compress(Self.document, level: level))
    #expect(content == Self.document)
  }

  @Test("shrinks to a third if it is a document, and hardly grows if it is noise")
  func shrinks() {
    let document = Samples.document(20_000)
    #expect(Gzip.compress(document).count < document.count / 3)
    let noise = Samples.random(1_000_000)
    #expect(Gzip.compress(noise).count < noise.count + 1_000)
  }
}
