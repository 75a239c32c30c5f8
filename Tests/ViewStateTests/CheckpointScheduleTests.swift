import Testing

@testable import ViewState

@Suite("The schedule of checkpoints")
struct CheckpointScheduleTests {
  var schedule = CheckpointSchedule(interval: 100, age: .seconds(600))

  static func mark(_ position: Int, _ seconds: Int) -> Checkpoint.Mark {
    Checkpoint.Mark(position: position, time: Timestamp(secondsSince1970: seconds))
  }

  @Test("begins one after as many inputs as the interval, and none while one is written")
  mutating func begin() {
    schedule.resume(with: [Self.mark(0, 0), Self.mark(50, 0)])
    let begun = [149, 150, 400].map { schedule.begin(at: $0) }
    #expect(begun == [false, true, false])
    schedule.fail()
    let again = [249, 250].map { schedule.begin(at: $0) }
    #expect(again == [false, true])
  }

  @Test("keeps the newest that is two intervals or ten minutes behind, and all after it")
  mutating func end() {
    schedule.resume(with: [Self.mark(0, 0)])
    let ends = [(100, 1), (200, 2), (300, 3), (400, 4), (450, 603), (500, 1_203)]
    let kept = ends.map { position, seconds in
      schedule.end(at: Self.mark(position, seconds))
      return schedule.trim(0)
    }
    #expect(kept == [nil, nil, 100, 200, 300, 450])
  }

  @Test("keeps older ones for a time, unless the journal is too large, and all that a start needs")
  func retention() {
    let retention = JournalRetention(age: .seconds(4_500), byteCount: 1_000)
    var schedule = CheckpointSchedule(interval: 100, age: .seconds(600), keeping: retention)
    let marks = (0...6).map { Self.mark($0 * 100, $0 * 1_000) }
    schedule.resume(with: [marks[0]])
    for mark in marks[1...4] {
      schedule.end(at: mark)
      #expect(schedule.trim(1_000) == nil)
    }
    schedule.end(at: marks[5])
    #expect(schedule.trim(0) == nil)
    schedule.end(at: marks[6])
    #expect(schedule.trim(0) == 100)
    #expect(schedule.trim(0) == nil)
    // A start begins with the fifth, and what is after it stays.
    #expect(schedule.start(in: marks) == 5)
    let kept = (1...5).map { _ in schedule.trim(1_001) }
    #expect(kept == [200, 300, 400, 500, nil])
  }
}
