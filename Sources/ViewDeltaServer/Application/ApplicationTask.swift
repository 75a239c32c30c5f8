import CanonicalJSON
import ViewState

/// A task of a feature, which runs while its application is served.
struct ApplicationTask: Sendable {
  let name: Text
  let operation: @Sendable () async throws -> Void

  /// The pause after a failure, which doubles with each further one.
  private static let firstPause = Duration.seconds(1)
  /// The longest pause. A task that has run for this time begins again with the first pause.
  private static let longestPause = Duration.seconds(60)

  /// Runs the operation, and again after a pause each time it throws, until it returns or the current task is cancelled.
  ///
  /// - Parameter failed: Called with the name and the error each time the operation throws.
  func run(
    on scheduler: any Scheduler, failed: @Sendable (_ name: Text, _ error: any Error) -> Void
  ) async {
    var pause = Self.firstPause
    while !Task.isCancelled {
      let start = scheduler.now
      do {
        return try await operation()
      } catch {
        if Task.isCancelled { return }
        failed(name, error)
        if scheduler.now - start >= Self.longestPause { pause = Self.firstPause }
        await scheduler.wait(for: pause)
        pause = min(pause * 2, Self.longestPause)
      }
    }
  }
}

extension Scheduler {
  /// Returns after a time, or at once if the current task is cancelled.
  fileprivate func wait(for time: Duration) async {
    // The iteration over a stream ends with the stream or with the task.
    let (stream, end) = AsyncStream<Never>.makeStream()
    let timer = schedule(after: time) { end.finish() }
    for await _ in stream {}
    timer.cancel()
  }
}
