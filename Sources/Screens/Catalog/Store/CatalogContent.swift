import CanonicalJSON
import Snapshots
import ViewState

/// The sections and items of a catalog.
///
/// What is shown is kept as the very snapshot of the screen, so that a change costs what changes. A section of
/// which items have others below them has an outline beside it, with those that are hidden.
struct CatalogContent: Equatable, Sendable {
  /// The sections and the items that are shown, as rows.
  private(set) var shown = Snapshot.empty
  /// The outlines of the sections of which an item has others below it, by the ids of the sections.
  private(set) var outlines: [Text: SectionSnapshot] = [:]
  /// The language of the titles in the rows.
  private(set) var language = Language.en

  /// The number of rows that a batch has made for its changes of outlines.
  var madeRowCount = 0
  /// The number of items that the sections had which a batch has changed, once for each change of a section, and a
  /// quarter of the items in sections with levels for each search among them.
  var readItemCount = 0
  /// The largest number of items that a batch may read in this way. One with more is refused, because all other inputs
  /// wait for its end.
  static let mostReadItems = 250_000

  /// How many items may be above an item.
  static let deepest = 8

  /// Returns the estimated memory of what a batch has made, in bytes: the rows, and a copy of each outline that it has
  /// changed.
  func madeByteCount(since former: CatalogContent) -> Int {
    outlines.reduce(512 * min(madeRowCount, numberOfItems)) { sum, outline in
      former.outlines[outline.key] == outline.value ? sum : sum + 32 * outline.value.entries.count
    }
  }
}

/// Copies.
extension CatalogContent {
  /// Returns the same sections and items in a language and with other generations, sharing all that is equal
  /// with a snapshot.
  func with(
    _ generations: Generations, in language: Language, reusing previous: Snapshot
  ) -> CatalogContent {
    func row(_ row: Row) -> Row {
      var row = row
      if language != self.language, let item = CatalogItem(of: row) { row = item.row(in: language) }
      return row.generation(generations.generation(of: row))
    }
    var copy = self
    copy.language = language
    copy.outlines = outlines.mapValues { $0.mapItems(row) }
    let sections = shown.sections.map { section in
      Section(
        id: section.id, fields: section.fields, generation: generations.generation(of: section),
        rows: copy.outlines[section.id]?.visibleEntries.map { $0.shown(in: language) }
          ?? section.rows.map(row))
    }
    copy.shown = (try? Snapshot(sections: sections, reusing: previous)) ?? shown
    return copy
  }
}

/// Operations on sections.
extension CatalogContent {
  /// Changes the shown sections by an operation that adds sections, or replaces those of the same ids, with their items.
  mutating func put(
    _ sections: [CatalogSection], isReload: Bool = false,
    by operation: (inout Snapshot, [Section]) throws(SnapshotOperationError) -> Void
  ) throws(SnapshotOperationError) {
    var copy = self
    let outlines = sections.map { ($0.id.text, SectionSnapshot($0.items, in: language)) }
    // An item that stays is in one of these sections. The others are not read.
    let before = Dictionary(
      outlines.flatMap { outline(of: $0.0)?.entries ?? [] }
        .map { ($0.item.id, $0.item.generation) }, uniquingKeysWith: { first, _ in first })
    let shown = zip(sections, outlines).map { section, outline in
      Section(
        id: outline.0, fields: Self.fields(title: section.title),
        rows: outline.1.visibleEntries.map { entry in
          let row = entry.shown(in: language)
          // One that was hidden is drawn again, too, by those who have seen it before.
          return before[row.id].map { row.generation($0 + 1) } ?? row
        })
    }
    var others = self
    if isReload { _ = others.deleteSections(sections.map(\.id)) }
    let repeated = others.repeated(outlines.flatMap { $0.1.entries.map(\.item.id) })
    do throws(SnapshotOperationError) {
      try operation(&copy.shown, shown)
    } catch {
      // The operation knows only the items that are shown.
      guard case .invalid(var ids) = error else { throw error }
      ids.duplicateRowIDs = repeated
      throw .invalid(ids)
    }
    if !repeated.isEmpty { throw .invalid(SnapshotError(duplicateRowIDs: repeated)) }
    for (id, outline) in outlines {
      copy.outlines[id] = nil
      if outline.isFlat { continue }
      copy.outlines[id] = outline.mapItems { item in
        let shown = copy.shown.path(ofRow: item.id).map { copy.shown[$0].generation }
        return item.generation(shown ?? before[item.id].map { $0 + 1 } ?? 0)
      }
    }
    copy.readItemCount += searchCount
    self = copy
  }

