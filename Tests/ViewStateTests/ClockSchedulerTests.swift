import Testing
import ViewState

@Suite("The scheduler on a clock")
struct ClockSchedulerTests {
  @Test(
    "runs work once its time has come",
    .timeLimit(.minutes(5)))
  func runs() async {
    let scheduler = ClockScheduler()
    let start = scheduler.now
    let end = await withCheckedContinuation { continuation in
      _ = scheduler.schedule(after: .milliseconds(20)) {
        continuation.resume(returning: scheduler.now)
      }
    }
    #expect(end - start >= .milliseconds(20))
  }

  @Test("takes a delay of any length", .timeLimit(.minutes(5)))
  func longDelay() async {
    let scheduler = ClockScheduler()
    let far = scheduler.schedule(after: .seconds(Int64.max)) { Issue.record("it ran") }
    await withCheckedContinuation { continuation in
      _ = scheduler.schedule(after: .milliseconds(20)) { continuation.resume() }
    }
    far.cancel()
  }

  @Test("does not run work that was called off", .timeLimit(.minutes(5)))
  func cancels() async {
    let scheduler = ClockScheduler()
    let order = await withCheckedContinuation { continuation in
      let cancelled = scheduler.schedule(after: .milliseconds(10)) {
        continuation.resume(returning: "the cancelled work ran")
      }
      cancelled.cancel()
      cancelled.cancel()
      _ = scheduler.schedule(after: .milliseconds(50)) {
        continuation.resume(returning: "only the other")
      }
    }
    #expect(order == "only the other")
  }
}
