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
    var hasOthers = false
    /// The configurations that are met, one at each attempt to enter.
    var others: [JSONValue] = []
    /// What others were asked.
    var requests: [Bool] = []
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

  /// Says from now on whether other servers follow the journal.
  func have(others hasOthers: Bool) { state.withLock { $0.hasOthers = hasOthers } }

  /// Makes an attempt to enter meet each of these configurations.
  func meet(_ others: [JSONValue]) { state.withLock { $0.others = others } }

  /// Whether others were asked to leave, or to stay, each time.
  var requests: [Bool] { state.withLock { $0.requests } }

  func append(_ entries: [Entry]) throws(JournalError) {
    let (failure, isEchoing) = state.withLock { ($0.failure, $0.isEchoing) }
    let isUnconfirmed = if case .unconfirmed? = failure { true } else { false }
    if let failure, !isUnconfirmed { throw failure }
    let start = memory.entries.count
    try memory.append(
      entries.enumerated().map { index, entry in
        Entry(position: start + index + 1, time: entry.time, input: entry.input)
      })
    if isEchoing { tell(.entries(entries.map { .own(at: $0.time) }, isEnd: true)) }
    if let failure { throw failure }
  }

  func follow(_ receive: @escaping @Sendable (JournalEvent) -> Bool) {
    state.withLock { $0.receive = receive }
  }

  func begin(with checkpoint: Checkpoint) throws(JournalError) { try memory.write(checkpoint) }
  func enter(as configuration: JSONValue) -> JSONValue? {
    // A bare `nil` would be the JSON of that name.
    state.withLock { $0.others.isEmpty ? JSONValue?.none : $0.others.removeFirst() }
  }
  func takeOver(_ isWanted: Bool) { state.withLock { $0.requests.append(isWanted) } }
  func leave() -> Bool { true }
  func append(_ digest: Text, at position: Int) {}
  func entries(after position: Int, limit: Int) -> [Entry] {
    memory.entries(after: position, limit: limit)
  }
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
  var hasOthers: Bool { state.withLock { $0.hasOthers } }
  var bookmark: JSONValue { "" }
}
