import Synchronization
public import ViewState

/// A scheduler whose time advances only when a test calls `advance`. All work that becomes due runs
/// on the calling thread before `advance` returns, so a test never has to wait.
///
/// ```swift
/// let scheduler = ManualScheduler()
/// _ = scheduler.schedule(after: .seconds(2)) { print("two seconds later") }
/// scheduler.advance(by: .seconds(2))  // two seconds later
/// ```
public final class ManualScheduler: Scheduler {
  fileprivate struct Work: Sendable {
    let number: Int
    let deadline: Duration
    let isUpkeep: Bool
    let run: @Sendable () -> Void
  }

  fileprivate struct Agenda: Sendable {
    var now: Duration = .zero
    var nextNumber = 0
    var work: [Work] = []
  }

  private let agenda = Mutex(Agenda())

  /// Creates a scheduler at time zero.
  public init() {}

  public var now: Duration { agenda.withLock { $0.now } }

  /// The number of scheduled work items that are not cancelled, without those with a tolerance.
  public var pendingCount: Int { agenda.withLock { $0.work.count { !$0.isUpkeep } } }

  /// The number of scheduled work items with a tolerance that are not cancelled.
  package var upkeepCount: Int { agenda.withLock { $0.work.count { $0.isUpkeep } } }

  public func schedule(
    after delay: Duration, tolerance: Duration?, _ run: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    agenda.withLock { agenda in
      let work = Work(
        number: agenda.nextNumber, deadline: agenda.now + delay, isUpkeep: tolerance != nil,
        run: run)
      agenda.nextNumber += 1
      agenda.work.append(work)
      return Handle(scheduler: self, number: work.number)
    }
  }

  /// Advances the time, and runs the work that becomes due in the order of the deadlines, then of
  /// scheduling.
  public func advance(by interval: Duration) { advance(by: interval) {} }

  /// Advances the time, and calls a closure after each work that becomes due.
  package func advance(by interval: Duration, _ afterEach: () -> Void) {
    let end = agenda.withLock { $0.now + interval }
    while let work = agenda.withLock({ $0.next(until: end) }) {
      work.run()
      afterEach()
    }
    // The work may have advanced it farther.
    agenda.withLock { $0.now = max($0.now, end) }
  }

  /// Lets the time go on without running what becomes due, as if the process stood still.
  package func standStill(for interval: Duration) { agenda.withLock { $0.now += interval } }

  private struct Handle: Cancellable {
    let scheduler: ManualScheduler
    let number: Int

    func cancel() {
      scheduler.agenda.withLock { $0.work.removeAll { $0.number == number } }
    }
  }
}

extension ManualScheduler.Agenda {
  fileprivate mutating func next(until end: Duration) -> ManualScheduler.Work? {
    let due = work.indices.filter { work[$0].deadline <= end }
    let first = due.min { left, right in
      (work[left].deadline, work[left].number) < (work[right].deadline, work[right].number)
    }
    guard let first else { return nil }
    let next = work.remove(at: first)
    now = max(now, next.deadline)
    return next
  }
}
