import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The schedule of checkpoints")
struct CheckpointScheduleTests {
  var schedule = CheckpointSchedule(interval: 100, age: .seconds(600))

  static func mark(_ position: Int, _ seconds: Int, weight: JSONValue? = nil) -> Checkpoint.Mark {
    let time = Timestamp(secondsSince1970: seconds)
    return Checkpoint.Mark(position: position, time: time, weight: weight)
  }

  @Test("begins one after as many inputs as the interval, and none while one is written")
  mutating func begin() {
    schedule.resume(with: [Self.mark(0, 0), Self.mark(150, 0)])
    let begun = [249, 250, 500].map { schedule.begin(at: $0) }
    #expect(begun == [false, true, false])
    schedule.fail()
    let again = [349, 350].map { schedule.begin(at: $0) }
    #expect(again == [false, true])
  }

  @Test("keeps the newest that is two intervals or ten minutes behind, and all after it")
  mutating func end() {
    schedule.resume(with: [Self.mark(0, 0)])
    let ends = [(100, 1), (200, 2), (300, 3), (400, 4), (500, 604), (600, 1_204)]
    let kept = ends.map { position, seconds in
      #expect(schedule.end(at: Self.mark(position, seconds)) == nil)
      return schedule.trim(0)
    }
    #expect(kept == [nil, nil, 100, 200, 400, 500])
  }

  @Test("keeps only the last one that an end has written, which does not delay the next")
  mutating func ends() {
    let marks = [(0, 0), (100, 1), (150, 2)].map { Self.mark($0.0, $0.1) }
    #expect(schedule.end(at: marks[0]) == nil)
    #expect(schedule.end(at: Self.mark(60, 1)) == nil)
    #expect(schedule.end(at: Self.mark(70, 1)) == 60)
    #expect(schedule.end(at: marks[1]) == 70)
    #expect(schedule.end(at: marks[2]) == nil)
    var next = CheckpointSchedule(interval: 100, age: .seconds(600))
    next.resume(with: marks)
    #expect(next.newest == 150)
    let begun = [199, 200].map { next.begin(at: $0) }
    #expect(begun == [false, true])
    #expect(next.end(at: Self.mark(200, 3)) == 150)
  }

  @Test("lets few inputs that bring much count as many that bring little")
  mutating func weight() {
    #expect([0, 32_767, 32_768, 1 << 20].map(Checkpoint.weight(ofInput:)) == [1, 1, 2, 33])
    schedule.resume(with: [Self.mark(0, 0)])
    for (position, weight) in [(1, 100), (5, 250), (50, 350)] {
      let isDue = schedule.begin(at: weight)
      #expect(isDue)
      #expect(schedule.end(at: Self.mark(position, 1, weight: .integer(weight))) == nil)
    }
    let kept = schedule.trim(0)
    #expect(kept == 1)
  }

  @Test("counts each input once if a journal has no weight, or one that cannot be")
  func unknownWeight() {
    let wrong: [JSONValue?] = [nil, "20", 9, -1, .integer(.max), 20.5]
    #expect(wrong.map { Self.mark(10, 0, weight: $0).weight } == wrong.map { _ in 10 })
    #expect(Self.mark(10, 0, weight: 20).weight == 20)
    #expect(Self.mark(1 << 54, 0, weight: .integer(1 << 55)).weight == 1 << 54)
  }

  @Test("begins an interval before the end, however old the inputs before are")
  func start() {
    let marks = [(0, 0), (100, 1), (150, 10_000)].map { Self.mark($0.0, $0.1) }
    #expect(schedule.start(in: marks) == 0)
    #expect(schedule.start(in: marks + [Self.mark(200, 10_001)]) == 1)
  }

  @Test("keeps older ones for a time, unless the journal is too large, and all that a start needs")
  func retention() {
    let retention = JournalRetention(age: .seconds(4_500), byteCount: 1_000)
    var schedule = CheckpointSchedule(interval: 100, age: .seconds(600), keeping: retention)
    let marks = (0...6).map { Self.mark($0 * 100, $0 * 1_000) }
    schedule.resume(with: [marks[0]])
    for mark in marks[1...4] {
      #expect(schedule.end(at: mark) == nil)
      #expect(schedule.trim(1_000) == nil)
    }
    #expect(schedule.end(at: marks[5]) == nil)
    #expect(schedule.trim(0) == nil)
    #expect(schedule.end(at: marks[6]) == nil)
    #expect(schedule.trim(0) == 100)
    #expect(schedule.trim(0) == nil)
    // A start begins with the fifth, and what is after it stays.
    #expect(schedule.start(in: marks) == 5)
    let kept = (1...5).map { _ in schedule.trim(1_001) }
    #expect(kept == [200, 300, 400, 500, nil])
  }

  @Test("tells that one could not be written, and begins the next one when it is due")
  func failure() async throws {
    let world = try JournalWorld(schedule: CheckpointSchedule(interval: 10))
    world.journal.fail(checkpoints: .unavailable("full"))
    for number in 1...10 { _ = try await world.store.write(["a": number]) }
    try await wait { world.incidents == [.checkpointFailed(.unavailable("full"))] }
    world.journal.fail(checkpoints: nil)
    for number in 11...20 { _ = try await world.store.write(["a": number]) }
    try await wait { world.journal.positions == [0, 20] }
  }
}
