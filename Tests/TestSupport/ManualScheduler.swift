import Synchronization
public import ViewState

/// A scheduler whose time stands still until a test moves it. What falls due runs on the thread
/// that moves it, before `advance` returns, so a test sees all of it and never has to wait.
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

  public init() {}

  public var now: Duration { agenda.withLock { $0.now } }

  /// How much work is scheduled and not called off, without what may be late.
  public var pendingCount: Int { agenda.withLock { $0.work.count { !$0.isUpkeep } } }

  /// How much work that may be late is scheduled and not called off.
  public var upkeepCount: Int { agenda.withLock { $0.work.count(where: \.isUpkeep) } }

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

  /// Moves the time on, and runs what falls due in the order of the deadlines, then of scheduling.
  public func advance(by interval: Duration) {
    let end = agenda.withLock { $0.now + interval }
    while let work = agenda.withLock({ $0.next(until: end) }) { work.run() }
    agenda.withLock { $0.now = end }
  }

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

extension Engine {
  /// An engine on a time that stands still.
  public static func still() -> Engine {
    Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
  }
}

extension ScreenInstance {
  /// How many changes of the view model are kept.
  public var changeCount: Int { revisionCount - 1 }
}
