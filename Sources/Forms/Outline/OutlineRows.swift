import CanonicalJSON
import ViewState

/// All rows of an outline, each with its place among the others.
struct OutlineRows: Sendable {
  /// A row and its place.
  struct Entry: Sendable {
    let row: FormRow
    /// The index of its section.
    let section: Int
    /// The index of its group, which comes before it; `nil` if it is in none.
    let group: Int?
    /// The number of groups around it.
    let depth: Int
    /// What must hold for other rows if the row is visible.
    fileprivate var demands: [Demand] = []
  }

  /// Another row must be visible, and have a value or not have it.
  fileprivate struct Demand: Sendable {
    /// The index of the other row; `nil` if there is none.
    let row: Int?
    let value: JSONValue
    let isWanted: Bool
  }

  /// The rows in their order: groups come before the rows beneath them.
  private(set) var entries: [Entry] = []
  private var indices: [ResourceID: Int] = [:]

  init(of sections: [FormSection]) {
    for (section, rows) in sections.map(\.rows).enumerated() { add(rows, section, in: nil, 0) }
    for index in entries.indices { entries[index].demands = demands(of: entries[index].row) }
  }

  private mutating func add(_ rows: [FormRow], _ section: Int, in group: Int?, _ depth: Int) {
    for row in rows {
      let index = entries.count
      entries.append(Entry(row: row, section: section, group: group, depth: depth))
      indices[row.id] = index
      add(row.children, section, in: index, depth + 1)
    }
  }

  private func demands(of row: FormRow) -> [Demand] {
    var demands: [Demand] = []
    func demand(_ value: RowValue, _ isWanted: Bool) {
      demands.append(Demand(row: indices[value.row], value: value.value, isWanted: isWanted))
    }
    if let condition = row.visibility.condition { demand(condition, true) }
    if let offer = row.field.content(of: Offer.self) { demand(offer.entry, false) }
    return demands
  }

  /// The memory of the list, in bytes: the rows with their places, and two slots of a table for each.
  var byteCount: Int {
    let slot = MemoryLayout<ResourceID>.stride + MemoryLayout<Int>.stride
    return entries.count * (MemoryLayout<Entry>.stride + 2 * slot)
  }

  /// Returns the index of the row with an id.
  func index(of id: ResourceID) -> Int? { indices[id] }

  /// The row with an id.
  subscript(id: ResourceID) -> FormRow? { indices[id].map { entries[$0].row } }

  /// Returns for each row whether it is visible: whether it is hidden neither by itself, nor with its group, nor by a
  /// condition.
  ///
  /// - Parameter has: Returns whether a row has a value of the description.
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func areVisible(_ has: (FormRow, JSONValue) -> Bool) -> [Bool] {
    var known = [Bool?](repeating: nil, count: entries.count)
    return entries.indices.map { isVisible($0, has, &known) }
  }

  /// Returns whether a row is visible, without a look at the rows on which that does not depend; see ``areVisible(_:)``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func isVisible(_ index: Int, _ has: (FormRow, JSONValue) -> Bool) -> Bool {
    var known = [Bool?](repeating: nil, count: entries.count)
    return isVisible(index, has, &known)
  }

  private func isVisible(
    _ index: Int, _ has: (FormRow, JSONValue) -> Bool, _ known: inout [Bool?]
  ) -> Bool {
    if let known = known[index] { return known }
    var answer = entries[index].row.visibility != .hidden
    if answer, let group = entries[index].group { answer = isVisible(group, has, &known) }
    for demand in entries[index].demands where answer {
      guard let row = demand.row, isVisible(row, has, &known) else {
        answer = false
        break
      }
      answer = has(entries[row].row, demand.value) == demand.isWanted
    }
    known[index] = answer
    return answer
  }
}
