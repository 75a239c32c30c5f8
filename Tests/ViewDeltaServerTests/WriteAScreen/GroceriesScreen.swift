import CanonicalJSON
import Snapshots
import ViewState

/// What is still to buy, by its id; ids are never used again.
struct Groceries: Codable, Equatable, Sendable {
  struct Item: Codable, Equatable, Sendable {
    let id: Int
    var name: Text
    var isBought = false
  }

  var items: [Item] = []
  var lastID = 0
}

struct GroceriesScreen: ScreenMachine {
  static let add = CommandDescriptor(
    type: "add", summary: "Puts something on the list.",
    arguments: ["name": ["type": "string", "minLength": 1]], required: ["name"])
  static let buy = CommandDescriptor(
    type: "buy", summary: "Ticks something off.",
    arguments: ["item": ["type": "integer"]], required: ["item"])
  static let clear = CommandDescriptor(
    type: "clear", summary: "Takes what was bought off the list. Ignored where nothing was.")

  var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "groceries", keyName: "household", summary: "What is still to buy.",
      commands: [Self.add, Self.buy, Self.clear], sources: [])
  }

  func initialState(for key: Text, in stores: Stores) -> Groceries {
    Groceries()
  }
}

extension GroceriesScreen {
  func run(
    _ command: SentCommand, on state: inout Groceries, for key: Text,
    in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    switch command.type {
    case Self.add.type:
      let name = try command.read { body throws(JSONShapeError) in
        try body.member("name").string()
      }
      if name.isEmpty { throw command.refusal(of: "name", "the name is empty") }
      state.lastID += 1
      state.items.append(Groceries.Item(id: state.lastID, name: name))
    case Self.buy.type:
      let id = try command.read { body throws(JSONShapeError) in
        try body.member("item").integer()
      }
      guard let index = state.items.firstIndex(where: { $0.id == id }) else {
        throw command.refusal(of: "item", "\(id) is not on the list")
      }
      state.items[index].isBought = true
    default:
      state.items.removeAll(where: \.isBought)
    }
    return []
  }
}

extension GroceriesScreen {
  func assemble(
    _ state: Groceries, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(reusing: rows.snapshot) {
      Section(
        id: "items",
        rows: state.items.map { item in
          rows.row("item/\(item.id)", for: item) { item in
            Row(
              id: "item/\(item.id)", type: "grocery",
              fields: [
                "name": .string(item.name), "isBought": .bool(item.isBought),
                "action": Self.buy.action(title: "Buy", arguments: ["item": .integer(item.id)]),
              ])
          }
        })
    }
  }
}
