import CMicroHTTPD
import Dispatch
import Synchronization

/// Returns memory to the operating system after large amounts were freed.
///
/// The C library keeps freed memory for later allocations, without a limit. Call ``note(_:)`` after
/// you free a large object.
package enum FreedMemory {
  /// The number of freed bytes after which memory is returned.
  private static let threshold = 16 * 1024 * 1024
  /// The delay before memory is returned, during which further frees add up.
  private static let delay = Duration.milliseconds(100)
  private static let noted = Atomic<Int>(0)
  private static let isPending = Atomic<Bool>(false)
  private static let queue = DispatchQueue(label: "FreedMemory", qos: .utility)

  /// Adds to the count of freed bytes. Once the count reaches 16 MiB, a background thread returns
  /// memory to the operating system.
  ///
  /// You can call it on any thread; it never blocks.
  ///
  /// - Parameter bytes: The approximate number of freed bytes.
  /// - Complexity: O(1).
  package static func note(_ bytes: Int) {
    let sum = noted.wrappingAdd(bytes, ordering: .relaxed).newValue
    guard sum >= threshold, !isPending.exchange(true, ordering: .relaxed) else { return }
    after(delay, trim)
  }

  /// Returns memory, then pauses for twenty times as long as that took, because allocations block
  /// meanwhile.
  private static func trim() {
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
