import Dispatch
import Glibc

/// The limit of threads of the process, its user or its container (`RLIMIT_NPROC`, `pids.max`).
enum ThreadLimit {
  /// The threads beside those that serve connections: of Dispatch, Swift's pool and the journal, and one for a source.
  static let reserve = 8

  /// Checks that the process may have so many more threads. Dispatch does not report that it gets none: it tries again
  /// each second, and meanwhile the start or the server does nothing.
  ///
  /// - Throws: `StartError` if it may not.
  static func check(_ count: Int) throws(StartError) {
    let end = DispatchSemaphore(value: 0)
    var threads: [pthread_t] = []
    defer {
      for _ in threads { end.signal() }
      // The threads do not retain the semaphore, so it must live until all of them have ended.
      withExtendedLifetime(end) { for thread in threads { pthread_join(thread, nil) } }
    }
    while threads.count < count {
      var thread = pthread_t()
      let failure = pthread_create(
        &thread, nil,
        { end in
          end.map { Unmanaged<DispatchSemaphore>.fromOpaque($0).takeUnretainedValue().wait() }
          return nil
        }, Unmanaged.passUnretained(end).toOpaque())
      guard failure == 0 else {
        throw .unavailable(
          """
          the process gets only \(threads.count) of \(count) threads, which it needs at least: \
          \(String(cString: strerror(failure))) (ulimit -u, ulimit -v, pids.max, TasksMax)
          """)
      }
      threads.append(thread)
    }
  }
}
