import CMicroHTTPD
import Synchronization

/// Returns memory to the system after much of it was freed at once.
///
/// The C library keeps what is freed for later allocations, however much it is. Call ``note(_:)`` after
/// freeing something large; the supervisor of a running ``Server`` does the rest on its own thread.
public enum FreedMemory {
  /// The number of bytes that are worth returning.
  static let threshold = 16 * 1024 * 1024
  private static let noted = Atomic<Int>(0)

  /// Notes that about so many bytes were freed. May be called on any thread, and never blocks.
  ///
  /// - Complexity: O(1).
  public static func note(_ bytes: Int) {
    noted.wrappingAdd(bytes, ordering: .relaxed)
  }

  /// When to return memory: not before as much as ``FreedMemory/threshold`` was noted, and with pauses
  /// twenty times as long as it took the last time, because allocations wait meanwhile.
  struct Schedule: Sendable {
    private var next = MonotonicTime(nanoseconds: 0)

    /// Returns memory if it is worth it and time for it; called by the supervisor.
    mutating func tick(at now: MonotonicTime) {
      guard now >= next, FreedMemory.noted.load(ordering: .relaxed) >= FreedMemory.threshold else {
        return
      }
      FreedMemory.noted.store(0, ordering: .relaxed)
      let start = ContinuousClock.now
      viewdelta_trim_memory()
      next = .now() + (ContinuousClock.now - start).wholeNanoseconds * 20
    }
  }
}
