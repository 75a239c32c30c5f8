import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

/// A screen that does nothing but write numbers back.
private struct Notepad: Screen {
  struct State: ScreenState { var numbers = SaveState<Int>() }

  static let name: Text = "notepad"
  static let summary = "Numbers that are written back."
  static let write = Command("write", "Writes a number.", .integer("number")) {
    (state: inout State, number) in
    try state.numbers.save(number)
  }

  static let replace = Command("replace", "Writes a number alone.", .integer("number")) {
    (state: inout State, number) in
    state = State()
    try state.numbers.save(number)
  }

  var save: @Sendable (Int) async -> Void = { _ in }

  var commands: [AnyCommand<State>] {
    Self.write
    Self.replace
  }
  var parts: [any ScreenPart<State>] {
    [
      Saving(
        "numbers", \.numbers, to: { [save] _, number in await save(number) },
        failure: { "Couldn't write \($0)." })
    ]
  }
}

/// A notepad of which each session has its own.
private struct Diary: Screen {
  typealias State = Notepad.State

  static let name: Text = "diary"
  static let summary = "Numbers that each person writes back."
  static let isPersonal = true

  let save: @Sendable (Int) async -> Void

  var commands: [AnyCommand<State>] { Notepad.write }
  var parts: [any ScreenPart<State>] { Notepad(save: save).parts }
}

/// The numbers that notepads have written, with their keys.
private struct Numbers: StoreValue {
  var lines: [Text] = []

  mutating func apply(_ line: Text, at time: Timestamp) throws(StoreError) -> Written<Void> {
    lines.append(line)
    return Written((), changing: ["all"], of: "numbers")
  }
}

/// A screen that puts what was written into a store, which it shows.
private struct Ledger: Screen {
  struct State: ScreenState {
    var changes = SaveState<Int>()
    var lines: [Text] = []
  }

  static let name: Text = "ledger"
  static let summary = "Numbers that were written back."
  static let write = Command("write", "Writes a number.", .integer("number")) {
    (state: inout State, number) in
    try state.changes.save(number)
  }
  static let line = RowType(text: "line")

  let numbers: Store<Numbers>

  var commands: [AnyCommand<State>] { Self.write }
  var rowTypes: [RowTypeDescriptor] { Self.line }
  var shownStores: [ShownStore] { [.whole(of: numbers)] }
  var changes: Saving<State, Int> {
    Saving("changes", \.changes, to: { _, _ in }, failure: { "Couldn't write \($0)." }) {
      [numbers] _, transaction, number in
      try? transaction.write("\(transaction.key): \(number)", to: numbers)
    }
  }
  var parts: [any ScreenPart<State>] { [changes] }

  func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.lines = stores[numbers].lines
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("changes") { changes.rows(state) }
    ListSection("written") { ForEach(state.lines, as: Self.line) { $0 } }
  }
}

/// Writes that go on although they are cancelled, until a test lets them end.
private final class Writes: Sendable {
  struct Log: Sendable {
    var running: [Int] = []
    var largestCount = 0
    var ended: [Int] = []
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let log = Mutex(Log())

  var ended: [Int] { log.withLock { $0.ended } }
  var running: [Int] { log.withLock { $0.running } }
  /// The largest number of writes that ran at once.
  var largestCount: Int { log.withLock { $0.largestCount } }

  func write(_ number: Int) async {
    await withCheckedContinuation { continuation in
      let isOpen = log.withLock { log in
        log.running.append(number)
        log.largestCount = max(log.largestCount, log.running.count)
        if !log.isOpen { log.waiting.append(continuation) }
        return log.isOpen
      }
      if isOpen { continuation.resume() }
    }
    log.withLock { log in
      log.running.removeAll { $0 == number }
      log.ended.append(number)
    }
  }

