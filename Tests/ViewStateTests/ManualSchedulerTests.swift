import TestSupport
import Testing
import ViewDeltaTesting

@Suite("A scheduler of a test")
struct ManualSchedulerTests {
  @Test("runs work by its deadline, then as it was scheduled, each at its time, unless cancelled")
  func order() {
    let (scheduler, runs) = (ManualScheduler(), Noted<String>())
    func schedule(_ name: String, after seconds: Int) -> any Cancellable {
      scheduler.schedule(after: .seconds(seconds)) { runs.add("\(name) \(scheduler.now)") }
    }
    _ = schedule("c", after: 2)
    _ = schedule("a", after: 1)
    _ = schedule("b", after: 1)
    schedule("d", after: 1).cancel()
    _ = schedule("e", after: 4)
    scheduler.advance(by: .seconds(3))
    #expect(runs.all == ["a 1.0 seconds", "b 1.0 seconds", "c 2.0 seconds"])
    #expect(scheduler.pendingCount == 1 && scheduler.now == .seconds(3))
  }

  @Test("never goes back in time, also if work that becomes due advances it")
  func nested() {
    let scheduler = ManualScheduler()
    _ = scheduler.schedule(after: .seconds(1)) { scheduler.advance(by: .seconds(10)) }
    scheduler.advance(by: .seconds(3))
    #expect(scheduler.now == .seconds(11))
  }
}
