import Glibc
import Logging
import Synchronization

/// A thread that serves connections: it waits for work, has its daemon of libmicrohttpd do it, closes
/// late connections, finds parked requests and streams whose clients left, and takes the daemon down.
///
/// A thread of the library repeats its wait as long as it gets as many events as it asks for, 128,
/// before it deals with any of them: with exactly 128 clients ready, or 256, it sleeps with their
/// requests in its hands until something else happens. This thread waits by `poll`, which takes
/// nothing, and runs the library only when there is work, and without a wait.
///
/// A thread, not a task: deadlines must hold however busy the handlers keep the concurrency pool.
///
/// `@unchecked Sendable`: before the thread starts, only the maker of this object uses the daemon;
/// after that, only the thread does. All else is constant or behind a lock.
final class ServingThread: @unchecked Sendable {
  let engine: Engine
  private let daemon: Daemon
  /// The grace that was asked for and that the thread has not heard of yet, in nanoseconds.
  private let requestedGrace = Mutex<UInt64?>(nil)

  /// Makes a daemon on a listening socket. The thread does not run yet.
  init(_ engine: Engine, listening descriptor: Int32) throws(ServerError) {
    self.engine = engine
    daemon = try Daemon(engine, listening: descriptor)
  }

  /// Starts the thread.
  ///
  /// - Parameter end: What the thread does last, when the daemon has stopped.
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

  /// Takes no new clients and refuses requests from now on; called on any thread.
  func beginDraining() {
    engine.isDraining.store(true, ordering: .sequentiallyConsistent)
    engine.resumes.ring()
  }

  /// Ends the thread in order, after ``beginDraining()``; called on any thread. Of several graces the
  /// shortest counts.
  func end(grace: UInt64) {
    requestedGrace.withLock { $0 = min($0 ?? .max, grace) }
    engine.resumes.ring()
  }

  /// Serves until the daemon has stopped.
  private func run() {
    let sweepPeriod = engine.configuration.abandonmentSweep.wholeNanoseconds
    var nextSweep = engine.clock.now + sweepPeriod
    var drain = Drain()
    var descriptors = [daemon.epoll, engine.resumes.bell].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      wait(for: &descriptors, isDraining: drain.isDraining)
      let now = MonotonicTime.now()
      engine.clock.tick(at: now)
      // Reads what has arrived: only then is anybody late.
      daemon.run()
      engine.connections.shutDownExpired(at: engine.clock.now)
      if engine.clock.now >= nextSweep {
        for exchange in engine.connections.parkedWithoutClient() { exchange.clientLeft() }
        for exchange in engine.connections.stuck() { engine.refuseStuck(exchange) }
        nextSweep = engine.clock.now + sweepPeriod
      }
      if engine.isDraining.load(ordering: .relaxed), takeDown(&drain, at: now) { return }
    }
  }

  /// Waits until there is work, but no longer than until the next look at the deadlines. Connections
  /// that may go on are resumed.
  private func wait(for descriptors: inout [pollfd], isDraining: Bool) {
    let limit: Int32 =
      switch (isDraining, engine.open.load(ordering: .relaxed)) {
      case (true, _): 2
      // Nobody can be late.
      case (false, 0): -1
      case (false, _): engine.configuration.pause
      }
    // The library has work of its own; or it has room for a client again, and only when it runs does it
    // put the listening socket back among those that it waits for.
    let isBusy = daemon.hasWork || engine.hasClosed
    // The line before a chunk can fill the memory of its connection. The library then says that it has
    // work, but does nothing until the connection is closed at its deadline.
    let isStuck = isBusy && !engine.wasCalled
    engine.hasClosed = false
    engine.wasCalled = false
    if isBusy, !isStuck {
      descriptors[1].revents = 0
    } else {
      poll(&descriptors, 2, isStuck ? 1 : limit)
    }
    engine.resumes.empty(isRinging: descriptors[1].revents != 0)
  }

  /// Does what the drain wants next; true when the daemon has stopped.
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
      engine.isSettling = true
      for exchange in engine.connections.parked() { exchange.shutDown() }
      return false
    case .stop:
      daemon.stop()
    case .abandon:
      engine.logger.error("a suspended connection could not be resumed, the daemon is left behind")
    }
    return true
  }

  /// What a thread does, in the form in which C can carry it.
  private final class Body {
    let run: () -> Void

    init(_ run: @escaping () -> Void) {
      self.run = run
    }
  }
}
