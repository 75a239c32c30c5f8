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
    let call: Call
    let load: OutsideLoad
    var lane: Lane
    /// `nil` if the call waits for other tasks to end, or is held.
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
  }

  private struct Waiter: Sendable {
    /// The name of the part that waits.
    let part: Text
    /// Whether it has waited for an older call before.
    var hasMoved = false
    let end: @Sendable (Result<JSONValue, LoadFailure>) -> Void
  }

  /// The tasks of a lane that run, and the numbers of the calls that wait for one of them to end.
  private struct Tasks: Sendable {
    var count = 0
    var waiting: Deque<Int> = []
  }

  private struct State: Sendable {
    /// The calls by their numbers, of which a later call has a greater one.
    var calls: [Int: Running] = [:]
    /// The numbers of the calls that run or wait to run, oldest first. The last one is that which others may join.
    var numbers: [Call: [Int]] = [:]
    var tasks: [Lane: Tasks] = [:]
    var count = 0
    /// Whether calls are held: none is made, because a test answers them, or a replay has their results.
    var areHeld = false

    /// Removes a call that has ended or is no longer waited for.
    mutating func remove(_ number: Int) -> Running? {
      guard let removed = calls.removeValue(forKey: number) else { return nil }
      numbers[removed.call]?.removeAll { $0 == number }
      if numbers[removed.call]?.isEmpty == true { numbers[removed.call] = nil }
      tasks[removed.lane]?.waiting.removeAll { $0 == number }
      return removed
    }
  }

  private let state = Mutex(State())

  /// Waits for the result of a call, and makes the call unless an equal one runs that it may join.
  ///
  /// A call whose last wait is cancelled is cancelled.
  ///
  /// - Parameters:
  ///   - load: The call. If it is made anew, it takes the place of an equal one, whose value may be from before a write.
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
      let known = state.numbers[call]?.last
      if let known, let running = state.calls[known] {
        let isStarted = running.task != nil || state.areHeld
        if !isStarted || !load.isReload {
          state.calls[known]?.waiters[number] = waiter
          if !isStarted { move(known, to: own, &state) }
          return (number, nil)
        }
      }
      var lane = own
      var waiters = [number: waiter]
      var replaced: Task<Void, Never>?
      if let known, let running = state.calls[known] {
        // While the session of the waiter has no free place, the call stays in the session that has begun it.
        if state.tasks[own]?.count ?? 0 >= load.limit { lane = running.lane }
        replaced = takeWaiters(of: known, into: &waiters, &state)
      }
      state.calls[number] = Running(call: call, load: load, lane: lane, waiters: waiters)
      state.numbers[call, default: []].append(number)
      if !state.areHeld {
        state.tasks[lane, default: Tasks()].waiting.append(number)
        startTasks(of: lane, &state)
      }
      return (number, replaced)
    }
    replaced?.cancel()
    return Cancellation { [self] in cancel(call, number) }
  }

  /// Moves the waiters of a call to a newer call, except those that have moved before: if calls that are made anew follow
  /// each other closely, such a waiter would never get a value.
  ///
  /// - Returns: The task of the call; `nil` if it has not started, or if a waiter stays.
  private func takeWaiters(
    of number: Int, into waiters: inout [Int: Waiter], _ state: inout State
  ) -> Task<Void, Never>? {
    for (waiter, var moved) in state.calls[number]?.waiters ?? [:] where !moved.hasMoved {
      moved.hasMoved = true
      waiters[waiter] = moved
      state.calls[number]?.waiters[waiter] = nil
    }
    return state.calls[number]?.waiters.isEmpty == true ? state.remove(number)?.task : nil
  }

  /// Moves a call that has not started to another lane if this one has a free place, so that the call starts there.
  private func move(_ number: Int, to lane: Lane, _ state: inout State) {
    guard let call = state.calls[number], call.lane != lane,
      state.tasks[lane]?.count ?? 0 < call.load.limit
    else { return }
    state.tasks[call.lane]?.waiting.removeAll { $0 == number }
    state.calls[number]?.lane = lane
    state.tasks[lane, default: Tasks()].waiting.append(number)
    startTasks(of: lane, &state)
  }

  /// Ends a wait for a call, and cancels the call if nothing else waits for it.
  private func cancel(_ call: Call, _ waiter: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      for number in state.numbers[call] ?? []
      where state.calls[number]?.waiters.removeValue(forKey: waiter) != nil {
        return state.calls[number]?.waiters.isEmpty == true ? state.remove(number)?.task : nil
      }
      return nil
    }
    task?.cancel()
  }

  /// Starts the tasks of the calls that may begin, oldest first.
  private func startTasks(of lane: Lane, _ state: inout State) {
    guard var tasks = state.tasks[lane] else { return }
    while let number = tasks.waiting.first, let load = state.calls[number]?.load,
      tasks.count < load.limit
    {
      tasks.waiting.removeFirst()
      tasks.count += 1
      // The task ends after this: its end takes the lock, too.
      state.calls[number]?.task = Task(executorPreference: OutsideThreads.sources) { [weak self] in
        let result = await Self.result(of: load)
        self?.taskEnded(lane, number, result)
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

  private func taskEnded(_ lane: Lane, _ number: Int, _ result: Result<JSONValue, LoadFailure>) {
    state.withLock { state in
      state.tasks[lane]?.count -= 1
      startTasks(of: lane, &state)
    }
    end(number, result)
  }

  /// Answers those who wait for a call, and with a value also those who wait for an equal one that is older.
  private func end(_ number: Int, _ result: Result<JSONValue, LoadFailure>) {
    let ended = state.withLock { state -> [Running] in
      guard let call = state.calls[number]?.call else { return [] }
      var numbers = [number]
      if case .success = result {
        numbers = (state.numbers[call] ?? []).filter { $0 <= number }
      }
      return numbers.compactMap { state.remove($0) }
    }
    for older in ended.dropLast() { older.task?.cancel() }
    for (_, waiter) in ended.flatMap(\.waiters).sorted(by: { $0.key < $1.key }) {
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
    return calls.flatMap { number, running in
      Set(running.waiters.values.map(\.part)).map { (part: $0, number, running.call.request) }
    }.sorted { ($0.part, $0.1) < ($1.part, $1.1) }.map { ($0.part, $0.2) }
  }

  /// Ends the calls that a part of a name waits for with a result: all, or those with a request.
  ///
  /// - Returns: `false` if there is no such call.
  func answer(
    _ part: Text, to request: JSONValue? = nil, _ result: Result<JSONValue, LoadFailure>
  ) -> Bool {
    let numbers = state.withLock { state in
      state.calls.filter { _, running in
        (request == nil || running.call.request == request)
          && running.waiters.values.contains { $0.part == part }
      }.map(\.key)
    }
    for number in numbers.sorted() { end(number, result) }
    return !numbers.isEmpty
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