  mutating func nameSection(_ id: Text, _ title: Text?) throws(SnapshotOperationError) {
    try shown.reconfigureSection(id, fields: Self.fields(title: title))
  }

  private static func fields(title: Text?) -> [Text: JSONValue] {
    title.map { ["title": .string($0)] } ?? [:]
  }

  mutating func deleteSections(_ ids: [ResourceID]) -> Int {
    for id in ids { outlines[id.text] = nil }
    return shown.deleteSections(ids.map(\.text))
  }

  mutating func moveSection(_ id: Text, _ place: Placement) throws(SnapshotOperationError) {
    switch place {
    case .before(let anchor): try shown.moveSection(id, beforeSection: anchor.text)
    case .after(let anchor): try shown.moveSection(id, afterSection: anchor.text)
    }
  }
}

/// Operations on items.
extension CatalogContent {
  mutating func append(
    _ items: [CatalogItem], to target: CatalogTarget?
  ) throws(SnapshotOperationError) {
    let new = SectionSnapshot(items, in: language)
    switch target {
    case .item(let parent):
      guard let section = search([parent.text])[parent.text] else {
        throw .unknownItems([parent.text])
      }
      try edit(section, adding: new) { (outline) throws(SnapshotOperationError) in
        try outline.append(new, to: parent.text)
      }
    case .section(let id):
      guard shown.index(ofSection: id.text) != nil else { throw .unknownSections([id.text]) }
      try append(new, toSection: id.text)
    case nil:
      guard let last = shown.sections.last else { throw .noSection }
      try append(new, toSection: last.id)
    }
  }

  private mutating func append(
    _ new: SectionSnapshot, toSection section: Text
  ) throws(SnapshotOperationError) {
    if outlines.isEmpty, new.isFlat { return try shown.appendItems(new.items, toSection: section) }
    try edit(section, adding: new) { (outline) throws(SnapshotOperationError) in
      try outline.append(new)
    }
  }

  mutating func insert(
    _ items: [CatalogItem], _ place: Placement
  ) throws(SnapshotOperationError) {
    let (new, anchor) = (SectionSnapshot(items, in: language), place.anchor.text)
    if outlines.isEmpty, new.isFlat {
      switch place {
      case .before: return try shown.insertItems(new.items, beforeItem: anchor)
      case .after: return try shown.insertItems(new.items, afterItem: anchor)
      }
    }
    guard let section = search([anchor])[anchor] else { throw .unknownItems([anchor]) }
    try edit(section, adding: new) { (outline) throws(SnapshotOperationError) in
      try outline.insert(new, place)
    }
  }

  mutating func delete(_ ids: [ResourceID]) -> Int {
    if outlines.isEmpty { return shown.deleteItems(ids.map(\.text)) }
    let sections = search(ids.map(\.text))
    let groups = Dictionary(grouping: ids.map(\.text)) { sections[$0] }
    var ignored = 0
    for (section, ids) in groups {
      guard let section else {
        ignored += ids.count
        continue
      }
      // What is left of a section is never refused.
      try? edit(section) { ignored += $0.delete(ids) }
    }
    return ignored
  }

  mutating func deleteAllItems() {
    outlines = [:]
    shown.deleteAllItems()
  }

  mutating func move(_ id: Text, _ place: Placement) throws(SnapshotOperationError) {
    let anchor = place.anchor.text
    if outlines.isEmpty {
      switch place {
      case .before: return try shown.moveItem(id, beforeItem: anchor)
      case .after: return try shown.moveItem(id, afterItem: anchor)
      }
    }
    let sections = search([id, anchor])
    guard let start = sections[id], let end = sections[anchor],
      let moved = outline(of: start)?.snapshot(of: id, includingParent: true)
    else { throw .unknownItems([id, anchor].filter { sections[$0] == nil }) }
    if id == anchor { throw .ownAnchor(id) }
    if moved.contains(anchor) { throw .anchorBelow(id, anchor: anchor) }
    var copy = self
    try copy.edit(start) { $0.delete([id]) }
    try copy.edit(end) { (outline) throws(SnapshotOperationError) in
      try outline.insert(moved, place)
    }
    self = copy
  }

