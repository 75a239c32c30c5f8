import Glibc
import Logging
import Synchronization

/// Starts the threads of a server on one listening socket, and stops them in order.
final class Supervisor: Sendable {
  private struct State {
    /// The number of running threads.
    var running = 0
    var isDraining = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The socket on which the threads listen, open until the last one has ended.
  private let socket: ListeningSocket
  private let threads: [ServingThread]
  private let state = Mutex(State())

  /// Listens and starts the threads. The socket is closed if this throws.
  init(
    _ configuration: ServerConfiguration, router: Router, logger: Logger
  ) throws(ServerError) {
    socket = try ListeningSocket(configuration)
    do throws(ServerError) {
      threads = try Self.threads(configuration, router, logger, listening: socket.descriptor)
    } catch {
      close(socket.descriptor)
      throw error
    }
    try startThreads()
  }

  /// Creates the serving threads, each with a share of the limits of the server. No thread gets a
  /// share of zero connections, because it would serve no client.
  private static func threads(
    _ configuration: ServerConfiguration, _ router: Router, _ logger: Logger,
    listening descriptor: Int32
  ) throws(ServerError) -> [ServingThread] {
    let count = min(configuration.threads, configuration.connectionLimit)
    let (share, rest) = configuration.connectionLimit.quotientAndRemainder(dividingBy: count)
    let bodies = BodyBudget(limit: configuration.bodyMemoryLimit)
    let replies = ReplyBudget(limit: configuration.replyMemoryLimit)
    let memory = ConnectionMemory(of: configuration.connectionMemory)
    var threads: [ServingThread] = []
    do throws(ServerError) {
      for index in 0..<count {
        let engine = try DaemonEngine(
          configuration: configuration, router: router, logger: logger,
          connectionLimit: share + (index < rest ? 1 : 0), bodies: bodies, replies: replies,
          memory: memory, standingPlaces: max(1, StandingReplies.placeCount / count))
        threads.append(try ServingThread(engine, listening: descriptor))
      }
    } catch {
      for thread in threads { thread.discard() }
      throw error
    }
    return threads
  }

  private func startThreads() throws(ServerError) {
    for (index, thread) in threads.enumerated() {
      state.withLock { $0.running += 1 }
      do throws(ServerError) {
        try thread.start { [self] in threadEnded() }
      } catch {
        for rest in threads[index...] { rest.discard() }
        // The last running thread closes the socket.
        requestShutdown(grace: .zero)
        threadEnded()
        throw error
      }
    }
  }

  /// The address on which the threads listen.
  var address: BoundAddress { socket.address }

  /// Refuses new clients and new requests, and closes each connection after its next reply. Parked
  /// requests continue to wait.
  func beginDraining() {
    state.withLock { state in
      guard !state.isDraining, state.running > 0 else { return }
      state.isDraining = true
      for thread in threads { thread.beginDraining() }
      // This refuses the clients in the backlog, too. It needs the lock because the last thread
      // closes the socket under it.
      Glibc.shutdown(socket.descriptor, Int32(SHUT_RDWR))
    }
  }

  /// Stops all threads and returns when they have ended. A later call with a shorter grace period
  /// shortens it.
  func shutdown(grace: Duration) async {
    await withCheckedContinuation { continuation in
      let isRunning = state.withLock { state in
        if state.running > 0 { state.waiting.append(continuation) }
        return state.running > 0
      }
      if isRunning { requestShutdown(grace: grace) } else { continuation.resume() }
    }
  }

  /// Stops all threads without waiting for them.
  func requestShutdown(grace: Duration) {
    beginDraining()
    for thread in threads { thread.end(grace: grace.wholeNanoseconds) }
  }

  private func threadEnded() {
    let waiting = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
      close(socket.descriptor)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// The durations of the writes of all threads.
  var writes: DurationHistogram {
    threads.reduce(into: DurationHistogram()) { $0.add($1.engine.writes.withLock { $0 }) }
  }

  /// The numbers of replies that report a problem, by its code.
  var problems: [String: Int] {
    threads.reduce(into: [:]) { $0.merge($1.engine.replied.problems, uniquingKeysWith: +) }
  }

  /// Returns the sum of a counter over all threads.
  func total(_ counter: (DaemonEngine) -> Int) -> Int {
    threads.reduce(0) { $0 + counter($1.engine) }
  }
}
