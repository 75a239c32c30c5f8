import CanonicalJSON
import OrderedCollections
import Snapshots
import ViewState

extension StateMachine {
  /// How a catalog moves: by every operation, without sections, with an empty one, and with items.
  static let catalog: StateMachine = {
    let id = ResourceID(0)
    var bare = CatalogData()
    _ = try? bare.insert(Catalog(id: id, content: .empty))
    var (empty, filled) = (bare, bare)
    _ = try? empty.apply([.appendSections([section("a"), section("b")])], to: id)
    _ = try? filled.apply(
      [.appendSections([section("a", items: ["one", "two"]), section("b")])], to: id)
    var removed = bare
    try? removed.remove(id)
    return StateMachine(
      name: "catalog", exploring: [bare, empty, filled, removed], on: events,
      stateName: { data in
        guard let content = data.catalogs[id]?.content else { return "removed" }
        if content.numberOfSections == 0 { return "no sections" }
        return content.numberOfItems == 0 ? "no items" : "items"
      },
      eventName: { $0.name }
    ) { data, event in
      let before = data
      do {
        if let operation = event.operation {
          try data.apply([operation], to: id)
        } else {
          try data.remove(id)
        }
      } catch {
        return ["refuse"]
      }
      return data == before ? [] : ["show"]
    }
  }()

  private typealias Event = (name: String, operation: CatalogOperation?)

  private static var events: [Event] {
    let (a, one, two): (ResourceID, ResourceID, ResourceID) = ("a", "one", "two")
    let operations: [(CatalogOperation.Name, CatalogOperation)] = [
      (.appendSections, .appendSections([section("d")])),
      (.insertSections, .insertSections([section("c", items: ["three"])], .before(a))),
      (.deleteSections, .deleteSections([a, "b"])),
      (.moveSection, .moveSection("b", .before(a))),
      (.reloadSections, .reloadSections([section("a", items: ["four"])])),
      (.appendItems, .appendItems([item("five")], toSection: nil)),
      (.insertItems, .insertItems([item("six")], .after(one))),
      (.deleteItems, .deleteItems([one, two])),
      (.deleteAllItems, .deleteAllItems),
      (.moveItem, .moveItem(one, .after(two))),
      (.reloadItems, .reloadItems([item("one", title: "Reloaded")])),
      (.reconfigureItems, .reconfigureItems([CatalogItemPatch(id: one, title: "Renamed")])),
    ]
    return operations.map { ($0.rawValue.string, $1) } + [("the catalog is removed", nil)]
  }

  private static func section(_ id: ResourceID, items: [ResourceID] = []) -> CatalogSection {
    CatalogSection(id: id, items: items.map { item($0) })
  }

  private static func item(_ id: ResourceID, title: Text = "Item") -> CatalogItem {
    CatalogItem(id: id, type: .plain, title: title)
  }
}
