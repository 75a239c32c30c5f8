import Dispatch
import Glibc
import Synchronization

/// Runs transfers, which block their threads, a few at a time. Further ones wait, without a thread.
///
/// An `OperationQueue` would run them on the threads of Swift's own pool. It has one for each processor core, and gets
/// one more each second while all are blocked: meanwhile no command would be answered.
final class TransferThreads: Sendable {
  private let state: Mutex<(free: Int, waiting: [@Sendable () -> Void])>

  /// Limits transfers over all hosts. Each opens up to five files. If no file is free, Dispatch cannot read the state of
  /// its threads, and ends the process.
  private static let openFiles: DispatchSemaphore = {
    var limit = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    let share = isKnown ? Int(clamping: limit.rlim_cur) / 20 : mostTransfers
    return DispatchSemaphore(value: min(max(share, 1), mostTransfers))
  }()
  /// The files that a server leaves for sources are enough for so many.
  private static let mostTransfers = 48

  init(count: Int) { state = Mutex((count, [])) }

  /// Runs a transfer once fewer than the limit run.
  func run(_ transfer: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(transfer) }
    startNext()
  }

  private func startNext() {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      if state.free == 0 || state.waiting.isEmpty { return nil }
      state.free -= 1
      return state.waiting.removeFirst()
    }
    guard let next else { return }
    // A serial queue takes a thread of the system at once.
    DispatchQueue(label: "viewdelta.transfer").async { [self] in
      Self.openFiles.wait()
      next()
      Self.openFiles.signal()
      state.withLock { $0.free += 1 }
      startNext()
    }
  }
}
