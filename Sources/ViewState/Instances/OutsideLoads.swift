package import CanonicalJSON
import DequeModule
import Synchronization

/// The calls of sources. Equal calls are made once, and each waiter gets the result.
final class OutsideLoads: Sendable {
  /// The calls of a source for a view model, whose tasks are limited together.
  private struct Lane: Hashable, Sendable {
    let source: ObjectIdentifier
    /// The key of the view model, with its session.
    let key: Text
  }

  private struct Call: Hashable, Sendable {
    let source: ObjectIdentifier
    /// The key of those that wait for the same call if their requests are equal.
    let key: Text
    let request: JSONValue
  }

  private struct Running: Sendable {
    /// Distinguishes the call from equal ones before and after it.
    let number: Int
    let lane: Lane
    /// `nil` if the call waits for other tasks to end, or is held.
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter]
  }

  private struct Waiter: Sendable {
    /// The name of the part that waits.
    let part: Text
    let end: @Sendable (Result<JSONValue, LoadFailure>) -> Void
  }

  /// The tasks of a lane that run, and the calls that wait for one of them to end.
  private struct Tasks: Sendable {
    var count = 0
    var waiting: Deque<(call: Call, number: Int, load: OutsideLoad)> = []
  }

  private struct State: Sendable {
    var calls: [Call: Running] = [:]
    var tasks: [Lane: Tasks] = [:]
    var count = 0
    /// Whether calls are held: none is made, because a test answers them, or a replay has their results.
    var areHeld = false
  }

  private let state = Mutex(State())

  /// Waits for the result of a call, and makes the call unless an equal one runs that it may join.
  ///
  /// A call whose last wait is cancelled is cancelled.
  ///
  /// - Parameters:
  ///   - load: The call.
  ///   - key: The key of the view model that waits, with its session.
  ///   - part: The name of its part that waits.
  ///   - end: Receives the result, unless the wait is cancelled before.
  func wait(
    for load: OutsideLoad, of key: Text, as part: Text,
    _ end: @escaping @Sendable (Result<JSONValue, LoadFailure>) -> Void
  ) -> any Cancellable {
    let waiter = Waiter(part: part, end: end)
    let own = Lane(source: ObjectIdentifier(load.identity), key: key)
    let call = Call(
      source: own.source, key: load.isShared ? load.key : key, request: load.request)
    let (number, replaced) = state.withLock { state -> (Int, Task<Void, Never>?) in
      state.count += 1
      let number = state.count
      let known = state.calls[call]
      // While the session of the waiter has no free place, the call stays in the session that has begun it.
      let isFree = state.tasks[own]?.count ?? 0 < load.limit
      let lane = isFree ? own : known?.lane ?? own
      if let known {
        // A call that has not started yet brings what a call that is made anew would bring.
        let isStarted = known.task != nil || state.areHeld
        if isStarted ? !load.isReload : known.lane == lane {
          state.calls[call]?.waiters[number] = waiter
          return (number, nil)
        }
      }
      var waiters = known?.waiters ?? [:]
      waiters[number] = waiter
      state.calls[call] = Running(number: number, lane: lane, waiters: waiters)
      if let known { state.tasks[known.lane]?.waiting.removeAll { $0.number == known.number } }
      if !state.areHeld {
        state.tasks[lane, default: Tasks()].waiting.append((call, number, load))
        startTasks(of: lane, &state)
      }
      return (number, known?.task)
    }
    replaced?.cancel()
    return Cancellation { [self] in cancel(call, number) }
  }

  /// Ends the wait of a waiter with a number, and cancels the call if nothing else waits for it.
  private func cancel(_ call: Call, _ number: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard state.calls[call]?.waiters.removeValue(forKey: number) != nil,
        state.calls[call]?.waiters.isEmpty == true,
        let ended = state.calls.removeValue(forKey: call)
      else { return nil }
      state.tasks[ended.lane]?.waiting.removeAll { $0.number == ended.number }
      return ended.task
    }
    task?.cancel()
  }

  /// Starts the tasks of the calls that may begin, oldest first.
  private func startTasks(of lane: Lane, _ state: inout State) {
    guard var tasks = state.tasks[lane] else { return }
    while let (call, number, load) = tasks.waiting.first, tasks.count < load.limit {
      tasks.waiting.removeFirst()
      tasks.count += 1
      // The task ends after this: its end takes the lock, too.
      state.calls[call]?.task = Task(executorPreference: OutsideThreads.sources) { [weak self] in
        let result = await Self.result(of: load)
        self?.taskEnded(lane, call, number, result)
      }
    }
    state.tasks[lane] = tasks.count == 0 ? nil : tasks
  }

  private static func result(of load: OutsideLoad) async -> Result<JSONValue, LoadFailure> {
    if Task.isCancelled { return .failure(.cancelled) }
    do {
      if load.latency > .zero { try await Task.sleep(for: load.latency) }
      return .success(try await load.run())
    } catch {
      return .failure(LoadFailure(error))
    }
  }

  private func taskEnded(
    _ lane: Lane, _ call: Call, _ number: Int, _ result: Result<JSONValue, LoadFailure>
  ) {
    state.withLock { state in
      state.tasks[lane]?.count -= 1
      startTasks(of: lane, &state)
    }
    end(call, number, result)
  }

  private func end(_ call: Call, _ number: Int, _ result: Result<JSONValue, LoadFailure>) {
    let running = state.withLock { state in
      // A call that was cancelled or replaced may end after an equal one has started.
      state.calls[call]?.number == number ? state.calls.removeValue(forKey: call) : nil
    }
    for (_, waiter) in (running?.waiters ?? [:]).sorted(by: { $0.key < $1.key }) {
      waiter.end(result)
    }
  }

  /// Makes no calls from now on, because a test answers them, or a replay has their results.
  func hold() {
    state.withLock { $0.areHeld = true }
  }

  /// The names of the parts that wait for calls, with the requests, in the order of the names and of the calls.
  var waiting: [(part: Text, request: JSONValue)] {
    let calls = state.withLock { $0.calls }
    return calls.flatMap { call, running in
      Set(running.waiters.values.map(\.part)).map { (part: $0, running.number, call.request) }
    }.sorted { ($0.part, $0.1) < ($1.part, $1.1) }.map { ($0.part, $0.2) }
  }

  /// Ends the calls that a part of a name waits for with a result: all, or those with a request.
  ///
  /// - Returns: `false` if there is no such call.
  func answer(
    _ part: Text, to request: JSONValue? = nil, _ result: Result<JSONValue, LoadFailure>
  ) -> Bool {
    let calls = state.withLock { state in
      state.calls.filter { call, running in
        (request == nil || call.request == request)
          && running.waiters.values.contains { $0.part == part }
      }.map { ($0.key, $0.value.number) }
    }
    for (call, number) in calls { end(call, number, result) }
    return !calls.isEmpty
  }
}

/// Answers that take the place of calls.
extension Engine {
  /// Makes no calls of sources outside from now on: ``answer(_:to:_:)`` ends them.
  package func holdCalls() { outsideLoads.hold() }

  /// The calls that run: the name of a part that waits, and the request.
  package var heldCalls: [(part: Text, request: JSONValue)] { outsideLoads.waiting }

  /// Ends the calls that a part of a name waits for: all, or those with a request.
  ///
  /// - Returns: `false` if there is no such call.
  package func answer(
    _ part: Text, to request: JSONValue? = nil, _ result: Result<JSONValue, LoadFailure>
  ) -> Bool {
    outsideLoads.answer(part, to: request, result)
  }
}
