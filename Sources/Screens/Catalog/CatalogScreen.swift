public import CanonicalJSON
import Snapshots
public import ViewState

/// One catalog: its sections and items, under the ids that they have in the catalog.
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

  public var shownParts: [StorePart] { [.element(of: store)] }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> Catalog {
    try stores[store].catalogs.element(for: key)
  }

  /// Shows the snapshot that the catalog is kept as.
  public func body(_ catalog: Catalog) -> [ListSection] { catalog.content }

  /// The largest number of operations in one command.
  static let mostOperations = 200

  static let apply = Command<Catalog, [CatalogOperation], Bool?>(
    "apply",
    "Applies a list of operations in their order, all of them or none, as one change. The reply's "
      + "`details.ignored` counts the ids that could not be deleted because they are not there.",
    Argument("operations", .list(of: CatalogOperation.valueType, atMost: mostOperations))
      .described("What is done, in this order."),
    .optional(
      .boolean("animated").described(
        "If it is `false`, the diff says `\"animated\":false`, so that clients show the change at once."
      )))

  public var commands: [AnyCommand<Catalog>] {
    Self.apply.writing {
      [store] (catalog: inout Catalog, transaction: inout Transaction, operations, animated)
        throws(Refusal) in
      do throws(CatalogData.Failure) {
        let output = try transaction.write(.batch(operations, of: catalog.id), to: store)
        transaction.details["ignored"] = .integer(output.ignored)
        transaction.isAnimated = animated ?? true
      } catch {
        throw Refusal(error)
      }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    CatalogItem.Kind.plain.rowType
    CatalogItem.Kind.feature.rowType
  }

  public var stateMachines: [StateMachine] { [.catalog] }

  public func machineStates(_ catalog: Catalog) -> [Text: Text] {
    ["catalog": StateMachine.stateName(of: catalog.content)]
  }
}

/// The rows, which the store keeps.
extension CatalogItem.Kind {
  var rowType: RowType<CatalogItem> {
    switch self {
    case .plain: Self.plainRow
    case .feature: Self.featureRow
    }
  }

  private static let plainRow = rowType(.plain, "An item of a catalog, under the id of the item.")
  private static let featureRow = rowType(.feature, "An item of a catalog that is shown large.")

  private static func rowType(_ kind: CatalogItem.Kind, _ summary: String) -> RowType<CatalogItem> {
    RowType(kind.rawValue, summary) {
      CatalogItem.shownFields
      CatalogItem.placeFields
      Action(CatalogScreen.apply, title: { $0.offer.title }) { ([$0.offer.operation], nil) }
    }
  }
}

extension CatalogItem {
  /// What the action of the row does.
  fileprivate var offer: (title: Text, operation: CatalogOperation) {
    let ids = [ResourceID(named: id.text)]
    if !hasChildren { return ("Remove", .deleteItems(ids)) }
    return isExpanded ? ("Collapse", .collapseItems(ids)) : ("Expand", .expandItems(ids))
  }
}

extension StateMachine {
  /// Applies each operation to a catalog without sections, with an empty one, and with items.
  fileprivate static let catalog: StateMachine = {
    let (id, start) = (ResourceID(0), Timestamp(secondsSince1970: 0))
    func data(_ writes: CatalogWrite...) -> CatalogData {
      writes.reduce(into: CatalogData()) { _ = try? $0.apply($1, at: start) }
    }
    let create = CatalogWrite.catalog(.create(["id": 0]))
    func sections(_ sections: CatalogSection...) -> CatalogWrite {
      .batch([.appendSections(sections)], of: id)
    }
    return StateMachine(
      name: "catalog",
      exploring: [
        data(create), data(create, sections(section("a"), section("b"))),
        data(
          create, sections(section("a", items: ["one", "two"]), section("b")),
          .batch(
            [
              .appendItems([item("below one")], to: .item("one")),
              .appendItems([item("below two")], to: .item("two")), .expandItems(["two"]),
            ], of: id)),
        data(create, .catalog(.delete(id))),
      ], on: events,
      stateName: { data in
        data.catalogs.elements[id: id].map { stateName(of: $0.content).string } ?? "removed"
      },
      eventName: { $0.operation == nil ? $0.name : "\(CatalogScreen.apply.name): \($0.name)" },
      command: { $0.operation == nil ? nil : CatalogScreen.apply.name }
    ) { data, event in
      let before = data
      do {
        _ = try data.apply(
          event.operation.map { .batch([$0], of: id) } ?? .catalog(.delete(id)), at: start)
      } catch {
        return ["refuse"]
      }
      return data == before ? [] : ["show"]
    }
  }()

  fileprivate static func stateName(of content: Snapshot) -> Text {
    if content.numberOfSections == 0 { return "no sections" }
    return content.numberOfItems == 0 ? "no items" : "items"
  }

  private typealias Event = (name: String, operation: CatalogOperation?)

  private static var events: [Event] {
    let (a, one, two): (ResourceID, ResourceID, ResourceID) = ("a", "one", "two")
    let operations: [CatalogOperation] = [
      .appendSections([section("d")]),
      .insertSections([section("c", items: ["three"])], .before(a)),
      .deleteSections([a, "b"]),
      .moveSection("b", .before(a)),
      .reloadSections([section("a", items: ["four"])]),
      .appendItems([item("five")], to: nil),
      .insertItems([item("six")], .after(one)),
      .deleteItems([one, two]),
      .deleteAllItems,
      .moveItem(one, .after(two)),
      .reloadItems([item("one", title: "Reloaded")]),
    ]
    let patch = try? CatalogItemPatch(JSONReader(["id": "one", "title": "Renamed"]))
    let folding: [CatalogOperation] = [.expandItems([one]), .collapseItems([two])]
    return (operations + (patch.map { [.reconfigureItems([$0])] } ?? []) + folding)
      .map { ($0.name.string, $0) } + [("the catalog is removed", nil)]
  }

  private static func section(_ id: ResourceID, items: [ResourceID] = []) -> CatalogSection {
    CatalogSection(id: id, items: items.map { item($0) })
  }

  private static func item(_ id: ResourceID, title: Text = "Item") -> CatalogItem {
    CatalogItem(id: id, title: title)
  }
}
