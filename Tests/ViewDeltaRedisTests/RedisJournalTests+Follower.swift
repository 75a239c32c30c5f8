import CanonicalJSON
import Foundation
import Synchronization
import TestSupport
import Testing
import ViewDeltaRedis
import ViewState

extension RedisJournalTests {
  @Test("is not followed beside servers with other options, which came while this one was away")
  func otherOptions() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let journal = try RedisJournal(redis.journal)
      _ = try journal.checkpoint()
      try journal.begin(with: Follower.first)
      #expect(try journal.enter(as: "a") == nil)
      try redis.cutLast("viewdelta-starting")
      let other = try RedisJournal(redis.journal)
      #expect(try other.enter(as: "b") == nil)
      let (errors, end) = (Noted<JournalError>(), DispatchSemaphore(value: 0))
      journal.follow { event in
        switch event {
        case .joined: break
        case .replaced(let error): errors.add(error)
        default: return true
        }
        end.signal()
        return false
      }
      #expect(end.waitPatiently())
      #expect(errors.all == [.replaced("\(redis.journal): servers with other options use it")])
      withExtendedLifetime(other) {}
    }
  }

  @Test(
    "is left to a server with other options that takes it over, and kept from the rest meanwhile")
  func takeOver() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      var former: RedisJournal? = try RedisJournal(redis.journal)
      _ = try former?.checkpoint()
      try former?.begin(with: Follower.first)
      #expect(try former?.enter(as: "former") == JSONValue??.some(.none))
      let hasSuccessor = DispatchSemaphore(value: 0)
      former?.follow { event in
        if case .takenOver = event { hasSuccessor.signal() }
        return true
      }
      let (new, same) = (try RedisJournal(redis.journal), try RedisJournal(redis.journal))
      let old = try RedisJournal(redis.journal)
      #expect(try new.enter(as: "new") == "former")
      try new.takeOver(true)
      #expect(hasSuccessor.waitPatiently())
      for (journal, options) in [(new, "new"), (same, "new")] as [(RedisJournal, JSONValue)] {
        #expect(try journal.enter(as: options) == "former")
      }
      #expect(try old.enter(as: "former") == "new")
      #expect(try former?.leave() == true)
      former = nil
      #expect(try old.enter(as: "former") == "new")
      try awaitTrue("it has left") { try new.enter(as: "new") == nil }
      #expect(try same.enter(as: "new") == nil)
      #expect(try old.enter(as: "former") == "new")

      let next = try RedisJournal(redis.journal)
      #expect(try next.enter(as: "next") == "new")
      try next.takeOver(true)
      try same.takeOver(false)
      #expect(try old.enter(as: "new") == "next")
      try next.takeOver(false)
      // Those that were asked start again.
      #expect(try old.enter(as: "new") == nil)
      withExtendedLifetime((new, same)) {}
    }
  }

  /// What a server reads of a journal.
  final class Follower: Sendable {
    private struct State {
      /// `nil` in the place of one of its own.
      var inputs: [JSONValue?] = []
      var joinCount = 0
      var failures: [JournalError] = []
      var digests: [Text] = []
      var end: JournalError?
    }

    let journal: RedisJournal
    private let state = Mutex(State())
    /// Signals each event.
    private let events = DispatchSemaphore(value: 0)

    /// Reads the checkpoint, or begins the journal with one, and follows.
    init(_ redis: RedisServer, replicas: Int = 0) throws {
      journal = try RedisJournal(redis.journal, replicas: replicas)
      if try journal.checkpoint() == nil { try journal.begin(with: Self.first) }
      var position = try #require(try RedisJournal(redis.journal).checkpoint()).position
      while let last = try journal.entries(after: position, limit: 10).last {
        position = last.position
      }
      journal.follow { [weak self] event in
        guard let self else { return false }
        defer { events.signal() }
        state.withLock { state in
          switch event {
          case .entries(let entries, _):
            state.inputs += entries.map {
              if case .other(let entry) = $0 { entry.input } else { nil }
            }
          case .joined: state.joinCount += 1
          case .failing(let error): state.failures.append(error)
          case .digest(let digest, _): state.digests.append(digest)
          case .takenOver: break
          case .replaced(let error): state.end = error
          }
        }
        return true
      }
      try join(times: 1)
    }

    static let first = Checkpoint(position: 0, parts: ["part": ["large": .string("x")]])

    private func wait(_ isReached: (borrowing State) -> Bool) throws {
      while !state.withLock({ isReached($0) }) {
        guard events.waitPatiently() else { throw LawViolation("it does not come") }
      }
    }

    func append(_ numbers: ClosedRange<Int>) throws {
      try journal.append(
        numbers.map {
          Entry(position: 0, time: Timestamp.now(), input: ["n": .integer($0)])
        })
    }

    /// Waits until it has joined at least so many times: after a slow reply it joins once more.
    func join(times: Int) throws { try wait { $0.joinCount >= times } }

    /// Waits for a number of entries.
    func inputs(_ count: Int) throws -> [JSONValue?] {
      try wait { $0.inputs.count >= count }
      return state.withLock { $0.inputs }
    }

    /// Waits for a number of digests of other servers.
    func digests(_ count: Int) throws -> [Text] {
      try wait { $0.digests.count >= count }
      return state.withLock { $0.digests }
    }

    /// The failures up to now.
    var failures: [JournalError] { state.withLock { $0.failures } }

    /// Waits for the end.
    func end() throws -> JournalError? {
      try wait { $0.end != nil }
      return state.withLock { $0.end }
    }
  }
}