  /// Lets all writes end, now and from now on.
  func open() {
    let waiting = log.withLock { log in
      log.isOpen = true
      return log.waiting
    }
    for write in waiting { write.resume() }
  }
}

@Suite("A part that saves")
struct SavingTests {
  @Test(
    "begins no write before the task of one that has timed out has ended, and waits no longer than the time-out",
    .timeLimit(.minutes(5)))
  func overlap() async throws {
    let (scheduler, writes) = (ManualScheduler(), Writes())
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: scheduler)),
      of: Notepad { await writes.write($0) })
    let pad = try registry.instance(screen: "notepad", key: "a")
    try await pad.send(["type": "write", "number": 1])
    try await wait { writes.running == [1] }
    try await pad.send(["type": "write", "number": 2])
    // The first one is given up, and the second waits in vain for its task, again and again.
    scheduler.advance(by: .seconds(10))
    try await pad.send(["type": "discardNumbers"])
    for _ in 1...20 {
      #expect(pad.current.snapshot.states == ["numbers": "isLoading"])
      scheduler.advance(by: .seconds(10))
      #expect(pad.current.snapshot.states == ["numbers": "failed"])
      try await pad.send(["type": "retryNumbers"])
    }
    writes.open()
    try await wait { pad.current.snapshot.states == ["numbers": "loaded"] }
    #expect(writes.ended == [1, 2] && writes.largestCount == 1)
  }

  @Test("writes the change of each session, also equal ones at once, and none holds another up")
  func sessions() async throws {
    let writes = Writes()
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    let registry = ScreenRegistry(engine, of: Diary { await writes.write($0) })
    let diaries = try ["A", "B"].map { letter in
      let session = String(repeating: letter, count: 22)
      return try registry.instance(screen: "diary", key: "a@\(session)")
    }
    for diary in diaries {
      try await diary.send(["type": "write", "number": 1])
    }
    try await wait { writes.running == [1, 1] }
    writes.open()
    try await wait { diaries.allSatisfy { $0.current.snapshot.states == ["numbers": "loaded"] } }
    #expect(writes.ended == [1, 1])
  }

  @Test("writes what another server does not, but not what that one has just written")
  func takenOver() throws {
    for isEnded in [false, true] {
      let scheduler = ManualScheduler()
      let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
      engine.holdCalls()
      let registry = ScreenRegistry(engine, of: Notepad())
      let pad = try registry.instance(screen: "notepad", key: "a")
      let command = try SentCommand(JSONReader(["type": "write", "number": 1]))
      _ = engine.apply(
        CommandInput(host: pad.host, key: "a", command: command, expected: nil),
        Entry(position: 1, time: Timestamp(secondsSince1970: 0), input: .null),
        from: .elsewhere)
      scheduler.advance(by: .seconds(4))
      // As at a start beside other servers.
      pad.resumeWork(.elsewhere)
      #expect(pad.current.snapshot.states == ["numbers": "isLoading"] && engine.heldCalls.isEmpty)
      // The end comes just before the time is over.
      engine.perform {
        if isEnded {
          engine.post(
            LoadEnd(
              host: pad.host, key: "a", epoch: pad.epoch,
              source: PartWork(part: "numbers", request: 1), token: LoadToken.none.next,
              value: .null, failure: nil))
        }
        scheduler.advance(by: .seconds(4))
      }
      #expect(engine.heldCalls.map(\.part) == (isEnded ? [] : ["numbers"]))
      #expect(pad.current.snapshot.states == ["numbers": isEnded ? "loaded" : "isLoading"])
    }
  }

  @Test("writes changes in their order, and holds the others back while one fails")
  func order() async throws {
    let pad = try TestViewModel(Notepad())
    for number in 1...3 { try await pad.send(Notepad.write, number) }
    #expect(try pad.request(of: "numbers") == 1)
    try pad.answer("numbers")
    #expect(try pad.request(of: "numbers") == 2)
    try pad.fail("numbers")
    #expect(pad.waiting.isEmpty && pad.states == ["numbers": "failed"])
    try await pad.tap("numbers/error")
    try pad.answer("numbers")
    #expect(try pad.request(of: "numbers") == 3)
    try pad.answer("numbers")
    #expect(pad.waiting.isEmpty && pad.states == ["numbers": "loaded"])
  }

  @Test("writes the change of a state that takes the place of another one, whose write is given up")
  func replaced() async throws {
    let pad = try TestViewModel(Notepad())
    try await pad.send(Notepad.write, 1)
    try await pad.send(Notepad.replace, 2)
    #expect(try pad.request(of: "numbers") == 2)
    try pad.answer("numbers")
    #expect(pad.waiting.isEmpty && pad.states == ["numbers": "loaded"])
  }

  @Test("offers to try again or to discard what failed, and goes on")
  func actions() async throws {
    let pad = try TestViewModel(Notepad())
    for number in 1...2 { try await pad.send(Notepad.write, number) }
    try pad.fail("numbers")
    #expect(pad.rows.first?.actions.map(\.title) == ["Retry", "Discard"])
    try await pad.tap("numbers/error", "Retry")
    #expect(try pad.request(of: "numbers") == 1)
    try pad.fail("numbers")
    try await pad.tap("numbers/error", "Discard")
    #expect(try pad.request(of: "numbers") == 2)
    #expect(pad.rows.isEmpty)
  }

  @Test("drops one change if Discard is sent twice, although the next one has failed meanwhile")
  func discardTwice() async throws {
    let pad = try TestViewModel(Notepad())
    for number in 1...2 { try await pad.send(Notepad.write, number) }
    try pad.fail("numbers")
    let discard = try #require(pad.rows.first?.actions.last?.command)
    #expect(try await pad.send(discard))
    try pad.fail("numbers")
    #expect(try await !pad.send(discard))
    #expect(pad.rows.map(\.fields["text"]) == ["Couldn't write 2."])
  }

  @Test("tells its screen of each change that was written, which may write it to a store")
  func written() async throws {
    let pad = try TestViewModel(key: "a") { Ledger(numbers: Store("numbers", Numbers(), in: $0)) }
    func texts() -> [JSONValue?] { pad.rows(in: "written").map(\.fields["text"]) }
    for number in 7...9 { try await pad.send(Ledger.write, number) }
    try pad.answer("changes")
    #expect(texts() == ["a: 7"])
    try pad.fail("changes")
    #expect(texts() == ["a: 7"])
    try await pad.tap("changes/error", "Discard")
    try pad.answer("changes")
    #expect(texts() == ["a: 7", "a: 9"])
  }

  @Test("says in its row and in its incident which change failed, and why")
  func failedChange() async throws {
    let pad = try TestViewModel(Notepad())
    for number in 7...8 { try await pad.send(Notepad.write, number) }
    let full = LoadFailure(code: "full", message: "There is no space left.")
    for number in 7...8 {
      try pad.fail("numbers", with: full)
      #expect(pad.rows.map(\.fields["text"]) == [.string("Couldn't write \(number).")])
      #expect(pad.rows.map(\.fields["detail"]) == ["There is no space left."])
      #expect(
        pad.incidents.last?.kind
          == .saveFailure(part: "numbers", change: "Couldn't write \(number).", full))
      try await pad.send(["type": "discardNumbers"])
    }
    #expect(pad.rows.isEmpty && pad.incidents.count == 2)
  }

  @Test("is not ended by the result of an attempt before the one that runs")
  func lateResult() throws {
    var changes = SaveState<Int>()
    try changes.save(1)
    let first = changes.token
    var isEnd = changes.end(first, .unavailable)
    #expect(isEnd)
    changes.retry()
    isEnd = changes.end(first, nil)
    #expect(!isEnd && changes.pending == [1])
    isEnd = changes.end(changes.token, nil)
    #expect(isEnd && changes.pending.isEmpty)
  }

  @Test("fails a write that takes longer than the time-out")
  func timeOut() async throws {
    let pad = try TestViewModel(Notepad())
    try await pad.send(Notepad.write, 1)
    pad.advance(by: .seconds(10))
    #expect(pad.rows.map(\.fields["code"]) == ["timed-out"])
    #expect(pad.incidents.count == 1)
  }

  @Test("refuses more changes than may wait, and keeps those that do")
  func full() async throws {
    let pad = try TestViewModel(Notepad())
    let limit = SaveState<Int>.limit
    for number in 1...limit { try await pad.send(Notepad.write, number) }
    await #expect(throws: Refusal.self) { try await pad.send(Notepad.write, 0) }
    for _ in 1...limit { try pad.answer("numbers") }
    #expect(pad.waiting.isEmpty)
  }

  @Test("says which answer nothing waits for")
  func noWait() throws {
    #expect(throws: TestFailure.self) { try TestViewModel(Notepad()).answer("numbers") }
  }
}
