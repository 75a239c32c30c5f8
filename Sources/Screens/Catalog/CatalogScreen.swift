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

  public var shownPart: StorePart? { .element(of: store) }

  public func part(
    of data: CatalogData, for key: Text
  ) throws(ScreenLookupError) -> Catalog {
    let id = ResourceID(named: key)
    guard let catalog = data.catalogs[id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return catalog
  }

  public func run(
    _ command: SentCommand, on catalog: inout Catalog, for key: Text,
    in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    let operations = try command.catalogOperations(limits: transaction[store].limits)
    do throws(CatalogWrite.Failure) {
      let output = try transaction.write(.batch(operations, of: catalog.id), to: store)
      if case .ignored(let count) = output { transaction.details["ignored"] = .integer(count) }
    } catch {
      switch error {
      case .batch(let fault): throw command.refusal(fault)
      case .store: throw command.refusal(of: "type", "there is no catalog of this id any more")
      }
    }
    return []
  }

  /// The catalog is the snapshot, and shares with the one before what the operations left alone.
  public func assemble(
    _ catalog: Catalog, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    catalog.content
  }
}
