public import CanonicalJSON

/// The items of one section as an outline: an item may have items below it, which are shown while all items above
/// them are expanded. The operations are named like those of `NSDiffableDataSourceSectionSnapshot`.
///
///     var outline = SectionSnapshot()
///     try outline.append([Row(id: "maps", type: "folder")])
///     try outline.append([Row(id: "alps", type: "map")], to: "maps")
///     outline.visibleItems.map(\.id)  // ["maps"]
///     try outline.expand(["maps"])
///     outline.visibleItems.map(\.id)  // ["maps", "alps"]
///
/// An item is collapsed until it is expanded. Collapsing hides all items below, which keep their own state:
/// expanding shows them as they were. Each operation either succeeds or leaves the outline unchanged, and
/// takes O(*n* + *k*) expected, where *n* is the number of items and *k* that in the arguments.
public struct SectionSnapshot: Equatable, Sendable {
  /// An item with its place among the others.
  public struct Entry: Equatable, Sendable {
    /// The item.
    public internal(set) var item: Row
    /// The number of levels above the item; 0 on the first level.
    public internal(set) var level = 0
    /// Whether the items below it are shown; `false` if there are none.
    public internal(set) var isExpanded = false
    /// Whether it has items below it.
    public internal(set) var hasChildren = false
  }

  /// All items, each before those below it.
  public private(set) var entries: [Entry] = []

  /// Creates an outline without items.
  public init() {}

  /// Creates an outline whose items are all on the first level.
  ///
  /// - Precondition: No two items have one id.
  public init(_ items: some Sequence<Row>) { entries = items.map { Entry(item: $0) } }

  /// Creates an outline of items, each before those below it.
  ///
  /// - Precondition: No two items have one id, and the level of each is at most one more than that of the item
  ///   before it; that of the first is 0.
  public init(_ items: some Sequence<(item: Row, level: Int, isExpanded: Bool)>) {
    entries = items.map { Entry(item: $0.item, level: $0.level, isExpanded: $0.isExpanded) }
    noteChildren()
  }

  /// Returns the same outline with other rows for its items.
  ///
  /// - Precondition: The rows have the ids of the items.
  public func mapItems(_ change: (Row) -> Row) -> SectionSnapshot {
    var copy = self
    for index in entries.indices { copy.entries[index].item = change(entries[index].item) }
    return copy
  }
}

/// Queries. Those that name an item return `nil` if there is none.
extension SectionSnapshot {
  /// All items, each before those below it.
  public var items: [Row] { entries.map(\.item) }

  /// The items on the first level.
  public var rootItems: [Row] { entries.filter { $0.level == 0 }.map(\.item) }

  /// The items that no collapsed item hides.
  public var visibleItems: [Row] { visibleEntries.map(\.item) }

  /// The items that no collapsed item hides, with their places.
  public var visibleEntries: [Entry] {
    // The level of the collapsed item that hides the items below it.
    var hidden = Int.max
    return entries.filter { entry in
      if entry.level > hidden { return false }
      hidden = entry.isExpanded ? .max : entry.level
      return true
    }
  }

  /// Whether no item has others below it.
  public var isFlat: Bool { !entries.contains { $0.level > 0 } }

  /// Returns the position of an item among all.
  public func index(of id: Text) -> Int? { entries.firstIndex { $0.item.id == id } }

  /// Returns whether there is an item with an id, shown or not.
  public func contains(_ id: Text) -> Bool { index(of: id) != nil }

  /// Returns an item with its place.
  public func entry(of id: Text) -> Entry? { index(of: id).map { entries[$0] } }

