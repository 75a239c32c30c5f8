import TestSupport
import Testing

@testable import ViewDeltaServer

@Suite("The registry of those who wait")
struct WaiterRegistryTests {
  typealias Registry = WaiterRegistry<String>

  /// The id of somebody who must be admitted.
  static func admit(
    _ name: String, from address: String = "a", until seconds: Int = 20, to registry: inout Registry
  ) throws -> Registry.ID {
    let action = registry.event(.arrive(name, from: address, deadline: .seconds(seconds)))
    guard case .admitted(let id) = action else { throw LawViolation("\(name): \(action)") }
    return id
  }

  static func called(_ action: Registry.Action) -> [String]? {
    guard case .call(let names) = action else { return nil }
    return names
  }

  static func refusal(_ action: Registry.Action) -> Registry.Refusal? {
    guard case .refused(let refusal) = action else { return nil }
    return refusal
  }

  @Test("calls each at its deadline, once, and keeps it until it leaves")
  func deadlines() throws {
    var registry = Registry(limits: WaitingLimits())
    let first = try Self.admit("first", until: 20, to: &registry)
    let second = try Self.admit("second", until: 10, to: &registry)
    #expect(registry.nextDeadline == .seconds(10))
    #expect(Self.called(registry.event(.tick(.seconds(9)))) == nil)
    #expect(Self.called(registry.event(.tick(.seconds(10)))) == ["second"])
    #expect(Self.called(registry.event(.tick(.seconds(11)))) == nil)
    #expect(registry.count == 2)
    _ = registry.event(.leave(second))
    _ = registry.event(.leave(second))
    #expect(registry.count == 1)
    #expect(Self.called(registry.event(.tick(.seconds(99)))) == ["first"])
    _ = registry.event(.leave(first))
    #expect(registry.count == 0 && registry.nextDeadline == nil)
  }

  @Test("calls somebody who renews at the new deadline alone, called before or not")
  func renewal() throws {
    var registry = Registry(limits: WaitingLimits())
    let id = try Self.admit("stream", until: 15, to: &registry)
    _ = registry.event(.renew(id, deadline: .seconds(25)))
    #expect(Self.called(registry.event(.tick(.seconds(24)))) == nil)
    #expect(Self.called(registry.event(.tick(.seconds(25)))) == ["stream"])
    _ = registry.event(.renew(id, deadline: .seconds(40)))
    #expect(Self.called(registry.event(.tick(.seconds(40)))) == ["stream"])
    _ = registry.event(.leave(id))
    _ = registry.event(.renew(id, deadline: .seconds(50)))
    #expect(registry.count == 0)
    #expect(Self.called(registry.event(.tick(.seconds(99)))) == nil)
  }

  @Test("refuses beyond its limits, and takes somebody in for each who leaves")
  func limits() throws {
    var registry = Registry(limits: WaitingLimits(total: 3, perAddress: 2))
    func refusal(from address: String) -> Registry.Refusal? {
      Self.refusal(registry.event(.arrive("late", from: address, deadline: .seconds(1))))
    }
    let first = try Self.admit("1", from: "a", to: &registry)
    _ = try Self.admit("2", from: "a", to: &registry)
    #expect(refusal(from: "a") == .tooManyFromAddress)
    _ = try Self.admit("3", from: "b", to: &registry)
    #expect(refusal(from: "c") == .tooMany)
    #expect(refusal(from: "a") == .tooMany)
    _ = registry.event(.leave(first))
    _ = registry.event(.leave(first))
    #expect(refusal(from: "a") == nil)
    #expect(refusal(from: "b") == .tooMany)
  }

