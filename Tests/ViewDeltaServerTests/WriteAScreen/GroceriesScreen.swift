import CanonicalJSON
import Snapshots
import ViewState

struct Groceries: Screen {
  struct Item: Codable, Equatable, Sendable {
    let id: Int
    let name: Text
    var isBought = false
  }

  /// The ids of items are never used again.
  struct State: ScreenState {
    var items: [Item] = []
    var lastID = 0
  }

  static let name: Text = "groceries"
  static let keyName = "household"
  static let summary = "A shopping list."

  static let add = Command("add", "Puts something on the list.", .text("name", 1...80)) {
    (state: inout State, name) in
    // Clients must not be able to fill the memory.
    guard state.items.count < 200 else { throw Refusal("name", "the list has 200 items already") }
    state.lastID += 1
    state.items.append(Item(id: state.lastID, name: name))
  }
  static let buy = Command("buy", "Ticks something off the list.", .integer("item")) {
    (state: inout State, id) in
    guard let index = state.items.firstIndex(where: { $0.id == id }) else {
      throw Refusal.unknown("item", id)
    }
    state.items[index].isBought = true
  }
  static let clear = Command("clear", "Takes what is bought off the list.") {
    (state: inout State) in
    state.items.removeAll(where: \.isBought)
  }

  var commands: [AnyCommand<State>] {
    Self.add
    Self.buy
    Self.clear
  }

  static let grocery = RowType("grocery", of: Item.self, "Something to buy.") {
    Field("name", \.name)
    Field("isBought", \.isBought)
    Action(buy, "Buy") { $0.id }
  }

  var rowTypes: [RowTypeDescriptor] { Self.grocery }

  func body(_ state: State) -> [ListSection] {
    ListSection("items") { ForEach(state.items, as: Self.grocery) { "item/\($0.id)" } }
  }
}

extension Groceries.State {
  static var version: Int { 2 }

  static func migrate(_ recorded: JSONReader, from version: Int) throws -> Groceries.State? {
    guard version == 1 else { return nil }
    var state = Groceries.State()
    state.items = try recorded.member("items").decode([Groceries.Item].self)
    state.lastID = state.items.map(\.id).max() ?? 0
    return state
  }
}
