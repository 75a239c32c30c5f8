import DequeModule
import Dispatch
import Synchronization

/// The threads that run the code of a program outside of the engine, its sources, writes, look-ups and routes, and the
/// one that makes large replies.
///
/// Such code may block its thread. Swift's own pool has one thread for each processor core: if a call blocked each of
/// them, nothing else would run, not even the time-outs that end the calls.
package final class OutsideThreads: TaskExecutor {
  private struct State: Sendable {
    /// One for each further thread that may run. A serial queue takes a thread of the system at once, and gives it back
    /// when it has no more work.
    var free: [DispatchQueue]
    var waiting: Deque<UnownedJob> = []
  }

  /// The threads of sources, writes and look-ups. Dispatch has 255 for all serial queues, so others are left.
  static let sources = OutsideThreads(count: 48)
  /// The threads of routes, which answer even if all of the others are blocked.
  package static let routes = OutsideThreads(count: 16)

  private let state: Mutex<State>

  /// Creates an executor whose jobs run on at most `count` threads at once; further jobs wait for a free thread.
  package init(count: Int) {
    state = Mutex(State(free: (0..<count).map { _ in DispatchQueue(label: "viewdelta.outside") }))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = state.withLock { state in
      let thread = state.free.popLast()
      if thread == nil { state.waiting.append(job) }
      return thread
    }
    guard let thread else { return }
    thread.async { [self] in
      var next: UnownedJob? = job
      while let job = next {
        job.runSynchronously(on: asUnownedTaskExecutor())
        next = state.withLock { state in
          let next = state.waiting.popFirst()
          if next == nil { state.free.append(thread) }
          return next
        }
      }
    }
  }
}
