import CanonicalJSON
import Snapshots

/// How far a start has come in applying the entries of a journal again, for the starts after it, and what starts before
/// say of the entries.
///
/// An entry that ends the process would end it at each start. So it is skipped if two starts of the program have ended
/// while they applied it; another program may apply it. What ends a start from outside, such as a kill, must not cost an
/// entry. So the entry is not skipped if a start has come further without skipping it, or if two have ended in its place
/// although they skipped it; and a start waits before it applies an entry at which one start has ended, so that a kill
/// after a time comes while it waits. If more entries than ``limit`` seem to end the process, the reason is another one,
/// such as too little memory.
struct ReplayProgress: Sendable {
  /// What a start notes.
  struct Start: Codable, Hashable, Sendable {
    /// The position of the entry that it has come to; 0 before the first.
    var position = 0
    /// Whether it applies the entry now.
    var isApplying = false
    /// The positions of the entries that it skips, in order.
    var skipped: [Int] = []
    /// A hash of the program.
    var program: Text
  }

  /// The number of starts that must have ended at an entry.
  private static let proof = 2
  /// The largest number of entries that are skipped at once.
  static let limit = 4

  /// The positions of the entries to skip.
  let skipped: Set<Int>
  /// The positions of the entries at which one start has ended.
  let suspects: Set<Int>
  /// Whether a start before has ended, so that each entry is noted before it is applied.
  let isCareful: Bool
  private let program: Text

  /// Begins a start.
  ///
  /// - Parameters:
  ///   - ends: What starts have noted last that have ended before they were complete, in any order.
  ///   - program: Identifies the program.
  /// - Complexity: O(*n*²), where *n* is the number of starts.
  init(after ends: [Start] = [], of program: Text = "") {
    isCareful = !ends.isEmpty
    // A note has room for few bytes.
    var hash = SHA256()
    hash.update(Array(program.utf8))
    let name = hash.finalize().prefix(8).hexadecimal
    self.program = name
    let ends = ends.filter { $0.program == name }
    let open = Set(ends.filter(\.isApplying).map(\.position)).filter { position in
      let further = ends.contains { $0.position > position && !$0.skipped.contains(position) }
      let inPlace = ends.count { $0.position == position && $0.skipped.contains(position) }
      return !further && inPlace < Self.proof
    }
    let proven = open.filter { position in
      ends.count { $0.position == position && $0.isApplying } >= Self.proof
    }
    let isCause = proven.count <= Self.limit
    skipped = isCause ? proven : []
    suspects = isCause ? open.subtracting(proven) : []
  }

  /// Returns what to note.
  func start(at position: Int, isApplying: Bool) -> Start {
    Start(
      position: position, isApplying: isApplying, skipped: skipped.sorted(), program: program)
  }
}

extension Journal {
  /// What starts before say of the entries.
  func replayProgress(of program: Text) throws(JournalError) -> ReplayProgress {
    // Notes of another build may be of another type.
    let ends = try endedStarts.compactMap { try? $0.decode(ReplayProgress.Start.self) }
    return ReplayProgress(after: ends, of: program)
  }

  /// Notes how far a start has come. Ignores errors, because clients can read although the journal cannot be written.
  func note(_ start: ReplayProgress.Start) {
    guard let note = try? JSONValue(encoding: start) else { return }
    try? write(start: note)
  }
}

/// An entry that is skipped.
struct SkippedInput: Input {
  let subject: Text = "journal"

  struct Skip: Error, CustomStringConvertible {
    let description = "two starts have ended while they applied it, so it is skipped"
  }

  func apply(in step: Step) -> Result<Void, Skip> { .failure(Skip()) }

  func json() -> JSONValue { ["kind": "skipped"] }
}
