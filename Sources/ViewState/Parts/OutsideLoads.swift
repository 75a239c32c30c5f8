import CanonicalJSON
import Synchronization

/// Tells a source from all others.
final class SourceIdentity: Sendable {}

/// A call of a source outside of the engine.
public struct OutsideLoad: Sendable {
  let identity: SourceIdentity
  let key: Text
  let request: JSONValue
  let run: @Sendable () async throws -> JSONValue
}

/// The calls of sources that run now. Equal calls are one call, whose result goes to all who wait.
final class OutsideLoads: Sendable {
  private struct Call: Hashable, Sendable {
    let source: ObjectIdentifier
    let key: Text
    let request: JSONValue
  }

  private struct Running: Sendable {
    let task: Task<Void, Never>
    var waiters: [Int: @Sendable (Result<JSONValue, LoadFailure>) -> Void]
  }

  private struct State: Sendable {
    var calls: [Call: Running] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Waits for the result of a call, which is started unless it runs.
  ///
  /// - Parameter end: Gets the result, unless the wait is cancelled before. A call that nobody waits for
  ///   any longer is cancelled.
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
        let task = Task { [weak self] in
          let result = await Self.result(of: load)
          self?.end(call, started: number, result)
        }
        state.calls[call] = Running(task: task, waiters: [number: end])
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

  private func end(_ call: Call, started: Int, _ result: Result<JSONValue, LoadFailure>) {
    let running = state.withLock { state -> Running? in
      // A call that was cancelled may end after an equal one has started.
      guard !Task.isCancelled else { return nil }
      return state.calls.removeValue(forKey: call)
    }
    for (_, waiter) in (running?.waiters ?? [:]).sorted(by: { $0.key < $1.key }) { waiter(result) }
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
