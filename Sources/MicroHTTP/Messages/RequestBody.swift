import Synchronization

/// Collects the content of a request.
///
/// Its memory is counted in a ``BodyBudget`` as long as it exists.
///
/// `@unchecked Sendable`: only libmicrohttpd's thread appends to it, and only before a handler gets the
/// request; after that it never changes.
final class RequestBody: @unchecked Sendable {
  /// How much of each body is not counted, in bytes. It is part of what a connection costs, so that small
  /// requests are served however much memory large ones hold.
  static let uncounted = 4 * 1024

  private(set) var bytes: [UInt8]
  private let budget: BodyBudget?
  /// The size of the body if the client declared it, or else the largest one that is taken.
  private let largest: Int
  /// For how many bytes there is memory.
  private var room = 0
  private var counted = 0

  /// A body that is yet to come.
  init(largest: Int, budget: BodyBudget) {
    bytes = []
    self.largest = largest
    self.budget = budget
  }

  /// A body without a connection.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    largest = bytes.count
    budget = nil
  }

  deinit {
    budget?.give(counted)
    FreedMemory.note(counted)
  }

  /// Appends what came next.
  ///
  /// - Returns: Whether the budget had room for it; otherwise nothing is appended.
  /// - Complexity: O(n) in the number of bytes, amortized.
  func append(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
    let needed = bytes.count + piece.count
    if needed > room {
      // Doubled, so that a client which declares much and sends little holds little.
      let room = max(needed, min(2 * room, largest))
      let more = max(0, room - Self.uncounted) - counted
      guard budget?.take(more) ?? true else { return false }
      counted += more
      bytes.reserveCapacity(room)
      self.room = room
    }
    bytes.append(contentsOf: piece)
    return true
  }
}

/// The memory that the request bodies of a server may take together.
final class BodyBudget: Sendable {
  private let limit: Int
  private let taken = Atomic<Int>(0)

  /// Makes a budget of so many bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether a body of this size would fit now.
  func hasRoom(for size: Int) -> Bool {
    size - RequestBody.uncounted <= limit - taken.load(ordering: .relaxed)
  }

  /// Takes so many bytes, or none if there are not enough.
  func take(_ count: Int) -> Bool {
    if taken.wrappingAdd(count, ordering: .relaxed).newValue <= limit { return true }
    give(count)
    return false
  }

  /// Gives so many bytes back.
  func give(_ count: Int) {
    taken.wrappingSubtract(count, ordering: .relaxed)
  }
}
