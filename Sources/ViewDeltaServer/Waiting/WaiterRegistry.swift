/// Who waits for a change, from where, and until when.
///
/// A pure state machine: its owner guards it, passes the time in, and does what it returns.
struct WaiterRegistry<Waiter: Sendable>: Sendable {
  /// Names one waiter; a later one is greater.
  struct ID: Hashable, Comparable, Sendable {
    fileprivate let number: Int

    static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }

  /// What happens.
  enum Event: Sendable {
    /// Somebody wants to wait.
    case arrive(Waiter, from: String, deadline: Duration)
    /// A waiter, called or not, wants to wait on.
    case renew(ID, deadline: Duration)
    /// A waiter is done, for whatever reason. It may have left before.
    case leave(ID)
    /// Some time went by.
    case tick(Duration)
    /// Nobody may wait any longer.
    case drain
  }

  /// Why somebody may not wait.
  enum Refusal: Hashable, Sendable {
    case tooMany
    case tooManyFromAddress
    case draining
  }

  /// What the owner must do.
  enum Action: Sendable {
    case none
    case admitted(ID)
    case refused(Refusal)
    /// Call these: their deadline is there, or everybody's. They stay until they leave.
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

  /// How many wait.
  var count: Int { entries.count }

  /// When the next tick is worth it; `nil` while nobody has a deadline.
  var nextDeadline: Duration? { deadlines.next }

  /// Takes an event in any state.
  ///
  /// - Complexity: O(log n), where n is the number of waiters, and O(k log k) where k are called.
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
    // Once draining, a waiter that was called is on its way out, and needs no further call.
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
