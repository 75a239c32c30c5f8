#if SQLite
  import CanonicalJSON
  import Foundation
  import ViewState

  /// The notes of the starts from a journal that were not complete, in its lock file: a line of a fixed size for each.
  ///
  /// A note is written in the place of the one before, which takes no more space: on a full disk a note that stays would
  /// accuse an input that has not ended the process.
  struct StartNotes: Sendable {
    /// The last notes of the processes before.
    let ended: [JSONValue]
    private let file: FileHandle

    private static let lineByteCount = 256
    /// The number of starts after which all are forgotten.
    private static let limit = 100

    /// Reads the notes.
    ///
    /// - Parameter file: The lock file, which this process alone writes.
    init(in file: FileHandle) {
      self.file = file
      let bytes = (try? file.readToEnd()).flatMap { $0.map(Array.init) } ?? []
      let starts = stride(from: 0, to: bytes.count, by: Self.lineByteCount)
      let lines = starts.map { bytes[$0..<min($0 + Self.lineByteCount, bytes.count)] }
      guard lines.count < Self.limit else {
        ended = []
        try? cut(to: 0)
        return
      }
      // A line that was cut off says nothing.
      ended = lines.map { (try? JSONValue(parsing: Array($0))) ?? .null }
    }

    /// Writes the note of this start; `nil` removes all.
    func write(_ note: JSONValue?) throws(JournalError) {
      guard var line = note?.canonicalBytes() else { return try cut(to: 0) }
      let end = ended.count * Self.lineByteCount
      let padding = Self.lineByteCount - line.count
      guard padding > 0 else { throw .unavailable("the note of a start is too long") }
      line += [UInt8](repeating: UInt8(ascii: " "), count: padding - 1) + [UInt8(ascii: "\n")]
      do {
        try file.seek(toOffset: UInt64(end))
        try file.write(contentsOf: line)
      } catch {
        try cut(to: end)
        throw .unavailable("the note of a start: \(error)")
      }
    }

    private func cut(to end: Int) throws(JournalError) {
      do {
        try file.truncate(atOffset: UInt64(end))
      } catch {
        throw .unavailable("the notes of starts: \(error)")
      }
    }
  }
#endif
