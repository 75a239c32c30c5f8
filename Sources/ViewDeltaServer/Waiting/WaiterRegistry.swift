/// Knows the requests that wait for a change, with their addresses and deadlines.
///
/// A pure state machine: the owner guards it, passes the time in, and performs the actions that it returns.
struct WaiterRegistry<Waiter: Sendable>: Sendable {
  /// The id of a waiter. A later waiter has a greater one.
  struct ID: Hashable, Comparable, Sendable {
    fileprivate let number: Int

    static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }

  /// An event.
  enum Event: Sendable {
    /// A waiter asks for a place.
    case arrive(Waiter, from: String, deadline: Duration)
    /// A waiter, called or not, gets another deadline.
    case renew(ID, deadline: Duration)
    /// A waiter gives up its place, if it still has one.
    case leave(ID)
    /// It is this time now.
    case tick(Duration)
    /// The server shuts down.
    case drain
  }

  /// The reason why a waiter gets no place.
  enum Refusal: Hashable, Sendable {
    case tooMany
    case tooManyFromAddress
    case draining
  }

  /// An action that the owner performs.
  enum Action: Sendable {
    case none
    case admitted(ID)
    case refused(Refusal)
    /// Call these waiters: their deadlines are due, or the server shuts down. They keep their places
    /// until they leave.
    case call([Waiter])
  }

  private struct Entry: Sendable {
    let waiter: Waiter
    let address: String
    /// `nil` after the waiter was called.
    var deadline: Duration?
  }

  private let limits: WaitingLimits
  private var entries: [ID: Entry] = [:]
  private var countByAddress: [String: Int] = [:]
  private var deadlines = DeadlineQueue<ID>()
  private var lastNumber = 0
  private var isDraining = false

  init(limits: WaitingLimits) {
    self.limits = limits
  }

  /// The number of waiters.
  var count: Int { entries.count }

  /// The time of the next deadline; `nil` if no waiter has one.
  var nextDeadline: Duration? { deadlines.next }

  /// Applies an event.
  ///
  /// - Complexity: O(log *n* + *k* log *k*), where *n* is the number of waiters and *k* that of waiters to
  ///   call.
  mutating func event(_ event: Event) -> Action {
    switch event {
    case .arrive(let waiter, let address, let deadline):
      return arrive(Entry(waiter: waiter, address: address, deadline: deadline), until: deadline)
    case .renew(let id, let deadline):
      return renew(id, until: deadline)
    case .leave(let id):
      leave(id)
      return .none
    case .tick(let now):
      return call(deadlines.takeDue(at: now))
    case .drain:
      isDraining = true
      deadlines = DeadlineQueue()
      return call(entries.keys.sorted())
    }
  }

  private mutating func arrive(_ entry: Entry, until deadline: Duration) -> Action {
    if isDraining { return .refused(.draining) }
    if entries.count >= limits.total { return .refused(.tooMany) }
    if countByAddress[entry.address, default: 0] >= limits.perAddress {
      return .refused(.tooManyFromAddress)
    }
    lastNumber += 1
    let id = ID(number: lastNumber)
    entries[id] = entry
    countByAddress[entry.address, default: 0] += 1
    deadlines.insert(id, at: deadline)
    return .admitted(id)
  }

  private mutating func renew(_ id: ID, until deadline: Duration) -> Action {
    // When the server shuts down, each waiter has been called and leaves.
    guard let entry = entries[id], !isDraining else { return .none }
    if let old = entry.deadline { deadlines.remove(id, at: old) }
    entries[id]?.deadline = deadline
    deadlines.insert(id, at: deadline)
    return .none
  }

  private mutating func leave(_ id: ID) {
    guard let entry = entries.removeValue(forKey: id) else { return }
    if let deadline = entry.deadline { deadlines.remove(id, at: deadline) }
    let others = countByAddress[entry.address, default: 1] - 1
    countByAddress[entry.address] = others > 0 ? others : nil
  }

  private mutating func call(_ ids: [ID]) -> Action {
    if ids.isEmpty { return .none }
    return .call(
      ids.compactMap { id in
        entries[id]?.deadline = nil
        return entries[id]?.waiter
      })
  }
}

/// The number of requests that may wait for a change at once: long polls, event streams and sync polls.
public struct WaitingLimits: Hashable, Sendable {
  /// The number of all requests. One more gets a 503 problem, `too-many-waiting`, with Retry-After.
  public var total: Int
  /// The number of requests from one address. One more gets a 429 problem, `too-many-waiting-here`, with
  /// Retry-After. Behind a proxy all clients have its address.
  public var perAddress: Int

  /// Creates limits.
  public init(total: Int = 9_000, perAddress: Int = 1_000) {
    self.total = total
    self.perAddress = perAddress
  }
}
