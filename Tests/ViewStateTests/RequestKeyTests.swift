import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The outcomes that the keys of requests remember")
struct OutcomesTests {
  static let start = Timestamp(secondsSince1970: 1_800_000_000)

  var outcomes = Outcomes()

  static func key(_ name: Text, _ fingerprint: Text = "f", target: Text = "POST /") -> RequestKey {
    RequestKey(target: target, name: name, fingerprint: fingerprint)
  }

  /// What is remembered for a key; `nil` if it is new, and `reused` if it came with another request.
  static func find(
    _ key: RequestKey, in outcomes: inout Outcomes, _ limits: KeyLimits = KeyLimits(),
    after time: Duration = .zero
  ) -> JSONValue? {
    switch outcomes.find(key, at: start.advanced(by: time), limits) {
    case .known(let outcome): outcome
    case .reused: "reused"
    case nil: nil
    }
  }

  static func remember(
    _ name: Text, _ outcome: JSONValue = 1, in outcomes: inout Outcomes,
    _ limits: KeyLimits = KeyLimits(),
    after time: Duration = .zero
  ) {
    outcomes.remember(outcome, for: key(name), at: start.advanced(by: time), limits)
  }

  @Test("are forgotten beyond their number, the oldest first")
  mutating func count() {
    for name: Text in ["a", "b", "c"] {
      Self.remember(name, in: &outcomes, KeyLimits(count: 2))
    }
    #expect(Self.find(Self.key("a"), in: &outcomes) == nil)
    #expect(Self.find(Self.key("b"), in: &outcomes) == 1)
    #expect(Self.find(Self.key("c"), in: &outcomes) == 1)
    #expect(outcomes.count == 2)
  }

  @Test("are forgotten beyond their bytes, with what the targets and the places in tables take")
  mutating func bytes() {
    let large = JSONValue.string(Text(String(repeating: "x", count: 60_000)))
    for name: Text in ["a", "b"] {
      Self.remember(name, large, in: &outcomes, KeyLimits(byteCount: 100_000))
    }
    #expect(Self.find(Self.key("a"), in: &outcomes) == nil)
    #expect(Self.find(Self.key("b"), in: &outcomes) == large)
    let before = outcomes.byteCount
    let target = Text("/" + String(repeating: "x", count: 8_000))
    outcomes.remember(1, for: Self.key("c", target: target), at: Self.start, KeyLimits())
    #expect(outcomes.byteCount > before + 8_500)
    Self.remember("d", in: &outcomes, KeyLimits(byteCount: 0))
    #expect(outcomes.count == 0 && outcomes.byteCount == 0)
  }

  @Test("are forgotten after their lifetime, by the time of the inputs")
  mutating func age() {
    let limits = KeyLimits(lifetime: .seconds(10))
    Self.remember("a", in: &outcomes, limits, after: .seconds(5))
    #expect(Self.find(Self.key("a"), in: &outcomes, limits, after: .seconds(14)) == 1)
    #expect(Self.find(Self.key("a"), in: &outcomes, limits, after: .seconds(15)) == nil)
    #expect(outcomes.byteCount == 0)
  }

  @Test("belong to a target and a name, and to one request")
  mutating func names() {
    Self.remember("a", in: &outcomes)
    #expect(Self.find(Self.key("a"), in: &outcomes) == 1)
    #expect(Self.find(Self.key("a", target: "POST /b"), in: &outcomes) == nil)
    #expect(Self.find(Self.key("a", "g"), in: &outcomes) == "reused")
  }

  @Test("are the same when they are read again, in the same order")
  mutating func coding() throws {
    Self.remember("a", ["deep": [[[1, nil]]]], in: &outcomes)
    Self.remember("b", .null, in: &outcomes, after: .seconds(1))
    let json = try JSONValue(encoding: outcomes)
    var again = try json.decode(Outcomes.self)
    #expect(again == outcomes && again.byteCount == outcomes.byteCount)
    Self.remember("c", in: &again, KeyLimits(count: 2))
    #expect(Self.find(Self.key("a"), in: &again) == nil)
    #expect(Self.find(Self.key("b"), in: &again) == .null)
  }
}

@Suite("A request with a key")
struct RequestKeyTests {
  /// Numbered tickets, of which there are few.
  struct Tickets: StoreValue {
    enum Write: Codable, Sendable {
      case draw
      case fail
    }

    var drawn = 0

    mutating func apply(_ write: Write, at time: Timestamp) throws(StoreError) -> Written<Int> {
      if case .fail = write { throw .changedMeanwhile }
      guard drawn < 3 else { throw .full }
      drawn += 1
      return Written(drawn, changing: ["all"], of: "tickets")
    }
  }

  let scheduler = ManualScheduler()

  func environment(_ settings: Settings = Settings()) -> ScreenEnvironment {
    ScreenEnvironment(
      scheduler: scheduler, settings: settings,
      now: { [scheduler] in OutcomesTests.start.advanced(by: scheduler.now) })
  }

  func tickets() -> Store<Tickets> {
    Store("tickets", Tickets(), in: Engine(environment: environment(), seed: [1]))
  }

