public import CanonicalJSON

/// The rows of the elements of a list, one for each.
///
/// ```swift
/// Section(id: "posts") {
///   Row(id: "posts/header", type: "header")
///   ForEach(posts) { Row(id: "post/\($0.id)", type: "post", fields: ["title": .string($0.title)]) }
/// }
/// ```
///
/// A row is made when its element is new or changes, and kept as long as the element stays equal. So texts of elements
/// should be `Text`: two `String`s with different bytes that look the same are equal.
public struct ForEach<Element>: Sendable {
  let part: RowPart
}

extension ForEach where Element: Identifiable & Equatable & Sendable, Element.ID: Sendable {
  /// Declares the rows of a keyed sequence. After a change, only the rows of changed elements are made.
  ///
  /// - Parameters:
  ///   - elements: The elements, in the order of their rows.
  ///   - kind: A name for the closure `row`, needed if lists with different closures can be at the same place.
  ///   - row: Makes the row of an element. The row must depend on the element and the kind alone.
  public init(
    _ elements: KeyedSequence<Element>, of kind: Text = "",
    row: @escaping @Sendable (Element) -> Row
  ) {
    part = RowPart(content: .list(KeyedRows(elements: elements, kind: kind, row: row)))
  }
}

extension ForEach where Element: Equatable & Sendable {
  /// Declares the rows of an array.
  ///
  /// - Parameters:
  ///   - elements: The elements, in the order of their rows.
  ///   - id: The id of the row of an element.
  ///   - kind: A name for the closure `row`, needed if different closures can make the row of one id.
  ///   - row: Makes the row of an element with its id. The row must depend on these and the kind alone.
  /// - Complexity: O(*n*) expected in each assembly, where *n* is the number of elements.
  public init(
    _ elements: [Element], id: @escaping @Sendable (Element) -> Text, of kind: Text = "",
    row: @escaping @Sendable (Text, Element) -> Row
  ) {
    part = RowPart(cached: { cache, rows in
      for element in elements {
        let id = id(element)
        rows.append(cache.row(id, for: element, of: kind) { row(id, $0) })
      }
    })
  }
}

private struct KeyedRows<Element: Identifiable & Equatable & Sendable>: RowList
where Element.ID: Sendable {
  let elements: KeyedSequence<Element>
  let kind: Text
  let row: @Sendable (Element) -> Row

  var count: Int { elements.count }
  var root: TreeNode<Slot>? { elements.base.slots.root }

  var rows: [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(count)
    // The iterator walks from leaf to leaf; `map` would search for each position.
    for element in elements { rows.append(row(element)) }
    return rows
  }

  func changes(since old: any RowList, rows: PersistentSequence<Row>, start: Int) -> [RowChange]? {
    guard let known = old as? KeyedRows, known.kind == kind else { return nil }
    let old = known.elements.base
    let new = elements.base
    return new.changes(since: old).map { change in
      RowChange(
        range: change.old,
        rows: new.slots.elements(in: change.new).map { slot in
          // One that has only gone elsewhere keeps its row.
          if let place = old.index(of: slot.identifier), old.slots[place].isAlike(to: slot) {
            return rows[start + place]
          }
          return row(KeyedSequence.element(in: slot))
        })
    }
  }
}

/// A list of rows that knows what changed in it.
protocol RowList: Sendable {
  var count: Int { get }
  /// All rows, made anew.
  var rows: [Row] { get }

  /// The tree of the elements; `nil` if there are none.
  var root: TreeNode<Slot>? { get }

  /// What turns the rows of an earlier list into those of this one, ascending.
  ///
  /// - Parameters:
  ///   - rows: A list that the earlier rows are a part of.
  ///   - start: Where they begin there.
  /// - Returns: `nil` if the earlier list is of another kind.
  func changes(
    since old: any RowList, rows: PersistentSequence<Row>, start: Int
  ) -> [RowChange]?
}

/// Rows that take the place of others.
struct RowChange {
  /// The positions of those that go.
  let range: Range<Int>
  let rows: [Row]
}

/// A part of the rows of a section as a screen declares them: some rows, or a ``ForEach``.
public struct RowPart: Sendable {
  enum Content: Sendable {
    case rows([Row])
    case list(any RowList)
    /// Rows that are taken from the last assembly if what they show has not changed.
    case cached(@Sendable (inout RowCache, inout [Row]) -> Void)
  }

  let content: Content
}

extension RowPart {
  /// Rows that a cache makes.
  ///
  /// - Parameter append: Appends them to a list.
  package init(cached append: @escaping @Sendable (inout RowCache, inout [Row]) -> Void) {
    content = .cached(append)
  }

  /// A part that cannot be shown: the assembly fails.
  package init(failing mistake: any Error) {
    self.init { cache, _ in cache.mistake = mistake }
  }
}

extension ListBuilder<RowPart> {
  public static func buildExpression(_ row: Row) -> [RowPart] {
    [RowPart(content: .rows([row]))]
  }

  /// Declares a row, or nothing if the row is `nil`.
  public static func buildExpression(_ row: Row?) -> [RowPart] {
    row.map { buildExpression($0) } ?? []
  }

  public static func buildExpression(_ rows: some Sequence<Row>) -> [RowPart] {
    [RowPart(content: .rows(Array(rows)))]
  }

  public static func buildExpression<Item>(_ list: ForEach<Item>) -> [RowPart] {
    [list.part]
  }
}
