import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// A screen with the numbers of a store by their names, each of which any write may give.
private struct WholeScreen: Screen {
  static let name: Text = "whole"
  static let summary = "A number."

  let store: Store<Counters>

  var shownStores: [ShownStore] { [.whole(of: store)] }
  var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    guard let number = stores[store].numbers[key] else { throw .unknownKey }
    return number
  }

  func body(_ number: Int) -> [ListSection] {
    ListSection("s") { TallyScreen.number("r", number) }
  }
}

@Suite("A client that waits for a key without a view model")
struct AwaitedKeysTests {
  @Test(
    "is notified once, by the first write that may give one", arguments: ["counter", "whole"])
  func once(screen: Text) async throws {
    let engine = Engine.still()
    let store = Store("numbers", Counters(["a": 1]), in: engine)
    let registry = ScreenRegistry(
      engine, of: CounterScreen(store: store), WholeScreen(store: store))
    let notices = Noted<Text>()
    func wait(_ name: Text) -> (any Cancellable)? {
      registry.watchAbsent(screen: screen, key: "x", ClosureWatcher { notices.add(name) })
    }
    let waiting = try #require(wait("waiting"))
    try #require(wait("gone")).cancel()
    try await store.write(["y": 1])
    #expect(notices.all == (screen == "whole" ? ["waiting"] : []))
    try await store.write(["x": 1])
    #expect(notices.all == ["waiting"])
    #expect(wait("late") == nil, "there is one")
    for number in [nil, 2, nil] { _ = try await store.write(["x": number]) }
    #expect(notices.all == ["waiting"])
    withExtendedLifetime(waiting) {}
  }
}
