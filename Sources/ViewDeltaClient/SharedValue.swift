import Synchronization

/// A value that copies of a connection share, and whose change cuts short what a loop waits for.
final class SharedValue<Value: Equatable & Sendable>: Sendable {
  private struct State {
    var value: Value
    /// The functions that cancel the work in progress, by its number.
    var cancels: [Int: @Sendable () -> Void] = [:]
    var workCount = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) {
    state = Mutex(State(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  /// Changes the value.
  func update(_ change: (inout Value) -> Void) {
    let cancels: [Int: @Sendable () -> Void] = state.withLock { state in
      let old = state.value
      change(&state.value)
      if state.value == old { return [:] }
      defer { state.cancels = [:] }
      return state.cancels
    }
    for cancel in cancels.values { cancel() }
  }

  /// Runs work, and cancels it as soon as the value changes.
  ///
  /// - Parameters:
  ///   - old: The value as the caller knows it. If it has changed already, the work is not started.
  ///   - work: The work.
  /// - Returns: The result; `nil` if the work was cancelled or not started because of the value.
  /// - Throws: The error of the work.
  nonisolated(nonsending) func untilChange<Result: Sendable>(
    from old: Value, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result? {
    let start = state.withLock { state -> (number: Int, task: Task<Result, any Error>)? in
      guard state.value == old else { return nil }
      state.workCount += 1
      let task = Task(operation: work)
      state.cancels[state.workCount] = { task.cancel() }
      return (state.workCount, task)
    }
    guard let (number, task) = start else { return nil }
    defer { state.withLock { $0.cancels[number] = nil } }
    do {
      return try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch {
      // The value may have changed back since.
      let isCut = state.withLock { $0.cancels[number] == nil }
      if isCut, !Task.isCancelled { return nil }
      throw error
    }
  }
}
