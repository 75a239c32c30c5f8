import CanonicalJSON
import ViewState

extension FormOutline {
  /// Does all operations, in their order.
  ///
  /// - Throws: `JSONShapeError` with a place from the list of operations on; the outline is not to
  ///   be used then.
  /// - Complexity: O(*m* · *n*), where *m* is the number of operations and *n* that of rows.
  mutating func apply(
    _ operations: [FormOperation], limits: FormLimits
  ) throws(JSONShapeError) {
    for (index, operation) in operations.enumerated() {
      do throws(JSONShapeError) {
        try apply(operation)
      } catch {
        throw error.within(["operations", "\(index)"])
      }
    }
    // What a batch only passes through is nobody's concern.
    do throws(JSONShapeError) {
      try check(against: limits)
    } catch {
      throw JSONShapeError(["operations"], error.message)
    }
  }

  private mutating func apply(_ operation: FormOperation) throws(JSONShapeError) {
    switch operation {
    case .insertBefore(let rows, row: let anchor):
      try insert(rows, beside: anchor, offset: 0)
    case .insertAfter(let rows, row: let anchor):
      try insert(rows, beside: anchor, offset: 1)
    case .insertAtStart(let rows, let container):
      try insert(rows, in: container ?? firstSection) { list in
        list.insert(contentsOf: rows.placed(list.first?.weight ?? 0), at: 0)
      }
    case .insertAtEnd(let rows, let container):
      try insert(rows, in: container ?? lastSection) { list in
        list += rows.placed(list.last?.weight ?? 0)
      }
    case .append(let rows, let container):
      try insert(rows, in: container ?? lastSection) { list in
        for row in rows { list.insert(row.sorted, at: list.place(forWeight: row.weight)) }
      }
    case .replace(let id, let row): try replace(id, with: row)
    case .swap(let id, let other): try swap(id, other)
    case .remove(let ids): try remove(ids)
    case .clear(let container): try clear(container)
    case .insertSectionBefore(let section, section: let anchor):
      try insert(section, beside: anchor, offset: 0)
    case .insertSectionAfter(let section, section: let anchor):
      try insert(section, beside: anchor, offset: 1)
    case .removeSection(let id):
      sections.remove(at: try index(of: id, ["section"]))
    }
  }

  private mutating func insert(
    _ rows: [FormRow], beside anchor: ResourceID, offset: Int
  ) throws(JSONShapeError) {
    let path = try path(of: anchor, ["row"])
    try checkNew(rows, ["rows"])
    changeSiblings(of: path) { list, place in
      list.insert(contentsOf: rows.placed(list[place].weight), at: place + offset)
    }
  }

  private mutating func insert(
    _ rows: [FormRow], in container: RowContainer?, _ insert: (inout [FormRow]) -> Void
  ) throws(JSONShapeError) {
    guard let container else {
      throw JSONShapeError(["section"], "the form has no section that rows could go to")
    }
    try checkNew(rows, ["rows"])
    try change(container, insert)
  }

  private mutating func replace(
    _ id: ResourceID, with row: FormRow
  ) throws(JSONShapeError) {
    let path = try path(of: id, ["row"])
    var others = self
    others.changeSiblings(of: path) { list, place in list.remove(at: place) }
    try others.checkNew([row], ["with"], isList: false)
    let weight = self[path].weight
    self[path] = row.sorted.weighing(weight)
  }

  private mutating func swap(_ id: ResourceID, _ other: ResourceID) throws(JSONShapeError) {
    let (path, otherPath) = (try path(of: id, ["row"]), try path(of: other, ["other"]))
    if path.contains(otherPath) || otherPath.contains(path) {
      throw JSONShapeError(
        ["other"], id == other ? "a row has one place" : "one of the rows stands beneath the other")
    }
    // Neither path leads through the other, so both hold while the two are written.
    let (row, otherRow) = (self[path], self[otherPath])
    self[path] = otherRow.weighing(row.weight)
    self[otherPath] = row.weighing(otherRow.weight)
  }

  private mutating func remove(_ ids: [ResourceID]) throws(JSONShapeError) {
    for (index, id) in ids.enumerated() {
      let path = try path(of: id, ["ids", "\(index)"])
      changeSiblings(of: path) { list, place in list.remove(at: place) }
    }
  }

  private mutating func clear(_ container: RowContainer?) throws(JSONShapeError) {
    if let container {
      try change(container) { $0 = [] }
    } else {
      for index in sections.indices { sections[index].rows = [] }
    }
  }

  private mutating func insert(
    _ section: FormSection, beside anchor: ResourceID, offset: Int
  ) throws(JSONShapeError) {
    let place = try index(of: anchor, ["section"])
    if sections.contains(where: { $0.id == section.id }) {
      throw JSONShapeError(["newSection", "id"], "another section has the id \(section.id)")
    }
    try checkNew(section.rows, ["newSection", "rows"])
    var section = section
    section.rows = section.rows.sortedByWeight
    sections.insert(section, at: place + offset)
  }
}

extension FormOutline {
  private var firstSection: RowContainer? { sections.first.map { .section($0.id) } }
  private var lastSection: RowContainer? { sections.last.map { .section($0.id) } }

  private func path(
    of id: ResourceID, _ place: [Text]
  ) throws(JSONShapeError) -> OutlinePath {
    guard let path = path(of: id) else { throw JSONShapeError(place, "there is no row \(id)") }
    return path
  }

  private func index(of id: ResourceID, _ place: [Text]) throws(JSONShapeError) -> Int {
    guard let index = sections.firstIndex(where: { $0.id == id }) else {
      throw JSONShapeError(place, "there is no section \(id)")
    }
    return index
  }

  private mutating func change(
    _ container: RowContainer, _ change: (inout [FormRow]) -> Void
  ) throws(JSONShapeError) {
    switch container {
    case .section(let id):
      change(&sections[try index(of: id, ["section"])].rows)
    case .group(let id):
      let path = try path(of: id, ["group"])
      guard self[path].generator.canHoldRows else {
        throw JSONShapeError(["group"], "\(id) is no group")
      }
      change(&self[path].children)
    }
  }

  /// Refuses ids that are there already, or twice among the new rows.
  private func checkNew(
    _ rows: [FormRow], _ place: [Text], isList: Bool = true
  ) throws(JSONShapeError) {
    var known = Set(allRows.map(\.row.id))
    // The list's own name stands in `place` already.
    for (row, rest, _) in rows.all(in: [], beneath: nil) where !known.insert(row.id).inserted {
      let tokens = place + rest.dropFirst(isList ? 1 : 2) + ["id"]
      throw JSONShapeError(tokens, "another row has the id \(row.id)")
    }
  }
}

extension RowGenerator {
  fileprivate var canHoldRows: Bool { Self.holdsRows }
}

extension FormRow {
  fileprivate func weighing(_ weight: Int) -> FormRow {
    var row = self
    row.generator.frame.weight = weight
    return row
  }
}

extension [FormRow] {
  /// The rows as they stand where all weigh the same.
  fileprivate func placed(_ weight: Int) -> [FormRow] { map { $0.sorted.weighing(weight) } }
}
