import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The gate between inputs and readers")
struct GateTests {
  private let store: Store<Counters>
  private let gate: Gate

  init() {
    store = Store("numbers", Counters([:]), in: Engine.still())
    gate = store.engine.gate
  }

  /// Begins an input that changes the store.
  private func input() throws -> (transaction: Transaction, arrivals: Int) {
    let (stores, arrivals) = gate.open()
    var transaction = Transaction(stores, at: 1, Timestamp(secondsSince1970: 0))
    try transaction.write(["a": 1], to: store)
    return (transaction, arrivals)
  }

  /// Returns whether a view model that shows the first version of the store comes within reach.
  private func arrives(forInput isInput: Bool = false) -> Bool {
    gate.arrive(.init(), of: [.whole(of: store)], for: "1", forInput: isInput) { true } ?? false
  }

  @Test("lets an input publish at once if no reader has brought a view model meanwhile")
  func calm() throws {
    let (transaction, arrivals) = try input()
    #expect(arrives(forInput: true), "the input brings its own along")
    #expect(gate.publish(transaction, knowing: arrivals) { true } == true)
  }

  @Test("holds up an input once for those that readers have brought, and lets no more in meanwhile")
  func closed() throws {
    let (transaction, arrivals) = try input()
    #expect(arrives())
    #expect(gate.publish(transaction, knowing: arrivals) { true } == nil)
    #expect(!arrives() && arrives(forInput: true))
    #expect(gate.publish(transaction, knowing: arrivals) { true } == true)
    #expect(!arrives(), "it was made of the store before the input")
  }
}
