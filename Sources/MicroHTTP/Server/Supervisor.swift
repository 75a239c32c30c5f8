import CMicroHTTPD
import Glibc
import Logging
import Synchronization

/// A thread that looks after a daemon: it closes late connections, finds parked requests and
/// streams whose clients left, and takes the daemon down.
///
/// A thread, not a task: deadlines must hold however busy the handlers keep the concurrency pool,
/// and stopping the daemon blocks.
final class Supervisor: Sendable {
  private struct State {
    var drain = Drain()
    var action = Drain.Action.none
    var waiting: [CheckedContinuation<Void, Never>] = []
    var isStopped = false
  }

  private let daemon: Daemon
  /// An eventfd that interrupts the thread's sleep.
  private let wakeup: Int32
  private let state = Mutex(State())

  /// Starts the thread.
  init(_ daemon: Daemon) throws(ServerError) {
    self.daemon = daemon
    wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard wakeup >= 0 else { throw .systemCall(name: "eventfd", errno: errno) }
    var thread = pthread_t()
    // The thread holds a reference until it ends.
    let reference = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Supervisor>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, reference.toOpaque())
    guard failure == 0 else {
      reference.release()
      close(wakeup)
      throw .systemCall(name: "pthread_create", errno: failure)
    }
    pthread_detach(thread)
  }

  /// Takes the daemon down and returns when it is. Further calls wait for the same end; a shorter
  /// grace counts.
  func shutdown(grace: Duration) async {
    await withCheckedContinuation { continuation in
      if !request(grace: grace, continuation) { continuation.resume() }
    }
  }

  /// Takes the daemon down without waiting for it.
  func requestShutdown(grace: Duration) {
    _ = request(grace: grace, nil)
  }

  /// Returns false if the daemon is down already.
  private func request(
    grace: Duration, _ continuation: CheckedContinuation<Void, Never>?
  ) -> Bool {
    state.withLock { state in
      if state.isStopped { return false }
      let event = Drain.Event.requested(grace: grace.wholeNanoseconds)
      let action = state.drain.event(event, at: .now())
      if action != .none { state.action = action }
      if let continuation { state.waiting.append(continuation) }
      // Under the lock, because the thread closes it under the lock.
      eventfd_write(wakeup, 1)
      return true
    }
  }

  private func run() {
    let configuration = daemon.engine.configuration
    let sweepPeriod = configuration.abandonmentSweep.wholeNanoseconds
    let pause = Self.pause(configuration)
    var nextSweep = MonotonicTime.now() + sweepPeriod
    while true {
      let isDraining = state.withLock { $0.drain.isDraining }
      var descriptor = pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, isDraining ? 2 : pause)
      var count: eventfd_t = 0
      eventfd_read(wakeup, &count)
      let now = MonotonicTime.now()
      _ = daemon.engine.connections.shutDownExpired(at: now)
      daemon.engine.resumes.empty()
      if now >= nextSweep {
        for exchange in daemon.engine.connections.parkedWithoutClient() {
          exchange.clientLeft()
        }
        nextSweep = now + sweepPeriod
      }
      if drain(at: now) { return }
    }
  }

  /// Does what the drain wants next; true when the daemon is down.
  private func drain(at now: MonotonicTime) -> Bool {
    let engine = daemon.engine
    let tick = Drain.Event.tick(
      inFlight: engine.inFlight.load(ordering: .acquiring),
      suspended: engine.suspended.load(ordering: .sequentiallyConsistent))
    let action = state.withLock { state in
      let requested = state.action
      state.action = .none
      return requested == .none ? state.drain.event(tick, at: now) : requested
    }
    switch action {
    case .none:
      return false
    case .refuseAndSettle:
      engine.isDraining.store(true, ordering: .sequentiallyConsistent)
      daemon.quiesce()
      for exchange in engine.connections.parked() { exchange.shutDown() }
      return false
    case .stop:
      daemon.stop()
    case .abandon:
      engine.logger.error("a suspended connection could not be resumed, the daemon is left behind")
    }
    finish()
    return true
  }

  private func finish() {
    let waiting = state.withLock { state in
      state.isStopped = true
      close(wakeup)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// How long the thread may sleep, in milliseconds, to notice deadlines soon enough: an eighth of
  /// the shortest one, within 5 and 250.
  private static func pause(_ configuration: ServerConfiguration) -> Int32 {
    let shortest = min(
      configuration.headerDeadline, configuration.bodyDeadline, configuration.replyDeadline,
      configuration.abandonmentSweep)
    return Int32(min(250, max(5, shortest.wholeNanoseconds / 8_000_000)))
  }
}
