import CanonicalJSON

/// How far a start has come in applying the entries of a journal again, for the start after it.
///
/// An entry that ends the process at two starts would end it at each start, so it is skipped from then on.
struct ReplayProgress: Codable, Hashable, Sendable {
  /// The name of the note with it.
  static let note: Text = "progress"

  /// An entry that is applied.
  struct Trial: Codable, Hashable, Sendable {
    /// The position of the entry; 0 before the first.
    var position = 0
    /// The number of starts that have come to the entry and no further.
    var count = 1
  }

  /// The positions of the entries that are skipped.
  private(set) var skipped: Set<Int> = []
  /// The entry that is applied; `nil` if all are applied.
  private(set) var trial: Trial?
  /// The entry at which the start before ended; `nil` if it did not end.
  private var former: Trial?

  init() {}

  /// Begins a start on a journal that servers share.
  ///
  /// - Parameter ends: The positions at which starts of all servers have ended.
  init(ends: [Int]) {
    former = ends.first.map { Trial(position: $0) }
    let counts = Dictionary(ends.map { ($0, 1) }, uniquingKeysWith: +)
    // Before the first entry nothing is skipped.
    skipped = Set(counts.filter { $0.key > 0 && $0.value >= 2 }.keys)
    trial = Trial()
  }

  private enum CodingKeys: CodingKey {
    case skipped
    case trial
  }

  /// Begins a start, and skips the entry at which two starts before have ended.
  ///
  /// - Parameter position: The position of the checkpoint that it begins with.
  mutating func begin(after position: Int) {
    former = trial
    if let trial, trial.count >= 2 { skipped.insert(trial.position) }
    skipped = skipped.filter { $0 > position }
    trial = Trial()
  }

  /// Whether the start before has ended the process, so that each entry is noted before it is applied.
  var isCareful: Bool { former != nil }

  /// Begins to apply an entry.
  mutating func tryEntry(at position: Int) {
    let count = former.map { $0.position == position ? $0.count : 0 } ?? 0
    trial = Trial(position: position, count: count + 1)
  }

  /// Notes that all entries are applied.
  mutating func end() { trial = nil }
}

extension ReplayProgress {
  /// Writes the skipped positions in order.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(skipped.sorted(), forKey: .skipped)
    try container.encodeIfPresent(trial, forKey: .trial)
  }
}

extension Journal {
  /// Begins a start.
  ///
  /// - Parameter position: The position of the checkpoint that it begins with.
  func progress(after position: Int) throws(JournalError) -> ReplayProgress {
    if let shared = self as? any SharedJournal {
      // What servers that run have applied is not skipped.
      return try shared.hasOthers ? ReplayProgress() : ReplayProgress(ends: shared.endedTrials)
    }
    var progress = try note(ReplayProgress.note) ?? ReplayProgress()
    progress.begin(after: position)
    return progress
  }

  /// Notes how far a start has come.
  func write(_ progress: ReplayProgress) throws(JournalError) {
    if let shared = self as? any SharedJournal {
      try shared.note(trial: progress.trial?.position)
    } else {
      try write(progress, as: ReplayProgress.note)
    }
  }
}

/// An entry that is skipped.
struct SkippedInput: Input {
  let subject: Text = "journal"

  struct Skip: Error, CustomStringConvertible {
    let description = "it has ended the process at two starts, so it is skipped"
  }

  func apply(in step: Step) -> Result<Void, Skip> { .failure(Skip()) }

  func json() -> JSONValue { ["kind": "skipped"] }
}
