import Synchronization

/// Collects the body of a request.
///
/// A ``BodyBudget`` accounts for its memory until it is freed.
///
/// `@unchecked Sendable`: only libmicrohttpd's thread appends to it, and only before a handler gets
/// the request; after that it never changes.
final class RequestBody: @unchecked Sendable {
  /// The number of bytes of each body that the budget does not count. They are part of the cost of
  /// a connection, so that small requests are served even if large ones use up the budget.
  fileprivate static let uncounted = 4 * 1024

  private(set) var bytes: [UInt8]
  private let budget: BodyBudget?
  /// The declared size of the body, or else the maximum size of a body.
  private let largest: Int
  /// The number of bytes for which memory is reserved.
  private var room = 0
  private var counted = 0

  /// Creates an empty body that the connection fills.
  init(largest: Int, budget: BodyBudget) {
    bytes = []
    self.largest = largest
    self.budget = budget
  }

  /// Creates the body of a request without a connection.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    largest = bytes.count
    budget = nil
  }

  deinit {
    budget?.release(counted)
    FreedMemory.note(counted)
  }

  /// Appends the next piece.
  ///
  /// - Returns: false if the budget has no room for the piece; then nothing is appended.
  /// - Complexity: O(n) amortized, where n is the number of bytes.
  func append(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    let needed = bytes.count + piece.count
    if needed > room {
      // Doubling keeps the memory small if a client declares a large body but sends little.
      let room = max(needed, min(2 * room, largest))
      let more = max(0, room - Self.uncounted) - counted
      guard more == 0 || budget?.reserve(more) ?? true else { return false }
      counted += more
      bytes.reserveCapacity(room)
      self.room = room
    }
    bytes.append(contentsOf: piece)
    return true
  }
}

/// The memory that the request bodies of a server share.
final class BodyBudget: Sendable {
  private let limit: Int
  private let taken = Atomic<Int>(0)

  /// Creates a budget of `limit` bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Returns whether a body of this size fits into the remaining budget.
  func hasRoom(for size: Int) -> Bool {
    size <= RequestBody.uncounted
      || size - RequestBody.uncounted <= limit - taken.load(ordering: .relaxed)
  }

  /// Reserves `count` bytes; returns false and reserves nothing if the budget is too small.
  fileprivate func reserve(_ count: Int) -> Bool {
    if taken.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
    release(count)
    return false
  }

  /// Returns `count` bytes to the budget.
  fileprivate func release(_ count: Int) {
    taken.wrappingSubtract(count, ordering: .relaxed)
  }
}
