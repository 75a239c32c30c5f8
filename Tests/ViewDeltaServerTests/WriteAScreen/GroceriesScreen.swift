import CanonicalJSON
import Snapshots
import ViewState

/// What is still to buy, by its id; ids are never used again.
struct Groceries: Equatable, Sendable {
  struct Item: Equatable, Sendable {
    let id: Int
    var name: Text
    var isBought = false
  }

  var items: [Item] = []
  var lastID = 0
}

enum GroceriesAction: Sendable {
  case add(Text)
  case buy(Int)
  case clear
}

struct GroceriesScreen: Screen {
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

  func initialState(for key: Text) throws(ScreenLookupError) -> Groceries {
    Groceries()
  }
}

extension GroceriesScreen {
  func plan(
    _ command: Command, in state: Groceries
  ) throws(CommandRefusal) -> CommandPlan<GroceriesAction> {
    switch command.type {
    case Self.add.type:
      let name = try command.read { body throws(JSONShapeError) in
        try body.member("name").string()
      }
      if name.isEmpty { throw command.refusal(of: "name", "the name is empty") }
      return .steps([.add(name)])
    case Self.buy.type:
      let id = try command.read { body throws(JSONShapeError) in
        try body.member("item").integer()
      }
      guard state.items.contains(where: { $0.id == id }) else {
        throw command.refusal(of: "item", "\(id) is not on the list")
      }
      return .steps([.buy(id)])
    default:
      return .steps([.clear])
    }
  }
}

extension GroceriesScreen {
  func reduce(_ state: inout Groceries, _ action: GroceriesAction) -> [Effect<Never>] {
    switch action {
    case .add(let name):
      state.lastID += 1
      state.items.append(Groceries.Item(id: state.lastID, name: name))
    case .buy(let id):
      for index in state.items.indices where state.items[index].id == id {
        state.items[index].isBought = true
      }
    case .clear:
      state.items.removeAll(where: \.isBought)
    }
    return []
  }

  func cause(of action: GroceriesAction) -> RevisionCause {
    switch action {
    case .add: .command(Self.add.type)
    case .buy: .command(Self.buy.type)
    case .clear: .command(Self.clear.type)
    }
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

extension GroceriesScreen {
  var stateMachines: [StateMachine] {
    let bread = Groceries.Item(id: 1, name: "Bread")
    let bought = Groceries.Item(id: 1, name: "Bread", isBought: true)
    return [
      StateMachine(
        name: "list",
        exploring: [[], [bread], [bought]].map { Groceries(items: $0, lastID: $0.count) }
          + [Groceries(items: [bought, Groceries.Item(id: 2, name: "Salt")], lastID: 2)],
        on: [GroceriesAction.add("Salt"), .buy(1), .clear],
        stateName: { groceries in
          if groceries.items.isEmpty { return "empty" }
          return groceries.items.allSatisfy(\.isBought) ? "done" : "open"
        },
        eventName: { action in
          switch action {
          case .add: "add"
          case .buy: "buy"
          case .clear: "clear"
          }
        },
        step: { state, action in
          _ = reduce(&state, action)
          return []
        })
    ]
  }
}
