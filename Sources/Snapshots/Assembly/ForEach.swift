/// The rows of the elements of a list, one for each.
///
///     Section(id: "posts") {
///       Row(id: "posts/header", type: "header")
///       ForEach(posts) { Row(id: "post/\($0.id)", type: "post", fields: ["title": .string($0.title)]) }
///     }
///
/// A row is made when its element comes or changes, and kept as long as the element stays equal.
public struct ForEach<Element: Identifiable & Equatable & Sendable>: Sendable
where Element.ID: Sendable {
  private let elements: KeyedSequence<Element>
  private let row: @Sendable (Element) -> Row

  /// Declares rows.
  ///
  /// - Parameter row: Makes the row of an element, and depends on the element alone.
  public init(_ elements: KeyedSequence<Element>, row: @escaping @Sendable (Element) -> Row) {
    self.elements = elements
    self.row = row
  }
}

extension ForEach: RowList {
  var count: Int { elements.count }

  var rows: [Row] { elements.map(row) }

  func changes(since old: any RowList, rows: PersistentSequence<Row>, start: Int) -> [RowChange]? {
    guard let old = (old as? ForEach)?.elements.base else { return nil }
    let new = elements.base
    return new.changes(since: old).map { change in
      RowChange(
        range: change.old,
        rows: new.slots.elements(in: change.new).map { slot in
          // One that has only gone elsewhere keeps its row.
          if let place = old.index(of: slot.identifier), old.slots[place] == slot {
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
  enum Content {
    case rows([Row])
    case list(any RowList)
  }

  let content: Content
}

extension ListBuilder<RowPart> {
  public static func buildExpression(_ row: Row) -> [RowPart] {
    [RowPart(content: .rows([row]))]
  }

  /// Nothing, if there is no row.
  public static func buildExpression(_ row: Row?) -> [RowPart] {
    row.map { buildExpression($0) } ?? []
  }

  public static func buildExpression(_ rows: some Sequence<Row>) -> [RowPart] {
    [RowPart(content: .rows(Array(rows)))]
  }

  public static func buildExpression<Item>(_ list: ForEach<Item>) -> [RowPart] {
    [RowPart(content: .list(list))]
  }
}
