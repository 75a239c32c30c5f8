import Glibc
import Logging
import Synchronization

/// A thread that serves connections. It waits for work, runs its daemon of libmicrohttpd, closes
/// connections at their deadlines, abandons parked requests and streams whose clients have
/// disconnected, and stops the daemon.
///
/// A thread of the library polls again as long as it gets the maximum of 128 events, before it
/// handles any of them. With exactly 128 or 256 ready clients it sleeps, with their requests
/// unhandled, until another event comes. This thread waits with `poll`, which consumes no events,
/// and runs the library only if there is work, without a wait.
///
/// It is a thread and not a task, because deadlines must be met even if handlers occupy all threads
/// of the concurrency pool.
///
/// `@unchecked Sendable`: before the thread starts, only the code that creates this object uses the
/// daemon; afterwards only the thread does. Everything else is constant or behind a lock.
final class ServingThread: @unchecked Sendable {
  let engine: DaemonEngine
  private let daemon: Daemon
  private let listeningDescriptor: Int32
  /// The requested grace period that the thread has not handled yet, in nanoseconds.
  private let requestedGrace = Mutex<UInt64?>(nil)

  /// Creates a daemon on a listening socket. The thread does not run yet.
  init(_ engine: DaemonEngine, listening descriptor: Int32) throws(ServerError) {
    self.engine = engine
    listeningDescriptor = descriptor
    daemon = try Daemon(engine, listening: descriptor)
  }

  /// Starts the thread.
  ///
  /// - Parameter end: Called at the end of the thread, after the daemon has stopped.
  func start(end: @escaping @Sendable () -> Void) throws(ServerError) {
    let body = Unmanaged.passRetained(
      Body { [self] in
        run()
        end()
      })
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard failure == 0 else {
      body.release()
      throw .systemCall(name: "pthread_create", errno: failure)
    }
    pthread_detach(thread)
  }

  /// Stops the daemon of a thread that was not started.
  func discard() {
    daemon.quiesce()
    daemon.stop()
  }

  /// Stops accepting new clients and refuses new requests. Any thread can call it.
  func beginDraining() {
    engine.isDraining.store(true, ordering: .sequentiallyConsistent)
    engine.resumes.ring()
  }

  /// Ends the thread gracefully after ``beginDraining()``. Any thread can call it. If it is called
  /// several times the shortest grace period applies.
  func end(grace: UInt64) {
    requestedGrace.withLock { $0 = min($0 ?? .max, grace) }
    engine.resumes.ring()
  }

  /// Serves until the daemon has stopped.
  private func run() {
    // An idle thread has a turn in each pause.
    let checkPeriod = UInt64(engine.configuration.pause) * 500_000
    let sweepParts = engine.configuration.sweepParts
    var nextCheck = engine.clock.now
    var drain = Drain()
    var descriptors = [daemon.epoll, engine.resumes.bell].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      wait(for: &descriptors, isDraining: drain.isDraining)
      let now = MonotonicTime.now()
      engine.clock.tick(at: now)
      engine.beginTurn()
      // Received data is read before the deadlines are checked.
      daemon.run()
      if engine.clock.now >= nextCheck {
        nextCheck = engine.clock.now + checkPeriod
        engine.connections.shutDownExpired(at: engine.clock.now)
        if isFull, isClientWaiting { engine.connections.shutDownLongestIdle() }
        let part = engine.connections.nextPart(of: sweepParts)
        for record in part.withoutClient() { record.clientLeft() }
        for exchange in part.stuck() { engine.refuseStuck(exchange) }
      }
      if engine.isDraining.load(ordering: .relaxed), takeDown(&drain, at: now) { return }
    }
  }

  /// Whether the library accepts no more clients until a connection is closed.
  private var isFull: Bool {
    engine.open.load(ordering: .relaxed) >= engine.connectionLimit
  }

  /// Whether a client waits to be accepted.
  private var isClientWaiting: Bool {
    var listening = pollfd(fd: listeningDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&listening, 1, 0) > 0
  }

  /// Waits until there is work or the deadlines must be checked. Then resumes the queued
  /// connections.
  private func wait(for descriptors: inout [pollfd], isDraining: Bool) {
    let limit: Int32 =
      switch (isDraining, engine.open.load(ordering: .relaxed)) {
      case (true, _): 2
      // Without a connection there is no deadline.
      case (false, 0): -1
      case (false, _): engine.configuration.pause
      }
    // The library is busy if it has internal work, or if a connection was closed: only when it runs
    // does it poll the listening socket again.
    let isBusy = daemon.hasWork || engine.hasClosed
    // A line before a chunk can fill the memory of its connection. The library then reports work,
    // but does nothing until the connection is closed at its deadline.
    let isStuck = isBusy && engine.idleRuns >= Self.idleRunLimit
    engine.hasClosed = false
    engine.idleRuns = min(engine.idleRuns + 1, Self.idleRunLimit)
    if isBusy, !isStuck {
      descriptors[1].revents = 0
    } else {
      poll(&descriptors, 2, isStuck ? 1 : limit)
    }
    engine.resumes.empty(isRinging: descriptors[1].revents != 0)
  }

  /// The number of runs without a callback after which the library is taken to be stuck. Between the replies to two
  /// requests that arrived at once there is one.
  private static let idleRunLimit = 4

  /// Performs the next step of the shutdown; returns whether the daemon has stopped.
  private func takeDown(_ drain: inout Drain, at now: MonotonicTime) -> Bool {
    daemon.quiesce()
    let grace = requestedGrace.withLock { grace in
      defer { grace = nil }
      return grace
    }
    let event =
      grace.map { Drain.Event.requested(grace: $0) }
      ?? .tick(
        inFlight: engine.inFlight.load(ordering: .relaxed),
        suspended: engine.suspended.load(ordering: .relaxed))
    switch drain.event(event, at: now) {
    case .none:
      return false
    case .refuseAndSettle:
      // A refusal says that nothing was done. What other requests do may be done already.
      for exchange in engine.connections.parked()
      where exchange.stream != nil || exchange.changesNothing { exchange.shutDown() }
      return false
    case .cut:
      for exchange in engine.connections.parked() { exchange.clientLeft() }
      return false
    case .stop:
      daemon.stop()
    case .abandon:
      engine.logger.error("a suspended connection did not resume in time; its daemon goes on")
    }
    return true
  }

  /// A closure in the form of an object, whose pointer is passed through C.
  private final class Body {
    let run: () -> Void

    init(_ run: @escaping () -> Void) {
      self.run = run
    }
  }
}
