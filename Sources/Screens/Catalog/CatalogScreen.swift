public import CanonicalJSON
import OrderedCollections
public import Snapshots
public import ViewState

/// One catalog: its sections and items, under their own ids.
public struct CatalogScreen: StoreScreen {
  public let store: CatalogStore

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

  public var sourceName: Text { "catalogs" }

  public func part(
    of data: CatalogData, for key: Text
  ) throws(ScreenLookupError) -> Catalog {
    let id = ResourceID(named: key)
    guard let catalog = data.catalogs[id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return catalog
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

  /// The catalog is the snapshot, and shares with the one before what the operations left alone.
  public func assemble(
    _ catalog: Catalog, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    catalog.content
  }
}
