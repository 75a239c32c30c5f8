import CanonicalJSON
import OrderedCollections
public import Snapshots
public import ViewState

/// One catalog: its sections and items, under their own ids.
public struct CatalogScreen: Screen {
  public typealias Source = Never
  public typealias State = Catalog

  /// What can happen: the store has changed.
  public enum Action: Sendable {
    case changed(Catalog)
  }

  let store: CatalogStore

  /// - Parameter store: where the catalog comes from, and where commands write.
  public init(store: CatalogStore) {
    self.store = store
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "catalog", keyName: "catalogID",
      summary: "One catalog: sections of items, changed by batches of operations on their ids.",
      commands: CatalogCommand.allCases.map(\.descriptor), sources: [])
  }

  public var stateMachines: [StateMachine] { [.catalog] }

  public func owner(of key: String) -> SerialOwner { store.owner }

  public func initialState(for key: String) throws(ScreenLookupError) -> Catalog {
    let (data, id) = (store.value, ResourceID(named: key))
    guard let catalog = data.catalogs[id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return catalog
  }

  public func subscribe(
    to key: String, showing catalog: Catalog, inbox: Inbox<Action>
  ) -> (any Cancellable)? {
    let id = ResourceID(named: key)
    return store.subscribe(showing: catalog, { $0.catalogs[id] }, into: inbox) { .changed($0) }
  }

  public func plan(
    _ command: Command, in catalog: Catalog
  ) throws(CommandRefusal) -> CommandPlan<Action> {
    let operations = try command.catalogOperations(limits: store.value.limits)
    return .write(
      store.detailedWrite({ data throws(CommandRefusal) in
        do throws(CatalogFault) {
          return ["ignored": .integer(try data.apply(operations, to: catalog.id))]
        } catch {
          throw command.refusal(error)
        }
      }))
  }

  public func reduce(_ catalog: inout Catalog, _ action: Action) -> [Effect<Never>] {
    switch action {
    case .changed(let new): catalog = new
    }
    return []
  }

  public func cause(of action: Action) -> RevisionCause {
    switch action {
    case .changed: .storeWrite(source: "catalogs")
    }
  }

  /// The catalog is the snapshot, and shares with the one before what the operations left alone.
  public func assemble(
    _ catalog: Catalog, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    catalog.content
  }
}