  func tickets(_ settings: Settings, _ journal: MemoryJournal) throws -> Store<Tickets> {
    let engine = try Engine(environment: environment(settings), seed: [1], journal: journal)
    return Store("tickets", Tickets(), in: engine)
  }

  @Test("is applied once, and its outcome is that of the first time, as is a refusal")
  func once() async throws {
    let tickets = tickets()
    let key = OutcomesTests.key("a")
    let drawn = [
      try await tickets.write(.draw, once: key), try await tickets.write(.draw, once: nil),
      try await tickets.write(.draw, once: key), try await tickets.write(.draw, once: nil),
    ]
    #expect(drawn == [1, 2, 1, 3])
    for _ in 1...2 {
      await #expect(throws: StoreError.full) {
        try await tickets.write(.draw, once: OutcomesTests.key("b"))
      }
    }
    await #expect(throws: StoreError.reusedKey) {
      try await tickets.write(.draw, once: OutcomesTests.key("a", "other"))
    }
    #expect(tickets.value.drawn == 3)
  }

  @Test("that was refused for now is tried again")
  func again() async throws {
    let tickets = tickets()
    let key = OutcomesTests.key("a")
    await #expect(throws: StoreError.changedMeanwhile) { try await tickets.write(.fail, once: key) }
    #expect(try await tickets.write(.draw, once: key) == 1)
  }

  @Test("and many like it at once are one")
  func concurrent() async throws {
    let tickets = tickets()
    let drawn = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...40 {
        group.addTask { try await tickets.write(.draw, once: OutcomesTests.key("a")) }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(drawn == [1] && tickets.value.drawn == 1)
  }

  @Test("does the same in an engine whose process has other settings, if the inputs are the same")
  func settings() async throws {
    let journal = MemoryJournal()
    let settings = Settings(
      loadTimeout: .seconds(3), keys: KeyLimits(count: 1, lifetime: .seconds(60)))
    let tickets = try tickets(settings, journal)
    try tickets.engine.start()
    try await tickets.write(.draw, once: OutcomesTests.key("a"))
    try await tickets.write(.draw, once: OutcomesTests.key("b"))
    // The key is forgotten here, and would not be under the other settings.
    #expect(try await tickets.write(.draw, once: OutcomesTests.key("a")) == 3)
    try tickets.engine.configure(Settings(loadTimeout: .milliseconds(1500)))
    scheduler.advance(by: .seconds(61))
    #expect(try await tickets.write(.draw, once: OutcomesTests.key("a")) == 3)
    #expect(journal.entries.map(\.position) == Array(1...5))

    let others = try self.tickets(
      Settings(keys: KeyLimits(count: 100, lifetime: .seconds(1))), journal)
    _ = try others.engine.beginReplay()
    try others.engine.replay(until: .max) { _ in }
    #expect(others.value.drawn == 3 && others.engine.settings == tickets.engine.settings)
    let (here, there) = (try tickets.engine.outcomes, try others.engine.outcomes)
    #expect(here == there && here != [])
  }

  @Test(
    "cannot be replayed by screens that are made for another refresh policy or language",
    arguments: [
      (
        "--refresh blank", Settings(refreshPolicy: .blank), Settings(refreshPolicy: .keepPrevious)
      ),
      ("--language de", Settings(language: .de), Settings(language: .en)),
    ])
  func madeFor(option: String, settings: Settings, others: Settings) async throws {
    let journal = MemoryJournal()
    let one = try tickets(settings, journal)
    try one.engine.start()
    for different in [Settings(), others] {
      let error = #expect(throws: JournalError.self) {
        try tickets(different, journal).engine.beginReplay()
      }
      #expect("\(error as Any)".contains("it needs \(option), and the screens were made with "))
      #expect(throws: JSONShapeError.self) { try one.engine.configure(different) }
    }
    _ = try tickets(settings, journal).engine.beginReplay()
    #expect(one.engine.settings == settings)
  }

  @Test("is not read from an input whose outcome cannot be remembered")
  func unknown() throws {
    let engine = tickets().engine
    let key: JSONValue = ["target": "t", "name": "n", "fingerprint": "f"]
    let settings = try JSONValue(encoding: Settings())
    let input: JSONValue = ["kind": "configured", "settings": settings, "once": key]
    let error = #expect(throws: JSONShapeError.self) {
      try engine.contents.input(JSONReader(input))
    }
    #expect(error?.pointer.description == "/once")
  }

  @Test("has settings that are the same when they are read again")
  func coding() throws {
    for settings in [
      Settings(), Settings(loadTimeout: .milliseconds(1), refreshPolicy: .keepPrevious),
      Settings(language: .de),
      Settings(keys: KeyLimits(count: 1, byteCount: 2, lifetime: .seconds(3))),
    ] {
      #expect(try JSONValue(encoding: settings).decode(Settings.self) == settings)
    }
  }

  @Test("are written with the longest time that JSON carries if one is longer")
  func longTimes() throws {
    let settings = Settings(
      loadTimeout: .seconds(Int64.max), keys: KeyLimits(lifetime: .seconds(Int64.max)))
    let read = try JSONValue(encoding: settings).decode(Settings.self)
    #expect(read.loadTimeout == .nanoseconds(9_007_199_000_000_000))
    #expect(read.keys.lifetime == .seconds(9_007_199_254_740_992))
  }
}
