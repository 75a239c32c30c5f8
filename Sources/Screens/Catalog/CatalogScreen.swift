public import CanonicalJSON
import OrderedCollections
import Snapshots
public import ViewState

/// One catalog: its sections and items, under their own ids.
public struct CatalogScreen: Screen {
  public typealias State = Catalog

  public static let name: Text = "catalog"
  public static let keyName = "catalogID"
  public static let summary =
    "One catalog: sections of items, changed by batches of operations on their ids."

  private let store: CatalogStore

  /// - Parameter store: The catalogs.
  public init(store: CatalogStore) {
    self.store = store
  }

  public var shownPart: StorePart? { .element(of: store) }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> Catalog {
    let (data, id) = (stores[store], ResourceID(named: key))
    guard let catalog = data.catalogs[id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return catalog
  }

  /// The catalog is the snapshot, and shares with the one before what the operations left alone.
  public func body(_ catalog: Catalog) -> [ListSection] { catalog.content }

  static let apply = Command<Catalog, [CatalogOperation]>(
    "apply",
    "Applies a list of operations in their order, all of them or none, as one change. The reply's "
      + "`details.ignored` counts the ids that could not be deleted because they are not there.",
    Argument("operations", .list(of: CatalogOperation.valueType, atMost: 200))
      .described("What is done, in this order."))

  public var commands: [AnyCommand<Catalog>] {
    Self.apply.writing { [store] (catalog, transaction, operations) throws(Refusal) in
      do throws(CatalogWrite.Failure) {
        let output = try transaction.write(.batch(operations, of: catalog.id), to: store)
        if case .ignored(let count) = output { transaction.details["ignored"] = .integer(count) }
      } catch {
        switch error {
        case .batch(let fault): throw Refusal(fault.shapeError(in: .root))
        case .store: throw Refusal("type", "there is no catalog of this id any more")
        }
      }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    CatalogItem.Kind.plain.rowType
    CatalogItem.Kind.feature.rowType
  }

  public var stateMachines: [StateMachine] { [.catalog] }
}

/// The rows, which the store keeps.
extension CatalogItem {
  /// The row that shows the item, under the item's own id.
  var row: Row { type.rowType.row(id.text, self) }
}

extension CatalogItem.Kind {
  fileprivate var rowType: RowType<CatalogItem> {
    switch self {
    case .plain: Self.plainRow
    case .feature: Self.featureRow
    }
  }

  private static let plainRow = rowType(.plain, "An item of a catalog, under the item's own id.")
  private static let featureRow = rowType(.feature, "An item of a catalog that is shown large.")

  private static func rowType(_ kind: CatalogItem.Kind, _ summary: String) -> RowType<CatalogItem> {
    RowType(kind.rawValue, summary) {
      CatalogItem.content
      Action(CatalogScreen.apply, "Remove") { [.deleteItems([ResourceID(named: $0.id.text)])] }
    }
  }
}

extension StateMachine {
  /// How a catalog moves: by every operation, without sections, with an empty one, and with items.
  fileprivate static let catalog: StateMachine = {
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
    let operations: [CatalogOperation] = [
      .appendSections([section("d")]),
      .insertSections([section("c", items: ["three"])], .before(a)),
      .deleteSections([a, "b"]),
      .moveSection("b", .before(a)),
      .reloadSections([section("a", items: ["four"])]),
      .appendItems([item("five")], toSection: nil),
      .insertItems([item("six")], .after(one)),
      .deleteItems([one, two]),
      .deleteAllItems,
      .moveItem(one, .after(two)),
      .reloadItems([item("one", title: "Reloaded")]),
      .reconfigureItems([CatalogItemPatch(id: one, title: "Renamed")]),
    ]
    return operations.map { ($0.name.string, $0) } + [("the catalog is removed", nil)]
  }

  private static func section(_ id: ResourceID, items: [ResourceID] = []) -> CatalogSection {
    CatalogSection(id: id, items: items.map { item($0) })
  }

  private static func item(_ id: ResourceID, title: Text = "Item") -> CatalogItem {
    CatalogItem(id: id, type: .plain, title: title)
  }
}
