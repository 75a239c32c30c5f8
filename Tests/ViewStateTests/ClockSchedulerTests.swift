import TestSupport
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
    for exponent in 0...12 {
      let (start, delay, ran) = (scheduler.now, Duration.milliseconds(10 << exponent), Noted<Int>())
      let cancelled = scheduler.schedule(after: delay) { ran.add(exponent) }
      cancelled.cancel()
      cancelled.cancel()
      // A machine that is so slow that its time has come first tries again with a longer one.
      guard scheduler.now - start < delay else { continue }
      await withCheckedContinuation { continuation in
        _ = scheduler.schedule(after: delay * 2) { continuation.resume() }
      }
      #expect(ran.all.isEmpty)
      return
    }
    Issue.record("it is never called off in time")
  }
}
