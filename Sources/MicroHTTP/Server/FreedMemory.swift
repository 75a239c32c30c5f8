import CMicroHTTPD
import Dispatch
import Synchronization

/// Returns memory to the system after much of it was freed.
///
/// The C library keeps what is freed for later allocations, however much it is. Call ``note(_:)`` after
/// freeing something large.
public enum FreedMemory {
  /// The number of bytes that are worth returning.
  private static let threshold = 16 * 1024 * 1024
  /// How long to wait for more: what is large is seldom freed alone.
  private static let delay = Duration.milliseconds(100)
  private static let noted = Atomic<Int>(0)
  private static let isPending = Atomic<Bool>(false)
  private static let queue = DispatchQueue(label: "FreedMemory", qos: .utility)

  /// Notes that about so many bytes were freed. Once there are enough, memory is returned by a thread of
  /// its own, a moment later.
  ///
  /// It may be called on any thread, and never blocks.
  ///
  /// - Complexity: O(1).
  public static func note(_ bytes: Int) {
    let sum = noted.wrappingAdd(bytes, ordering: .relaxed).newValue
    guard sum >= threshold, !isPending.exchange(true, ordering: .relaxed) else { return }
    after(delay, giveBack)
  }

  /// Returns memory, and rests for twenty times as long as that took, because allocations wait meanwhile.
  private static func giveBack() {
    noted.store(0, ordering: .relaxed)
    let duration = ContinuousClock().measure { viewdelta_trim_memory() }
    after(duration * 20) {
      isPending.store(false, ordering: .relaxed)
      note(0)
    }
  }

  private static func after(_ time: Duration, _ work: @escaping @Sendable () -> Void) {
    let nanoseconds = Int(min(time, .seconds(60)) / .nanoseconds(1))
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: work)
  }
}
