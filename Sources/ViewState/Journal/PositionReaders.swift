/// The readers that wait until a server has applied a position, or knows that the journal does not have it.
struct PositionReaders: Sendable {
  /// Gets whether that is known now.
  typealias End = @Sendable (Bool) -> Void

  private struct Reader: Sendable {
    let position: Int
    /// The number of times that the journal has said it has no more, of which the first may have been under way.
    var endCount = 0
    let end: End
  }

  private var readers: [Int: Reader] = [:]
  private var readerCount = 0

  /// The largest number of readers.
  private static let limit = 10_000

  /// Adds a reader.
  ///
  /// - Returns: Its number; `nil` if there are too many.
  mutating func add(_ position: Int, _ end: @escaping End) -> Int? {
    guard readers.count < Self.limit else { return nil }
    readerCount += 1
    readers[readerCount] = Reader(position: position, end: end)
    return readerCount
  }

  /// Removes a reader, and returns its end; `nil` if it was removed before.
  mutating func remove(_ reader: Int) -> End? { readers.removeValue(forKey: reader)?.end }

  /// Removes the readers that need not wait any more, and returns their ends.
  ///
  /// - Parameters:
  ///   - position: The last position that is applied.
  ///   - isEnd: Whether the journal has said that it has no more.
  mutating func takeReady(at position: Int, isEnd: Bool) -> [End] {
    var ready: [End] = []
    for (number, var reader) in readers {
      if isEnd { reader.endCount += 1 }
      let isReady = reader.position <= position || reader.endCount == 2
      if isReady { ready.append(reader.end) }
      readers[number] = isReady ? nil : reader
    }
    return ready
  }
}