  /// Replaces items by those of the same ids; the items below them stay.
  ///
  /// - Parameter sections: The sections of the items.
  mutating func replace(
    _ items: [Row], in sections: [Text: Text], isReload: Bool
  ) throws(SnapshotOperationError) {
    if outlines.isEmpty {
      if isReload { return try shown.reloadItems(items) }
      return try shown.reconfigureItems(items)
    }
    var (unknown, retyped, known): ([Text], [Text], Set<Text>) = ([], [], [])
    var error = SnapshotError()
    let present = self.items(items.map(\.id), in: sections)
    for item in items {
      guard let old = present[item.id] else {
        unknown.append(item.id)
        continue
      }
      if !known.insert(item.id).inserted { error.duplicateRowIDs.append(item.id) }
      if !isReload, old.type != item.type { retyped.append(item.id) }
    }
    guard unknown.isEmpty else { throw .unknownItems(unknown) }
    guard error == SnapshotError() else { throw .invalid(error) }
    guard retyped.isEmpty else { throw .changedTypes(retyped) }
    for case (let section?, let items) in Dictionary(grouping: items, by: { sections[$0.id] }) {
      try edit(section) { (outline) throws(SnapshotOperationError) in
        try outline.replace(
          items.map { item in
            let generation = present[item.id]?.generation ?? 0
            return item.generation(generation + (isReload ? 1 : 0))
          })
        let waiting = items.filter(\.loadsChildren)
        try outline.collapse(waiting.map(\.id))
      }
    }
  }

  /// Shows or hides the items below some items. Those that are still to be loaded stay hidden.
  mutating func fold(_ ids: [Text], isExpanded: Bool) throws(SnapshotOperationError) {
    let sections = search(ids)
    let unknown = ids.filter { sections[$0] == nil }
    guard unknown.isEmpty else { throw .unknownItems(unknown) }
    let groups = Dictionary(grouping: ids) { sections[$0] }
    for case (let section?, let ids) in groups where outlines[section] != nil {
      try edit(section) { (outline) throws(SnapshotOperationError) in
        if !isExpanded { return try outline.collapse(ids) }
        try outline.expand(ids)
        let waiting = outline.entries.filter {
          $0.isExpanded && $0.item.loadsChildren
        }
        try outline.collapse(waiting.map(\.item.id))
      }
    }
  }

  /// Shows the items below an item, which have been loaded.
  mutating func show(below id: Text) throws(SnapshotOperationError) {
    let sections = sections(of: [id])
    guard let row = items([id], in: sections)[id], var item = CatalogItem(of: row) else {
      throw .unknownItems([id])
    }
    item.loadsChildren = false
    try replace([item.row(in: language)], in: sections, isReload: false)
    try fold([id], isExpanded: true)
  }

  /// Changes the items of a section, and shows what is different.
  ///
  /// - Parameter added: What the change adds to the section.
  private mutating func edit(
    _ section: Text, adding added: SectionSnapshot = SectionSnapshot(),
    _ change: (inout SectionSnapshot) throws(SnapshotOperationError) -> Void
  ) throws(SnapshotOperationError) {
    guard let old = outline(of: section) else { throw .unknownSections([section]) }
    let repeated = repeated(added.entries.map(\.item.id))
    if !repeated.isEmpty { throw .invalid(SnapshotError(duplicateRowIDs: repeated)) }
    var new = old
    try change(&new)
    readItemCount += old.entries.count + (added.entries.isEmpty ? 0 : searchCount)
    if new == old { return }
    let (before, after) = (old.visibleEntries, new.visibleEntries)
    let shorter = min(before.count, after.count)
    let head = (0..<shorter).first { before[$0] != after[$0] } ?? shorter
    let rest = shorter - head
    let tail =
      (0..<rest).first { before[before.count - 1 - $0] != after[after.count - 1 - $0] } ?? rest
    var copy = self
    copy.madeRowCount += after.count - tail - head
    try copy.shown.replaceItems(
      head..<before.count - tail, inSection: section,
      by: after[head..<after.count - tail].map { $0.shown(in: language) })
    copy.outlines[section] = new.isFlat ? nil : new
    self = copy
  }

  /// Returns those of some ids of new items that another item has, be it new, shown or hidden: each once.
  private func repeated(_ new: [Text]) -> [Text] {
    if new.isEmpty { return [] }
    let added = Set(new)
    var known = Set(outlines.values.lazy.flatMap(\.entries).map(\.item.id).filter(added.contains))
    var repeated: Set<Text> = []
    return new.filter { id in
      let isNew = known.insert(id).inserted && shown.sectionIdentifier(containingItem: id) == nil
      return !isNew && repeated.insert(id).inserted
    }
  }
}
