public import CanonicalJSON
import Snapshots
public import ViewState

/// One catalog: its sections and items, under the ids that they have in the catalog.
public struct CatalogScreen: Screen {
  public struct State: Codable, Equatable, Sendable {
    /// The catalog as the store has it.
    public var catalog: Catalog
    /// The loads of the items below others, by the ids of these.
    public var children = Lookups<ResourceID, Bool>()
  }

  public static let name: Text = "catalog"
  public static let keyName = "catalogID"
  public static let summary =
    "One catalog: sections of items, changed by batches of operations on their ids."

  public let language: Language?
  private let store: CatalogStore
  private let children: LookingUp<State, ResourceID, Bool>
  private let rows: Rows

  /// Creates the screen.
  ///
  /// - Parameters:
  ///   - store: The catalogs.
  ///   - language: The language of the texts that are not those of the catalogs.
  public init(store: CatalogStore, language: Language = .en) {
    self.store = store
    self.language = language
    rows = Rows(language)
    let apply = Self.apply.name
    children = LookingUp(
      "children", \.children, commands: (apply, apply, apply, nil)
    ) { transaction, key, item in
      try transaction.write(.show(below: item, of: ResourceID(named: key)), to: store)
      return true
    }
  }

  public var parts: [any ScreenPart<State>] { [children] }

  public var shownStores: [ShownStore] { [.element(of: store)] }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    State(catalog: try stores[store].catalogs.element(for: key))
  }

  public func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    let catalog = try stores[store].catalogs.element(for: key)
    state.catalog = catalog
    let items = catalog.whole.items(state.children.all.map(\.key))
    state.children.keep { items[$0]?.loadsChildren == true }
  }

  /// Shows the snapshot that the catalog is kept as, and the loads behind their items.
  public func body(_ state: State) throws -> [ListSection] {
    try shown(state)
  }

  private func shown(_ state: State) throws -> Snapshot {
    var content = state.catalog.content
    for (item, load) in state.children.all {
      // An item that is hidden hides its load.
      guard let path = content.path(ofRow: item) else { continue }
      let level = content[path].fields["level"].flatMap { try? JSONReader($0).integer() } ?? 0
      let place = Load(item: ResourceID(named: item), level: level + 1)
      switch load {
      case .isLoading:
        try content.insertItems([rows.loading.row("\(item)/loading", place)], afterItem: item)
      case .failed(let failure, _):
        let failed = FailedLoad(load: place, failure: failure)
        try content.insertItems([rows.failed.row("\(item)/error", failed)], afterItem: item)
      case .notRequested, .loaded: break
      }
    }
    return content
  }

  /// The largest number of items that wait for the items below them.
  static let mostLoads = 100

  static let apply = Command<State, [CatalogOperation], Bool?>(
    "apply",
    "Applies a list of operations in their order, all of them or none, as one change. The reply's "
      + "`details.ignored` counts the ids that could not be deleted because they are not there.",
    Argument("operations", CatalogBatch.valueType).described("What is done, in this order."),
    .optional(
      .boolean("animated").described(
        "If it is `false`, the diff says `\"animated\":false`, so that clients show the change at once."
      )))

  public var commands: [AnyCommand<State>] {
    Self.apply.writing {
      [store] (state: inout State, transaction: inout Transaction, operations, animated) in
      let id = state.catalog.id
      let output = try transaction.write(.batch(operations, of: id), to: store)
      transaction.details["ignored"] = .integer(output.ignored)
      transaction.isAnimated = animated ?? true
      state.load(operations, in: output.catalog.resource)
      guard state.children.all.count <= Self.mostLoads else {
        throw Refusal(
          "operations", "the items below at most \(Self.mostLoads) items are loaded at a time")
      }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    rows.plain
    rows.feature
    rows.loading
    rows.failed
  }

  public var stateMachines: [StateMachine] { [.catalog] }

  public func machineStates(_ state: State) -> [Text: Text] {
    ["catalog": StateMachine.stateName(of: state.catalog.content)]
  }
}

