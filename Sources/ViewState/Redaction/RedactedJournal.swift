package import CanonicalJSON

/// A journal from one of its checkpoints on, with its texts replaced. It takes no writes.
///
/// Only the first checkpoint is in it: what a checkpoint has must follow from the inputs before it, and a state that
/// an order of texts has decided would be another one.
package struct RedactedJournal: Journal {
  private let journal: any Journal
  private let first: Checkpoint.Mark?
  private let redaction: Redaction?

  /// Creates a view of a journal.
  ///
  /// - Parameters:
  ///   - isEarly: Returns whether it may begin with a checkpoint. It begins with the last one of these, or with the
  ///     oldest one if there is none.
  ///   - redaction: Replaces the texts; unless given, they stay.
  package init(
    _ journal: any Journal, since isEarly: (Checkpoint.Mark) -> Bool = { _ in false },
    _ redaction: Redaction? = nil
  ) throws(JournalError) {
    let marks = try journal.marks()
    (self.journal, self.redaction) = (journal, redaction)
    first = marks.last(where: isEarly) ?? marks.first
  }

  package func marks() -> [Checkpoint.Mark] { first.map { [$0] } ?? [] }

  package func checkpoint(at position: Int) throws(JournalError) -> Checkpoint? {
    guard let checkpoint = try journal.checkpoint(at: position) else { return nil }
    return redaction?.redacted(checkpoint) ?? checkpoint
  }

  package func entries(after position: Int, limit: Int) throws(JournalError) -> [Entry] {
    let entries = try journal.entries(after: max(position, first?.position ?? 0), limit: limit)
    return redaction.map { entries.map($0.redacted) } ?? entries
  }

  package var byteCount: Int { get throws(JournalError) { try journal.byteCount } }

  /// Copies the journal to an empty one.
  package func copy(to copy: any Journal) throws(JournalError) {
    guard let first, let checkpoint = try checkpoint(at: first.position) else { return }
    try copy.write(checkpoint)
    try read(after: first.position) { (entries, _) throws(JournalError) in
      try copy.append(entries)
      return true
    }
  }

  package func append(_ entries: [Entry]) throws(JournalError) { throw Self.readOnly }
  package func write(_ checkpoint: Checkpoint) throws(JournalError) { throw Self.readOnly }
  package func trim(to position: Int) throws(JournalError) { throw Self.readOnly }
  package func removeCheckpoints(in positions: ClosedRange<Int>) throws(JournalError) {
    throw Self.readOnly
  }

  private static let readOnly = JournalError.unavailable("it is read-only")
}

extension RedactedJournal {
  /// Passes on what the journal has up to a position: the parts of its checkpoint, and its inputs.
  package func forEachDocument(
    until end: Int = .max, _ body: (JSONValue) throws(JournalError) -> Void
  ) throws(JournalError) {
    guard let first else { return }
    for part in try checkpoint(at: first.position)?.parts.values.map(\.self) ?? [] {
      try body(part)
    }
    try read(after: first.position) { (entries, _) throws(JournalError) in
      for entry in entries where entry.position <= end { try body(entry.input) }
      return entries.last.map { $0.position < end } ?? false
    }
  }

  /// The names of the view models with states of their own in the checkpoint.
  package var stateNames: [Text] {
    get throws(JournalError) {
      guard let first, let checkpoint = try checkpoint(at: first.position) else { return [] }
      return checkpoint.screens.flatMap { screen -> [Text] in
        guard case .object(let states)? = checkpoint.parts[Checkpoint.screenPart(screen)] else {
          return []
        }
        return states.keys.sorted().map { "\(screen)/\($0)" }
      }
    }
  }
}
