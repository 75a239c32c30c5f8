import CanonicalJSON
import Snapshots
import ViewDeltaServer
import ViewState

/// Replays a journal and its copy with other texts side by side, and compares what each input did.
struct RedactionProof {
  /// The first difference.
  struct Difference {
    let position: Int
    let reason: String
  }

  let journal: RedactedJournal
  let redaction: Redaction
  let features: () throws -> [any Feature]

  /// What an input did to clients: whether it was refused, and the view models that changed.
  private struct Effect {
    let refusal: String?
    let shown: Set<Shown>
  }

  /// A view model, the name of its revision, and what other texts of the same lengths leave as it is.
  private struct Shown: Hashable {
    let name: Text
    let token: RevisionToken
    let states: [Text: Text]
    let rowCount: Int
    let byteCount: Int

    init(_ name: Text, _ token: RevisionToken, _ snapshot: Snapshot) {
      (self.name, self.token, states) = (name, token, snapshot.states)
      (rowCount, byteCount) = (snapshot.numberOfItems, snapshot.contentByteCount)
    }

    /// A revision as the copy has it.
    init(_ revision: Revision) {
      self.init(revision.instanceName, revision.token, revision.snapshot)
    }
  }

  /// The number of inputs that are replayed on one side before the other.
  private static let stride = 1_024

  /// Returns the first difference; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - last: The position up to which they are compared.
  func difference(
    from copy: any Journal, until last: Int = .max
  ) throws -> Difference? {
    let original = try replay(journal)
    let copied: Replay
    do {
      copied = try replay(copy)
    } catch let error as JournalError {
      return Difference(position: original.start, reason: "cannot be read: \(error)")
    }
    for name in try journal.stateNames {
      let before = original.revision(of: name).map { shown($0, at: original.start) }
      let after = copied.revision(of: redaction.name(name)).map(Shown.init)
      if before != after {
        return Difference(position: original.start, reason: "shows another \(name)")
      }
    }
    while true {
      let end = min(last, original.start + original.count + Self.stride)
      var effects: [Effect] = []
      try original.run(until: end) { input in
        effects.append(Self.effect(of: input) { shown($0, at: input.entry.position) })
      }
      var (index, difference): (Int, Difference?) = (0, nil)
      do throws(JournalError) {
        try copied.run(until: end) { input in
          defer { index += 1 }
          guard difference == nil, index < effects.count else { return }
          difference = compare(effects[index], Self.effect(of: input, Shown.init))
            .map { Difference(position: input.entry.position, reason: $0) }
        }
      } catch {
        let position = copied.start + copied.count + 1
        return difference ?? Difference(position: position, reason: "cannot be read: \(error)")
      }
      if let difference { return difference }
      if index < effects.count {
        return Difference(position: copied.start + copied.count + 1, reason: "is missing")
      }
      if effects.count < Self.stride { return nil }
    }
  }

  private func replay(_ journal: any Journal) throws -> Replay {
    try Replay(journal, features: { try features() })
  }

  private func compare(_ before: Effect, _ after: Effect) -> String? {
    switch (before.refusal, after.refusal) {
    case (_?, nil): "is no longer refused"
    case (nil, let refusal?): "is refused: \(refusal)"
    default: before.shown == after.shown ? nil : "changes other view models, or other rows"
    }
  }

  private static func effect(
    of input: ReplayedInput, _ shown: (Revision) -> Shown
  ) -> Effect {
    Effect(refusal: input.refusal, shown: Set(input.revisions.map(shown)))
  }

  /// What a revision of the journal must be in the copy.
  private func shown(_ revision: Revision, at position: Int) -> Shown {
    Shown(
      redaction.name(revision.instanceName),
      redaction.token(revision.token, of: revision.instanceName, at: position), revision.snapshot)
  }
}
