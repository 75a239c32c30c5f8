import CanonicalJSON
import Snapshots
import ViewState

extension CatalogOperation {
  /// Applies the operation to the sections and items of a catalog.
  ///
  /// - Returns: the number of ids that were ignored.
  /// - Throws: `CatalogFault`; nothing has changed then.
  func apply(to content: inout Snapshot) throws(CatalogFault) -> Int {
    do throws(SnapshotOperationError) {
      return try perform(on: &content)
    } catch {
      throw CatalogFault(place(of: error), "\(error)")
    }
  }

  private func perform(on content: inout Snapshot) throws(SnapshotOperationError) -> Int {
    switch self {
    case .appendSections(let sections):
      try content.appendSections(sections.map(\.shown))
    case .insertSections(let sections, .before(let anchor)):
      try content.insertSections(sections.map(\.shown), beforeSection: anchor.text)
    case .insertSections(let sections, .after(let anchor)):
      try content.insertSections(sections.map(\.shown), afterSection: anchor.text)
    case .deleteSections(let ids):
      return content.deleteSections(ids.map(\.text))
    case .moveSection(let id, .before(let anchor)):
      try content.moveSection(id.text, beforeSection: anchor.text)
    case .moveSection(let id, .after(let anchor)):
      try content.moveSection(id.text, afterSection: anchor.text)
    case .reloadSections(let sections):
      try content.reloadSections(sections.map(\.shown))
    case .appendItems(let items, let section):
      try content.appendItems(items.map(\.row), toSection: section?.text)
    case .insertItems(let items, .before(let anchor)):
      try content.insertItems(items.map(\.row), beforeItem: anchor.text)
    case .insertItems(let items, .after(let anchor)):
      try content.insertItems(items.map(\.row), afterItem: anchor.text)
    case .deleteItems(let ids):
      return content.deleteItems(ids.map(\.text))
    case .deleteAllItems:
      content.deleteAllItems()
    case .moveItem(let id, .before(let anchor)):
      try content.moveItem(id.text, beforeItem: anchor.text)
    case .moveItem(let id, .after(let anchor)):
      try content.moveItem(id.text, afterItem: anchor.text)
    case .reloadItems(let items):
      try content.reloadItems(items.map(\.row))
    case .reconfigureItems(let patches):
      let rows = patches.map { patch in
        patch.applied(to: content.path(ofRow: patch.id.text).map { content[$0] })
      }
      try content.reconfigureItems(rows)
    }
    return 0
  }
}
