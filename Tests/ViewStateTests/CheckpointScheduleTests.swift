import Testing

@testable import ViewState

@Suite("The schedule of checkpoints")
struct CheckpointScheduleTests {
  var schedule = CheckpointSchedule(interval: 100, age: .seconds(600))

  static func time(_ seconds: Int) -> Timestamp { Timestamp(secondsSince1970: seconds) }

  @Test("begins one after as many inputs as the interval, and none while one is written")
  mutating func begin() {
    schedule.resume(from: 50, Self.time(0))
    let begun = [149, 150, 400].map { schedule.begin(at: $0) }
    #expect(begun == [false, true, false])
    schedule.fail()
    let again = [249, 250].map { schedule.begin(at: $0) }
    #expect(again == [false, true])
  }

  @Test("keeps the newest that is two intervals or ten minutes behind, and all after it")
  mutating func end() {
    schedule.resume(from: 0, Self.time(0))
    let ends = [(100, 1), (200, 2), (300, 3), (400, 4), (450, 603), (500, 1_203)]
    let kept = ends.map { schedule.end(at: $0, Self.time($1)) }
    #expect(kept == [nil, nil, 100, 200, 300, 450])
  }
}
