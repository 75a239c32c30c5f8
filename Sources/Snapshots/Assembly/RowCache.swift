package import CanonicalJSON

/// Remembers the last assembly:
///
/// - its rows, so that an element that did not change keeps its row, which is encoded and hashed only once,
/// - its lists, so that a section is made from their changes,
/// - its snapshot, so that the next snapshot shares what did not change.
package struct RowCache: Sendable {
  private var rows = LastAssembly<any AnyObject & Sendable>()
  /// What the rows of sections were declared as.
  private var layouts = LastAssembly<RowLayout>()
  /// The snapshot of the last assembly, for `Snapshot(states:sections:reusing:)`.
  package private(set) var snapshot = Snapshot.empty
  /// The number of rows of the last assembly, without those of keyed sequences that are changed copies of keyed
  /// sequences of the assembly before. As far as is known, the state shares the elements of these rows with no other.
  package private(set) var unsharedRowCount = 0
  /// The number of all other rows, so far in this assembly.
  private var sharedRowCount = 0
  /// The reason why this assembly fails; `nil` if it does not.
  package internal(set) var mistake: (any Error)?

  /// Creates an empty cache.
  package init() {}

  /// Returns the row of an element: the last row with this id if it was made from an equal element and kind,
  /// otherwise the row that `make` returns.
  ///
  /// Elements that are equal must give the same row, so texts in them are `Text`.
  ///
  /// - Parameters:
  ///   - id: The id of the row.
  ///   - element: The element that the row shows.
  ///   - kind: A name for the closure `make`, needed if different closures can make the row of one id.
  ///   - make: Makes the row, which must depend on the element and the kind alone.
  /// - Complexity: O(1) expected, beside one comparison of elements.
  package mutating func row<Element: Equatable & Sendable>(
    _ id: Text, for element: Element, of kind: Text = "", make: (Element) -> Row
  ) -> Row {
    if let made = rows.value(of: id) as? Made<Element>, made.kind == kind,
      made.element.isAlike(to: element)
    {
      rows.append(made, of: id)
      return made.row
    }
    let row = make(element)
    rows.append(Made(element, kind: kind, row: row), of: id)
    return row
  }

  /// Returns a section with declared rows. For a `ForEach`, only rows of elements that changed since the last
  /// assembly are made.
  ///
  /// It is equal to a section that is made without the last assembly.
  ///
  /// - Complexity: O(*g* + *k* log *n*) expected, where *g* is the number of rows outside of a `ForEach`,
  ///   *k* the number of elements that changed, and *n* the number of all rows; O(*n*) for the first assembly.
  package mutating func section(
    _ id: Text, fields: [Text: JSONValue] = [:], generation: Int = 0, _ parts: [RowPart]
  ) -> Section {
    let layout = RowLayout(parts, &self)
    let before = layouts.value(of: id)
    layouts.append(layout, of: id)
    guard let before, let previous = snapshot.index(ofSection: id).map({ snapshot.sections[$0] })
    else {
      return Section(
        id: id, fields: fields, generation: generation, rows: Section.Rows(layout.rows))
    }
    sharedRowCount += layout.sharedCount(with: before)
    let rows =
      layout.rows(changing: previous.rows.tree, of: before) ?? PersistentSequence(layout.rows)
    // The fields mostly stay, and are not encoded again.
    return previous.generation == generation && previous.fields == fields
      ? previous.with(rows)
      : Section(id: id, fields: fields, generation: generation, rows: Section.Rows(tree: rows))
  }

  /// Ends an assembly: rows that it did not ask for are forgotten.
  package mutating func endAssembly(of snapshot: Snapshot) {
    rows.end()
    layouts.end()
    self.snapshot = snapshot
    unsharedRowCount = snapshot.numberOfItems - sharedRowCount
    sharedRowCount = 0
  }
}

/// What the last assembly has made, by ids. An assembly mostly asks in the order of the one before.
private struct LastAssembly<Value: Sendable>: Sendable {
  private var previous: [(id: Text, value: Value)] = []
  private var current: [(id: Text, value: Value)] = []
  /// The place in `previous` of what this assembly asks for next if it asks in the same order.
  private var next = 0
  /// The places in `previous` by the ids, if this assembly has asked in another order.
  private var places: [Text: Int]?

  /// What the last assembly has made of an id.
  mutating func value(of id: Text) -> Value? {
    if next == previous.count || previous[next].id != id {
      // Of an id that came twice the last one stays.
      let places =
        places ?? Dictionary(zip(previous.map(\.id), previous.indices)) { $1 }
      self.places = places
      guard let place = places[id] else { return nil }
      next = place
    }
    defer { next += 1 }
    return previous[next].value
  }

  /// Adds what this assembly has made of an id.
  mutating func append(_ value: Value, of id: Text) { current.append((id, value)) }

  /// Forgets what this assembly did not ask for.
  mutating func end() {
    previous = current
    current = []
    next = 0
    places = nil
  }
}

/// A row with the element that it shows. It is an object, so that assemblies share it without a copy.
private final class Made<Element: Sendable>: Sendable {
  let element: Element
  let kind: Text
  let row: Row

  init(_ element: Element, kind: Text, row: Row) {
    self.element = element
    self.kind = kind
    self.row = row
  }
}
