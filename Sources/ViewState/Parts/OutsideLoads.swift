import CanonicalJSON
import Synchronization

/// Identifies a source. Two sources of one name have different identities.
final class SourceIdentity: Sendable {}

/// A call of a source outside of the engine, which is not made yet.
public struct OutsideLoad: Sendable {
  let identity: SourceIdentity
  /// The name of the source or the part.
  let name: Text
  let key: Text
  let request: JSONValue
  let run: @Sendable () async throws -> JSONValue
}

/// The running calls of sources. Equal calls are made once, and each waiter gets the result.
final class OutsideLoads: Sendable {
  private struct Call: Hashable, Sendable {
    let source: ObjectIdentifier
    let key: Text
    let request: JSONValue
  }

  private struct Running: Sendable {
    /// `nil` if a test answers.
    let task: Task<Void, Never>?
    /// Distinguishes the call from equal ones before and after it.
    let number: Int
    let name: Text
    var waiters: [Int: @Sendable (Result<JSONValue, LoadFailure>) -> Void]
  }

  private struct State: Sendable {
    var calls: [Call: Running] = [:]
    var count = 0
    /// Whether a test answers the calls, so that none is made.
    var areHeld = false
  }

  private let state = Mutex(State())

  /// Waits for the result of a call, and makes the call unless an equal one runs.
  ///
  /// A call whose last wait is cancelled is cancelled.
  ///
  /// - Parameter end: Receives the result, unless the wait is cancelled before.
  /// - Returns: The wait.
  func wait(
    for load: OutsideLoad, _ end: @escaping @Sendable (Result<JSONValue, LoadFailure>) -> Void
  ) -> any Cancellable {
    let call = Call(source: ObjectIdentifier(load.identity), key: load.key, request: load.request)
    return state.withLock { state in
      state.count += 1
      let number = state.count
      if state.calls[call] != nil {
        state.calls[call]?.waiters[number] = end
      } else {
        let task =
          state.areHeld
          ? nil
          : Task { [weak self] in
            let result = await Self.result(of: load)
            self?.end(call, number, result)
          }
        state.calls[call] = Running(
          task: task, number: number, name: load.name, waiters: [number: end])
      }
      return Wait(loads: self, call: call, number: number)
    }
  }

  private static func result(of load: OutsideLoad) async -> Result<JSONValue, LoadFailure> {
    do {
      return .success(try await load.run())
    } catch let failure as LoadFailure {
      return .failure(failure)
    } catch {
      return .failure(LoadFailure(code: LoadFailure.unavailable.code, message: "\(error)"))
    }
  }

  private func end(_ call: Call, _ number: Int, _ result: Result<JSONValue, LoadFailure>) {
    let running = state.withLock { state in
      // A call that was cancelled may end after an equal one has started.
      state.calls[call]?.number == number ? state.calls.removeValue(forKey: call) : nil
    }
    for (_, waiter) in (running?.waiters ?? [:]).sorted(by: { $0.key < $1.key }) { waiter(result) }
  }

  /// Makes no calls from now on, so that a test answers them.
  func hold() {
    state.withLock { $0.areHeld = true }
  }

  /// The names of the sources and parts that are called, with the requests, in the order of the names.
  var waiting: [(name: Text, request: JSONValue)] {
    state.withLock { state in
      state.calls.map { ($0.value.name, $0.key.request) }.sorted { $0.0 < $1.0 }
    }
  }

  /// Ends the calls of the sources and parts of a name with a result.
  ///
  /// - Returns: `false` if there is no such call.
  func answer(_ name: Text, _ result: Result<JSONValue, LoadFailure>) -> Bool {
    let calls = state.withLock { state in
      state.calls.filter { $0.value.name == name }.map { ($0.key, $0.value.number) }
    }
    for (call, number) in calls { end(call, number, result) }
    return !calls.isEmpty
  }

  private struct Wait: Cancellable {
    let loads: OutsideLoads
    let call: Call
    let number: Int

    func cancel() {
      let task = loads.state.withLock { state -> Task<Void, Never>? in
        guard state.calls[call]?.waiters.removeValue(forKey: number) != nil,
          state.calls[call]?.waiters.isEmpty == true
        else { return nil }
        return state.calls.removeValue(forKey: call)?.task
      }
      task?.cancel()
    }
  }
}
