import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

/// Which entries a start skips, after starts that have ended.
@Suite("The progress of a start")
struct ReplayProgressTests {
  typealias Start = ReplayProgress.Start

  static func end(_ position: Int, skipping skipped: Int...) -> Start {
    start(at: position, isApplying: true, skipping: skipped)
  }

  /// What a start of the program notes.
  static func start(
    at position: Int = 0, isApplying: Bool = false, skipping skipped: [Int] = []
  ) -> Start {
    var start = ReplayProgress().start(at: position, isApplying: isApplying)
    start.skipped = skipped
    return start
  }

  struct Case: Sendable {
    let ends: [Start]
    var skipped: Set<Int> = []
  }

  static let cases: [Case] = [
    Case(ends: []), Case(ends: [end(7)]), Case(ends: [end(7), end(9)]),
    Case(ends: [end(7), end(7)], skipped: [7]),
    // One has come further with it.
    Case(ends: [end(7), end(9), end(7)]),
    Case(ends: [end(9), end(7), end(7), end(9)], skipped: [9]),
    // One has come further without it.
    Case(ends: [end(7), end(7), end(9, skipping: 7)], skipped: [7]),
    Case(ends: [end(7), end(7), end(9, skipping: 7), end(9, skipping: 7)], skipped: [7, 9]),
    // Starts were killed between two entries, or before the first.
    Case(ends: [end(7), start(at: 7), start(at: 7), start()]),
    // Two have ended there although they have skipped it.
    Case(ends: [end(7), end(7)] + Array(repeating: start(at: 7, skipping: [7]), count: 2)),
  ]

  @Test(
    "skips what two starts have ended at, unless something else has ended them", arguments: cases)
  func rules(rule: Case) {
    #expect(ReplayProgress(after: rule.ends).skipped == rule.skipped)
    #expect(ReplayProgress(after: rule.ends.reversed()).skipped == rule.skipped)
    #expect(ReplayProgress(after: rule.ends).isCareful == !rule.ends.isEmpty)
  }

  @Test("skips nothing that only another program has ended at, which the program may apply")
  func programs() {
    let first = ReplayProgress(of: "1").start(at: 7, isApplying: true)
    #expect(ReplayProgress(after: [first, first], of: "1").skipped == [7])
    #expect(ReplayProgress(after: [first, first], of: "2").skipped == [])
    #expect(ReplayProgress(after: [first, first], of: "2").suspects == [])
    #expect(ReplayProgress(after: [first, first], of: "2").isCareful)
  }

  @Test("skips nothing if more entries seem to end the process than can be the cause")
  func limit() {
    var ends: [Start] = []
    for position in 1...ReplayProgress.limit + 1 {
      for _ in 1...2 {
        ends.append(
          Self.start(at: position, isApplying: true, skipping: Array(1..<position)))
      }
      let skipped = position <= ReplayProgress.limit ? Set(1...position) : []
      #expect(ReplayProgress(after: ends).skipped == skipped)
    }
  }

  @Test("waits before what one start has ended at, until another one comes further")
  func suspects() {
    #expect(ReplayProgress(after: [Self.end(7)]).suspects == [7])
    #expect(ReplayProgress(after: [Self.end(7), Self.end(7)]).suspects == [])
    #expect(ReplayProgress(after: [Self.end(7), Self.end(9)]).suspects == [9])
  }

  @Test(
    "lets a journal start whose entries end the process, and loses no other one, whoever kills starts"
  )
  func histories() throws {
    try withSeeds(300) { random in
      let count = random.number(in: 5...60)
      let harmful = Set((0..<random.number(in: 0...2)).map { _ in random.number(in: 1...count) })
      // Each kill comes at another entry: two at one are taken for its fault.
      var kills = (1...count).filter { !harmful.contains($0) && random.chance(0.2) }
      kills.shuffle(using: &random)
      var ends: [Start] = []
      while true {
        let progress = ReplayProgress(after: ends)
        try require(progress.skipped.isSubset(of: harmful), "\(progress.skipped) of \(harmful)")
        let end = (1...count).first { harmful.contains($0) && !progress.skipped.contains($0) }
        let kill = random.chance(0.7) ? kills.popLast() : nil
        guard let last = [end, kill].compactMap(\.self).min() else { break }
        ends.append(progress.start(at: last, isApplying: random.chance(0.8) || last == end))
        try require(ends.count < 200, "it never starts: \(harmful)")
      }
    }
  }

  @Test("is forgotten once it is complete, with that of the starts before it")
  func complete() async throws {
    let world = try JournalWorld()
    try await world.store.write(["a": 2])
    var content = world.journal.content
    content.starts = [try JSONValue(encoding: Self.end(1))]
    let again = try JournalWorld(MemoryJournal(content))
    #expect(again.journal.content.starts.isEmpty)
  }
}