  /// Returns some items with their places, by their ids. An id that no item has is left out.
  public func entries(of ids: [Text]) -> [Text: Entry] {
    let wanted = Set(ids)
    return Dictionary(
      entries.lazy.filter { wanted.contains($0.item.id) }.map { ($0.item.id, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of levels above an item.
  public func level(of id: Text) -> Int? { entry(of: id)?.level }

  /// Returns whether the items below an item are shown, as far as the item itself is shown.
  public func isExpanded(_ id: Text) -> Bool? { entry(of: id)?.isExpanded }

  /// Returns whether all items above an item are expanded.
  public func isVisible(_ id: Text) -> Bool? {
    guard var index = index(of: id) else { return nil }
    while let parent = parent(of: index) {
      if !entries[parent].isExpanded { return false }
      index = parent
    }
    return true
  }

  /// Returns the item directly above an item; `nil` also for an item of the first level.
  public func parent(of id: Text) -> Row? {
    index(of: id).flatMap { parent(of: $0) }.map { entries[$0].item }
  }

  /// Returns the items below an item as an outline of their own.
  ///
  /// - Parameters:
  ///   - parent: The id of the item.
  ///   - includingParent: Whether the item itself is the only one of the first level; unless given, the items
  ///     directly below it are.
  public func snapshot(of parent: Text, includingParent: Bool = false) -> SectionSnapshot? {
    guard let index = index(of: parent) else { return nil }
    let range = includingParent ? index..<end(of: index) : index + 1..<end(of: index)
    return part(range, below: entries[index].level + (includingParent ? 0 : 1))
  }

  private func parent(of index: Int) -> Int? {
    let level = entries[index].level
    return level == 0 ? nil : entries[..<index].lastIndex { $0.level < level }
  }

  /// Returns the position behind the items below an item.
  private func end(of index: Int) -> Int {
    let level = entries[index].level
    return entries[(index + 1)...].firstIndex { $0.level <= level } ?? entries.count
  }

  private func part(_ range: Range<Int>, below level: Int) -> SectionSnapshot {
    var part = SectionSnapshot()
    part.entries = entries[range].map { entry in
      var entry = entry
      entry.level -= level
      return entry
    }
    return part
  }
}

/// Operations.
extension SectionSnapshot {
  /// Appends items below another one, or on the first level if none is given.
  ///
  /// - Throws: `SnapshotOperationError.unknownItems` if there is no such parent, or
  ///   `SnapshotOperationError.invalid` if an id would not be unique or a row cannot be written.
  public mutating func append(
    _ new: [Row], to parent: Text? = nil
  ) throws(SnapshotOperationError) {
    try append(SectionSnapshot(new), to: parent)
  }

  /// Appends another outline below an item, or on the first level if none is given.
  ///
  /// - Throws: The same errors as for items.
  public mutating func append(
    _ new: SectionSnapshot, to parent: Text? = nil
  ) throws(SnapshotOperationError) {
    guard let parent else { return try insert(new, at: entries.count, level: 0) }
    let index = try known(parent)
    try insert(new, at: end(of: index), level: entries[index].level + 1)
  }

  /// Inserts an outline before an item, on its level.
  ///
  /// - Throws: `SnapshotOperationError.unknownItems` if there is no such item, or
  ///   `SnapshotOperationError.invalid` if an id would not be unique or a row cannot be written.
  public mutating func insert(
    _ new: SectionSnapshot, before id: Text
  ) throws(SnapshotOperationError) {
    let index = try known(id)
    try insert(new, at: index, level: entries[index].level)
  }

  /// Inserts an outline after an item and those below it, on its level; see ``insert(_:before:)``.
  public mutating func insert(
    _ new: SectionSnapshot, after id: Text
  ) throws(SnapshotOperationError) {
    let index = try known(id)
    try insert(new, at: end(of: index), level: entries[index].level)
  }

  /// Deletes items with all items below them.
  ///
  /// - Returns: The number of ids that were ignored: those of no item, and of items that an earlier id has deleted.
  @discardableResult
  public mutating func delete(_ ids: [Text]) -> Int {
    var turns: [Text: Int] = [:]
    for (turn, id) in ids.enumerated() where turns[id] == nil { turns[id] = turn }
    var ignored = ids.count
    // The items above the next one, each with the turn at which it goes.
    var above: [(level: Int, turn: Int)] = []
    entries.removeAll { entry in
      while let last = above.last, last.level >= entry.level { above.removeLast() }
      let parents = above.last?.turn ?? .max
      let own = turns[entry.item.id] ?? .max
      if own < parents { ignored -= 1 }
      above.append((entry.level, min(own, parents)))
      return min(own, parents) < .max
    }
    noteChildren()
    return ignored
  }

  /// Shows the items below some items. An item with none below it stays as it is.
  ///
  /// - Throws: `SnapshotOperationError.unknownItems` if no item has one of the ids.
  public mutating func expand(_ ids: [Text]) throws(SnapshotOperationError) {
    try fold(ids, isExpanded: true)
  }

  /// Hides all items below some items. The hidden items keep their own state.
  ///
  /// - Throws: `SnapshotOperationError.unknownItems` if no item has one of the ids.
  public mutating func collapse(_ ids: [Text]) throws(SnapshotOperationError) {
    try fold(ids, isExpanded: false)
  }

  /// Replaces items by new ones with the same ids; the items below them stay. If several new items have one id, the
  /// last of them counts.
  ///
  /// - Throws: `SnapshotOperationError.unknownItems` if no item has one of the ids.
  public mutating func replace(_ items: [Row]) throws(SnapshotOperationError) {
    let places = try places(of: items.map(\.id))
    for item in items {
      if let index = places[item.id] { entries[index].item = item }
    }
  }

  private mutating func fold(_ ids: [Text], isExpanded: Bool) throws(SnapshotOperationError) {
    for index in try places(of: ids).values where entries[index].hasChildren {
      entries[index].isExpanded = isExpanded
    }
  }

  /// Returns the positions of items by their ids.
  private func places(of ids: [Text]) throws(SnapshotOperationError) -> [Text: Int] {
    let wanted = Set(ids)
    var places: [Text: Int] = [:]
    for (index, entry) in entries.enumerated() where wanted.contains(entry.item.id) {
      places[entry.item.id] = index
    }
    let unknown = ids.filter { places[$0] == nil }
    guard unknown.isEmpty else { throw .unknownItems(unknown) }
    return places
  }

  private mutating func insert(
    _ new: SectionSnapshot, at index: Int, level: Int
  ) throws(SnapshotOperationError) {
    var known = Set(entries.map(\.item.id))
    let repeated = new.entries.map(\.item.id).filter { !known.insert($0).inserted }.distinct
    guard repeated.isEmpty else { throw .invalid(SnapshotError(duplicateRowIDs: repeated)) }
    let placed = new.entries.map { entry in
      var entry = entry
      entry.level += level
      return entry
    }
    entries.insert(contentsOf: placed, at: index)
    noteChildren()
  }

  private mutating func noteChildren() {
    for index in entries.indices {
      let next = index + 1 < entries.count ? entries[index + 1].level : 0
      entries[index].hasChildren = next > entries[index].level
      if !entries[index].hasChildren { entries[index].isExpanded = false }
    }
  }

  private func known(_ id: Text) throws(SnapshotOperationError) -> Int {
    guard let index = index(of: id) else { throw .unknownItems([id]) }
    return index
  }
}
