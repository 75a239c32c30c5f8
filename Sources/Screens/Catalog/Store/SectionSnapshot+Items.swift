import CanonicalJSON
import Snapshots
import ViewState

extension SectionSnapshot {
  /// The outline of items with those below them.
  init(_ items: [CatalogItem], in language: Language) {
    var entries: [(item: Row, level: Int, isExpanded: Bool)] = []
    // The items that are still to come, the next one last.
    var rest = items.reversed().map { (item: $0, level: 0) }
    while let (next, level) = rest.popLast() {
      var item = next
      // The row says so, too.
      if item.loadsChildren { item.isExpanded = false }
      entries.append((item.row(in: language), level, item.isExpanded))
      rest += item.children.reversed().map { (item: $0, level: level + 1) }
    }
    self.init(entries)
  }

  /// Adds an outline beside an item.
  mutating func insert(
    _ new: SectionSnapshot, _ place: Placement
  ) throws(SnapshotOperationError) {
    switch place {
    case .before(let anchor): try insert(new, before: anchor.text)
    case .after(let anchor): try insert(new, after: anchor.text)
    }
  }
}

extension SectionSnapshot.Entry {
  /// Returns the row that shows the item at its place.
  func shown(in language: Language) -> Row {
    guard hasChildren, var model = CatalogItem(of: item) else {
      if level == 0 { return item }
      let fields = item.fields.merging(["level": .integer(level)]) { $1 }
      return Row(id: item.id, type: item.type, fields: fields, generation: item.generation)
    }
    (model.level, model.hasChildren, model.isExpanded) = (level, hasChildren, isExpanded)
    return model.row(in: language).generation(item.generation)
  }
}

extension CatalogItem {
  /// The item that a row shows; `nil` for a row of another kind.
  init?(of row: Row) {
    guard let item = try? CatalogItem(JSONReader(row.item)) else { return nil }
    self = item
  }
}