extension CatalogScreen.State {
  /// Starts the loads that operations ask for, and ends those that they no longer do.
  fileprivate mutating func load(_ operations: [CatalogOperation], in catalog: Catalog) {
    for operation in operations {
      switch operation {
      case .expandItems(let ids):
        // All at once, because each look-up of a hidden item reads the whole catalog.
        let items = catalog.whole.items(ids.map(\.text)).filter { $1.loadsChildren }
        for id in ids where items[id.text] != nil { children.ask(id, for: id.text) }
      case .collapseItems(let ids):
        for id in ids { children.ask(nil, for: id.text) }
      default: break
      }
    }
  }
}

/// The types of the rows.
extension CatalogScreen {
  /// A load of the items below an item, at their level.
  struct Load: Equatable, Sendable {
    let item: ResourceID
    let level: Int
  }

  /// The end of such a load.
  struct FailedLoad: Equatable, Sendable {
    let load: Load
    let failure: LoadFailure
  }

  /// The types of the rows, with their texts in a language.
  struct Rows: Sendable {
    let plain: RowType<CatalogItem>
    let feature: RowType<CatalogItem>
    let loading: RowType<Load>
    let failed: RowType<FailedLoad>

    init(_ language: Language) {
      plain = CatalogItem.Kind.plain.rowType(in: language)
      feature = CatalogItem.Kind.feature.rowType(in: language)
      let level = Field("level", \Load.level, "The number of items above it.")
      loading = RowType(
        "contentLoading", of: Load.self,
        "The items below an item are loaded; the id is that of the item and `/loading`."
      ) {
        Field("text") { _ in Localized.loading[language] }
        level
        Action(apply, Localized.cancel[language]) { load in ([.collapseItems([load.item])], nil) }
      }
      failed = RowType(
        "contentError", of: FailedLoad.self,
        "The items below an item could not be loaded; the id is that of the item and `/error`."
      ) {
        LoadFailure.fields(in: language).map { $0.of(\FailedLoad.failure) }
        Field("text") { _ in
          Localized(
            en: "Couldn't load the items.", de: "Die Einträge konnten nicht geladen werden.")[
              language]
        }
        level.of(\FailedLoad.load)
        Action(apply, Localized.retry[language]) { ([.expandItems([$0.load.item])], nil) }
        Action(apply, Localized.collapse[language]) { ([.collapseItems([$0.load.item])], nil) }
      }
    }
  }
}

/// The rows of items, which the store keeps.
extension CatalogItem.Kind {
  /// Returns the type of the rows of such items, with the titles of their actions in a language.
  func rowType(in language: Language) -> RowType<CatalogItem> {
    switch (self, language) {
    case (.plain, .en): Self.plainRow
    case (.plain, .de): Self.germanPlainRow
    case (.feature, .en): Self.featureRow
    case (.feature, .de): Self.germanFeatureRow
    }
  }

  // One of each, because a row is made for each item.
  private static let plainRow = makeRowType(.plain, .en)
  private static let germanPlainRow = makeRowType(.plain, .de)
  private static let featureRow = makeRowType(.feature, .en)
  private static let germanFeatureRow = makeRowType(.feature, .de)

  private static func makeRowType(
    _ kind: CatalogItem.Kind, _ language: Language
  ) -> RowType<CatalogItem> {
    let summary =
      switch kind {
      case .plain: "An item of a catalog, under the id of the item."
      case .feature: "An item of a catalog that is shown large."
      }
    return RowType(kind.rawValue, summary) {
      CatalogItem.shownFields
      CatalogItem.placeFields
      Action(CatalogScreen.apply, title: { $0.offer.title[language] }) {
        ([$0.offer.operation], nil)
      }
    }
  }
}

extension CatalogItem {
  /// What the action of the row does.
  fileprivate var offer: (title: Localized, operation: CatalogOperation) {
    let ids = [ResourceID(named: id.text)]
    if !canExpand { return (Localized(en: "Remove", de: "Entfernen"), .deleteItems(ids)) }
    return isExpanded
      ? (.collapse, .collapseItems(ids))
      : (.expand, .expandItems(ids))
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
      .nameSection(a, "Renamed"),
      .nameSection(a, nil),
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
    CatalogSection(id: id, title: "Section", items: items.map { item($0) })
  }

  private static func item(_ id: ResourceID, title: Text = "Item") -> CatalogItem {
    CatalogItem(id: id, title: title)
  }
}