  @Test("calls all at the drain in the order in which they came, and admits nobody afterwards")
  func drain() throws {
    var registry = Registry(limits: WaitingLimits())
    var ids: [Registry.ID] = []
    for number in 0..<20 {
      ids.append(try Self.admit("\(number)", until: 60 - number, to: &registry))
    }
    _ = registry.event(.leave(ids[3]))
    // One that was called stays, and is called again.
    _ = registry.event(.tick(.seconds(41)))
    #expect(
      Self.called(registry.event(.drain)) == (0..<20).filter { $0 != 3 }.map { "\($0)" })
    #expect(registry.nextDeadline == nil)
    _ = registry.event(.renew(ids[0], deadline: .seconds(99)))
    #expect(registry.nextDeadline == nil)
    let late = registry.event(.arrive("late", from: "a", deadline: .seconds(1)))
    #expect(Self.refusal(late) == .draining)
    for id in ids { _ = registry.event(.leave(id)) }
    #expect(registry.count == 0)
  }

  /// A registry without buckets, heaps and counters.
  private struct Model {
    struct Entry {
      let name: String
      let address: String
      var deadline: Duration?
    }

    let limits: WaitingLimits
    var entries: [Registry.ID: Entry] = [:]
    var isDraining = false

    func refusal(from address: String) -> Registry.Refusal? {
      if isDraining { return .draining }
      if entries.count >= limits.total { return .tooMany }
      let others = entries.values.count { $0.address == address }
      return others >= limits.perAddress ? .tooManyFromAddress : nil
    }

    /// Takes out whose deadline is due by whole tenths of a second.
    mutating func due(at now: Duration) -> [String] {
      func tick(_ deadline: Duration) -> Int { Int(deadline / .milliseconds(100)) }
      let due = entries.filter { entry in
        entry.value.deadline.map { Duration.milliseconds(100 * tick($0)) <= now } ?? false
      }
      for id in due.keys { entries[id]?.deadline = nil }
      return due.sorted {
        (tick($0.value.deadline ?? .zero), $0.key) < (tick($1.value.deadline ?? .zero), $1.key)
      }.map(\.value.name)
    }
  }

  @Test("does what a plain list of waiters does, whatever comes")
  func model() throws {
    try withSeeds(60) { generator in
      let limits = WaitingLimits(
        total: generator.number(in: 1...20), perAddress: generator.number(in: 1...8))
      var (registry, model) = (Registry(limits: limits), Model(limits: limits))
      var known: [Registry.ID] = []
      var now = Duration.zero
      for step in 0..<400 {
        let deadline = now + .milliseconds(generator.number(in: 0...3_000))
        switch generator.number(in: 0...99) {
        case 0..<45:
          let address = generator.pick(["a", "b", "c", "d"])
          let expected = model.refusal(from: address)
          let action = registry.event(.arrive("\(step)", from: address, deadline: deadline))
          try require(Self.refusal(action) == expected, "step \(step): \(action)")
          if case .admitted(let id) = action {
            model.entries[id] = .init(name: "\(step)", address: address, deadline: deadline)
            known.append(id)
          }
        case 45..<70 where !known.isEmpty:
          let id = generator.pick(known)
          _ = registry.event(.leave(id))
          model.entries[id] = nil
        case 70..<80 where !known.isEmpty:
          let id = generator.pick(known)
          _ = registry.event(.renew(id, deadline: deadline))
          if !model.isDraining { model.entries[id]?.deadline = deadline }
        case 99 where step > 300:
          let names = model.entries.sorted { $0.key < $1.key }.map(\.value.name)
          try require(Self.called(registry.event(.drain)) ?? [] == names, "the drain")
          model.isDraining = true
          for id in model.entries.keys { model.entries[id]?.deadline = nil }
        default:
          now += .milliseconds(generator.number(in: 0...900))
          let due = model.due(at: now)
          try require(Self.called(registry.event(.tick(now))) ?? [] == due, "due at \(now)")
        }
        try require(registry.count == model.entries.count, "step \(step): the number of waiters")
        if let first = model.entries.values.compactMap(\.deadline).min() {
          try require((registry.nextDeadline ?? .seconds(1_000)) <= first, "too late a tick")
        }
      }
    }
  }
}
