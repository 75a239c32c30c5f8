import CanonicalJSON
import Synchronization
import TestSupport

@testable import ViewState

/// A journal that servers share, with one server, which gets its inputs back while it appends them.
final class EchoingJournal: SharedJournal {
  private struct State {
    var receive: (@Sendable (JournalEvent) -> Bool)?
    var failure: JournalError?
    /// Whether inputs come back.
    var isEchoing = true
  }

  let memory = MemoryJournal()
  private let state = Mutex(State())

  /// Tells the server what happens.
  ///
  /// - Returns: Whether the server goes on.
  @discardableResult
  func tell(_ event: JournalEvent) -> Bool { state.withLock { $0.receive }?(event) ?? false }

  /// Makes each append fail from now on, or succeed again. Inputs that are not confirmed come back all the same.
  func fail(_ failure: JournalError?) { state.withLock { $0.failure = failure } }

  /// Gives inputs back from now on, or keeps them.
  func echo(_ isEchoing: Bool) { state.withLock { $0.isEchoing = isEchoing } }

  func append(_ entries: [Entry]) throws(JournalError) {
    let (failure, isEchoing) = state.withLock { ($0.failure, $0.isEchoing) }
    let isUnconfirmed = if case .unconfirmed? = failure { true } else { false }
    if let failure, !isUnconfirmed { throw failure }
    try memory.append(entries)
    if isEchoing { tell(.entries(entries.map { .own(at: $0.time) }, isEnd: true)) }
    if let failure { throw failure }
  }

  func follow(_ receive: @escaping @Sendable (JournalEvent) -> Bool) {
    state.withLock { $0.receive = receive }
  }

  func begin(with checkpoint: Checkpoint) throws(JournalError) { try memory.write(checkpoint) }
  func enter(as configuration: JSONValue) -> JSONValue? { nil }
  func leave() -> Bool { true }
  func append(_ digest: Text, at position: Int) {}
  func entries(after position: Int, limit: Int) -> [Entry] { [] }
  func marks() -> [Checkpoint.Mark] { memory.marks() }
  func checkpoint(at position: Int) throws(JournalError) -> Checkpoint? {
    try memory.checkpoint(at: position)
  }
  func write(_ checkpoint: Checkpoint) throws(JournalError) { try memory.write(checkpoint) }
  func trim(to position: Int) { memory.trim(to: position) }
  func removeCheckpoints(in positions: ClosedRange<Int>) {
    memory.removeCheckpoints(in: positions)
  }

  var byteCount: Int { memory.byteCount }
  var newestMark: Checkpoint.Mark? { marks().last }
  var mayLackEntries: Bool { false }
  var hasOthers: Bool { false }
  var bookmark: JSONValue { "" }
}
