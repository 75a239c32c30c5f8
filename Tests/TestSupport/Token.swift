import Snapshots

/// An element that counts the calls of the engine, and whose hash a test can choose.
package struct Token: DifferenceElement {
  package let id: Int
  package var content: Int
  /// The number of different hashes of all tokens; 1 makes all of them collide.
  package var hashes: Int
  /// The counter, shared by several tokens.
  package var counter: Counter?

  package init(id: Int, content: Int = 0, hashes: Int = .max, counter: Counter? = nil) {
    self.id = id
    self.content = content
    self.hashes = hashes
    self.counter = counter
  }

  /// The numbers of calls that the engine made.
  package final class Counter {
    package var comparisons = 0
    package var hashes = 0

    package init() {}
  }

  package func isSameItem(as other: Token) -> Bool {
    counter?.comparisons += 1
    return id == other.id
  }

  package func hasSameContent(as other: Token) -> Bool { content == other.content }

  package var identityByte: UInt8 { UInt8(truncatingIfNeeded: id) }

  package func identityHash(key: UInt64) -> UInt64 {
    counter?.hashes += 1
    return UInt64(bitPattern: Int64(id % hashes))
  }
}
