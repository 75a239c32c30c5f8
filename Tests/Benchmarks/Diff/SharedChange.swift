import CanonicalJSON
import Snapshots
import Synchronization
import ViewState

/// The cost of one write that many instances show, against as many writes that one instance shows each.
struct SharedChange {
  private let shops: Store<Shops>
  private let instances: [Instance]
  private let listeners: [Listener]

  static func measure(into table: inout Table) async throws {
    let count = 1_000
    let change = try SharedChange(instanceCount: count)
    var (one, each): ([Double], [Double]) = ([], [])
    for round in 1...9 {
      one.append(try await change.seconds { try await change.writeToAll(round) })
      each.append(try await change.seconds { try await change.writeToEach(round) })
    }
    table.add(
      "a write that \(count.formatted) instances show, all of them listened to",
      Measurement(first: one, second: each), reference: "\(count.formatted) writes", atMost: 1.2)
  }

  private init(instanceCount: Int) throws {
    let engine = Engine(environment: ScreenEnvironment(), seed: [])
    shops = Store("shops", Shops(), in: engine)
    var registry = ScreenRegistry(engine)
    registry.register(ShopScreen(shops: shops))
    instances = try (0..<instanceCount).map {
      try registry.instance(screen: ShopScreen.name, key: Text("\($0)"))
    }
    listeners = instances.map(Listener.init)
  }

  /// Returns the processor time of writes that all instances show once.
  private func seconds(_ write: () async throws -> Void) async rethrows -> Double {
    for listener in listeners { listener.listen() }
    let before = instances.map(\.current.token)
    let start = Measurement.processorTime()
    try await write()
    let seconds = Measurement.processorTime() - start
    precondition(listeners.allSatisfy(\.hasHeard))
    precondition(zip(instances, before).allSatisfy { $0.current.token != $1 })
    return seconds
  }

  private func writeToAll(_ number: Int) async throws {
    try await shops.write(Shops.Price(shop: nil, amount: number * 2))
  }

  private func writeToEach(_ number: Int) async throws {
    for shop in instances.indices {
      try await shops.write(Shops.Price(shop: shop, amount: number * 2 + 1))
    }
  }
}

/// Hears of one change of a view model.
private final class Listener: RevisionWatcher {
  private let instance: Instance
  private let heard = Atomic(false)

  init(_ instance: Instance) {
    self.instance = instance
  }

  var hasHeard: Bool { heard.load(ordering: .acquiring) }

  func listen() {
    heard.store(false, ordering: .releasing)
    let subscription = instance.watch(after: instance.current.token, self)
    precondition(subscription != nil)
  }

  func revisionPublished() { heard.store(true, ordering: .releasing) }
}

/// The price of an article in some shops.
private struct Shops: StoreValue {
  /// A price in one shop, or in all if no shop is named.
  struct Price: Codable, Sendable {
    let shop: Int?
    let amount: Int
  }

  private(set) var amounts: [Int] = Array(repeating: 0, count: 1_000)

  mutating func apply(
    _ price: Price, at time: Timestamp
  ) throws(StoreError) -> Written<Void> {
    let shops = price.shop.map { $0..<$0 + 1 } ?? amounts.indices
    for shop in shops { amounts[shop] = price.amount }
    return Written((), changing: shops.map { Text("\($0)") }, of: "shops")
  }
}

private struct ShopScreen: Screen {
  static let name: Text = "shop"
  static let summary = "The price of an article in a shop."

  static let price = RowType("price", of: Int.self) { Field("amount", \.self) }

  let shops: Store<Shops>

  var rowTypes: [RowTypeDescriptor] { Self.price }
  var shownStores: [ShownStore] { [.element(of: shops)] }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    guard let shop = Int(key.string), stores[shops].amounts.indices.contains(shop) else {
      throw .unknownKey
    }
    return stores[shops].amounts[shop]
  }

  func body(_ state: Int) -> [ListSection] {
    ListSection("article") { Self.price("price", state) }
  }
}
