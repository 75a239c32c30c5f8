import Dispatch

/// A thread of its own that a test waits for.
struct Writer: Sendable {
  private let group = DispatchGroup()

  init(_ body: @escaping @Sendable () -> Void) {
    // A queue of its own gets a thread at once, however many others are blocked.
    DispatchQueue(label: "writer").async(group: group, execute: DispatchWorkItem(block: body))
  }

  /// Returns when it is done.
  func wait() { group.wait() }
}
