import Glibc
import Logging
import Synchronization

/// The threads of a running server: starts them on one listening socket, and ends them in order.
final class Supervisor: Sendable {
  private struct State {
    /// The number of threads that have not ended.
    var running = 0
    var isDraining = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Where the threads listen.
  let address: BoundAddress
  /// The listening socket, open until the last thread has ended.
  private let listener: Int32
  private let threads: [ServingThread]
  private let state = Mutex(State())

  /// Listens, and starts the threads. Nothing is left listening after an error.
  init(
    _ configuration: ServerConfiguration, router: Router, logger: Logger
  ) throws(ServerError) {
    let socket = try ListeningSocket(configuration)
    do throws(ServerError) {
      threads = try Self.threads(configuration, router, logger, listening: socket.descriptor)
    } catch {
      close(socket.descriptor)
      throw error
    }
    address = socket.address
    listener = socket.descriptor
    try startThreads()
  }

  /// The engines, each with a daemon and its share of the limits of the whole process. No engine
  /// gets a share of no connections: it would serve no client.
  private static func threads(
    _ configuration: ServerConfiguration, _ router: Router, _ logger: Logger,
    listening descriptor: Int32
  ) throws(ServerError) -> [ServingThread] {
    let count = min(configuration.threads, configuration.connectionLimit)
    let (share, rest) = configuration.connectionLimit.quotientAndRemainder(dividingBy: count)
    let perAddress = configuration.perAddressConnectionLimit
    let addresses = perAddress > 0 ? AddressLimit(perAddress) : nil
    let bodies = BodyBudget(limit: configuration.bodyMemoryLimit)
    var threads: [ServingThread] = []
    do throws(ServerError) {
      for index in 0..<count {
        let engine = try Engine(
          configuration: configuration, router: router, logger: logger,
          connectionLimit: share + (index < rest ? 1 : 0), addresses: addresses,
          bodies: bodies, standingPlaces: max(1, StandingReplies.placeCount / count))
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
        // The last of those that run closes the socket.
        requestShutdown(grace: .zero)
        threadEnded()
        throw error
      }
    }
  }

  /// Refuses new clients and new requests from now on, and closes each connection with its next reply.
  /// Requests that wait go on waiting.
  func beginDraining() {
    state.withLock { state in
      guard !state.isDraining, state.running > 0 else { return }
      state.isDraining = true
      for thread in threads { thread.beginDraining() }
      // Clients in the backlog are refused, too. Under the lock, because the last thread closes it
      // under the lock.
      Glibc.shutdown(listener, Int32(SHUT_RDWR))
    }
  }

  /// Ends all threads and returns when they have ended. Further calls wait for the same end; a shorter
  /// grace counts.
  func shutdown(grace: Duration) async {
    await withCheckedContinuation { continuation in
      let isRunning = state.withLock { state in
        if state.running > 0 { state.waiting.append(continuation) }
        return state.running > 0
      }
      if isRunning { requestShutdown(grace: grace) } else { continuation.resume() }
    }
  }

  /// Ends all threads without waiting for them.
  func requestShutdown(grace: Duration) {
    beginDraining()
    for thread in threads { thread.end(grace: grace.wholeNanoseconds) }
  }

  private func threadEnded() {
    let waiting = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
      close(listener)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// The sum of a counter of all threads.
  func total(_ counter: (Engine) -> Int) -> Int {
    threads.reduce(0) { $0 + counter($1.engine) }
  }
}
