import CanonicalJSON
import ViewState

/// A change of the rows of a form. It gives a place by the id of a neighbour or of a list, never by a number.
///
/// The rows of a list are always in the order of their weights. An appended row comes after all rows that are not
/// heavier. A row with a given place takes the weight of its neighbour, of the first or last row of the list, or of
/// the row that it replaces.
public struct FormOperation: Sendable {
  typealias Change = @Sendable (inout FormOutline) throws(JSONShapeError) -> Void

  /// The largest number of operations in one command.
  public static let mostInCommand = 200
  static let tooManyRows = "expected at most \(FormOutline.mostRows) rows in all operations"

  /// The rows that it brings.
  let rows: [FormRow]
  let change: Change
  /// As a client sent it.
  private(set) var json: JSONValue = .null

  fileprivate init(_ rows: [FormRow] = [], change: @escaping Change) {
    self.rows = rows
    self.change = change
  }
}

extension FormOperation {
  /// The type of operations with rows of some kinds.
  static func valueType(_ kinds: FormKinds) -> ValueType<FormOperation> {
    let type = ValueType.variants("operation", variants(kinds), write: \.json)
    return ValueType(
      schema: type.schema,
      read: { (json) throws(JSONShapeError) in
        var operation = try type.read(json)
        operation.json = json.value
        return operation
      }, write: { type.write($0) })
  }

  /// The names of the operations.
  static var names: [Text] { variants(.standard).map(\.name) }

  private static func variants(_ kinds: FormKinds) -> [Variant<FormOperation>] {
    let row = ValueType(
      schema: FormRow.reference,
      read: { (json) throws(JSONShapeError) in try FormRow(json, kinds: kinds) }, write: \.json)
    let placedRow = ValueType(
      schema: FormRow.reference,
      read: { (json) throws(JSONShapeError) in
        if let weight = try json.nullableMember("weight") {
          throw weight.error("the row is given a place, which decides its weight")
        }
        return try row.read(json)
      }, write: \.json)
    func id(_ name: Text) -> Argument<ResourceID> { Argument(name, .descriptionID) }
    let placed = Argument("rows", .list(of: placedRow, atMost: nil))
    let rows = Argument("rows", .list(of: row, atMost: nil))
    let (anchor, section) = (id("row"), id("section"))
    let list = (Argument.optional(section), Argument.optional(id("group")))
    let newSection = Argument("newSection", kinds.section)
    return [
      Variant("insertBefore", placed, anchor) { rows, row in .inserting(rows, beside: row, 0) }
        .described("Inserts rows before another row, in its section or group."),
      Variant("insertAfter", placed, anchor) { rows, row in .inserting(rows, beside: row, 1) }
        .described("Inserts rows after another row, in its section or group."),
      Variant("insertAtStart", placed, list.0, list.1) { rows, section, group in
        .inserting(rows, section, group, or: \.first) {
          $0.insert(contentsOf: rows.weighing($0.first?.weight ?? 0), at: 0)
        }
      }.described("Inserts rows at the start of a section, by default the first, or of a group."),
      Variant("insertAtEnd", placed, list.0, list.1) { rows, section, group in
        .inserting(rows, section, group, or: \.last) {
          $0 += rows.weighing($0.last?.weight ?? 0)
        }
      }.described("Inserts rows at the end of a section, by default the last, or of a group."),
      Variant("append", rows, list.0, list.1) { rows, section, group in
        .inserting(rows, section, group, or: \.last) { $0 = ($0 + rows).sortedByWeight }
      }.described(
        "Inserts rows by their weights, in a section, by default the last, or in a group."),
      Variant("replace", anchor, Argument("with", placedRow)) { id, row in
        FormOperation([row]) { (outline) throws(JSONShapeError) in
          try outline.replace(id, with: row)
        }
      }.described(
        "Replaces a row by another one. A row of the same id and kind keeps the value that was entered."
      ),
      Variant("swap", anchor, id("other")) { row, other in
        FormOperation { (outline) throws(JSONShapeError) in try outline.swap(row, other) }
      }.described("Exchanges the places and weights of two rows, with the rows of groups."),
      Variant("remove", Argument("ids", .list(of: .descriptionID, atMost: nil))) { ids in
        FormOperation { (outline) throws(JSONShapeError) in
          for (index, id) in ids.enumerated() {
            try outline.changeList(of: id, ["ids", "\(index)"]) { $0.remove(at: $1) }
          }
        }
      }.described("Removes rows, with the rows of groups."),
      Variant("clear", list.0, list.1) { section, group in
        FormOperation { (outline) throws(JSONShapeError) in
          if section == nil, group == nil {
            for index in outline.sections.indices { outline.sections[index].rows = [] }
          } else {
            try outline.changeList(section, group) { $0 = [] }
          }
        }
      }.described("Removes the rows of a section, of a group, or of all sections."),
      Variant("appendSection", newSection) { new in
        .inserting(new) { (outline) throws(JSONShapeError) in outline.sections.count }
      }.described("Inserts a section after all others, also into a form without sections."),
      Variant("insertSectionBefore", newSection, section) { new, section in
        .inserting(new) { (outline) throws(JSONShapeError) in try outline.index(of: section) }
      }.described("Inserts a section before another one."),
      Variant("insertSectionAfter", newSection, section) { new, section in
        .inserting(new) { (outline) throws(JSONShapeError) in try outline.index(of: section) + 1 }
      }.described("Inserts a section after another one."),
      Variant("renameSection", section, Argument("title", .label)) { .naming($0, $1) }
        .described("Gives a section another title."),
      Variant("clearTitle", section) { .naming($0, nil) }
        .described("Takes the title of a section away."),
      Variant("removeSection", section) { id in
        FormOperation { (outline) throws(JSONShapeError) in
          outline.sections.remove(at: try outline.index(of: id))
        }
      }.described("Removes a section with its rows."),
    ]
  }
}

extension FormOperation {
  fileprivate static func inserting(
    _ rows: [FormRow], beside row: ResourceID, _ offset: Int
  ) -> FormOperation {
    FormOperation(rows) { (outline) throws(JSONShapeError) in
      let known = outline
      try outline.changeList(of: row, ["row"]) { list, index in
        list.insert(contentsOf: rows.weighing(list[index].weight), at: index + offset)
      }
      try known.checkNew(rows.all(), ["rows"])
    }
  }

  fileprivate static func inserting(
    _ rows: [FormRow], _ section: ResourceID?, _ group: ResourceID?,
    or usual: @escaping @Sendable ([FormSection]) -> FormSection?,
    _ insert: @escaping @Sendable (inout [FormRow]) -> Void
  ) -> FormOperation {
    FormOperation(rows) { (outline) throws(JSONShapeError) in
      let section = group == nil ? section ?? usual(outline.sections)?.id : section
      try outline.checkNew(rows.all(), ["rows"])
      try outline.changeList(section, group, insert)
    }
  }

  fileprivate static func naming(_ section: ResourceID, _ title: Text?) -> FormOperation {
    FormOperation { (outline) throws(JSONShapeError) in
      outline.sections[try outline.index(of: section)].title = title
    }
  }

  fileprivate static func inserting(
    _ section: FormSection,
    at index: @escaping @Sendable (FormOutline) throws(JSONShapeError) -> Int
  ) -> FormOperation {
    FormOperation(section.rows) { (outline) throws(JSONShapeError) in
      let index = try index(outline)
      if outline.sections.contains(where: { $0.id == section.id }) {
        throw JSONShapeError(["newSection", "id"], "another section has the id \(section.id)")
      }
      try outline.checkNew(section.rows.all(), ["newSection", "rows"])
      var section = section
      section.rows = section.rows.sortedByWeight
      outline.sections.insert(section, at: index)
    }
  }
}

extension FormOutline {
  /// Does all operations, in their order.
  ///
  /// - Throws: `JSONShapeError` with a place from the arguments of the command on; the outline is not to be
  ///   used then.
  /// - Complexity: O(*m* · *n* · *d*), where *m* is the number of operations, *n* that of rows, and *d* the depth of
  ///   groups, which is only checked at the end.
  mutating func apply(_ operations: [FormOperation]) throws(JSONShapeError) {
    // Each operation looks at all rows there are, so what a batch passes through is bounded, too.
    guard operations.reduce(0, { $0 + $1.rows.rowCount }) <= Self.mostRows else {
      throw JSONShapeError(["operations"], FormOperation.tooManyRows)
    }
    for (index, operation) in operations.enumerated() {
      do throws(JSONShapeError) {
        try operation.change(&self)
      } catch {
        throw error.within(["operations", "\(index)"])
      }
    }
    // What a batch only passes through does not count.
    do throws(JSONShapeError) {
      try check()
    } catch {
      throw JSONShapeError(["operations"], error.message)
    }
  }

  fileprivate func index(of section: ResourceID) throws(JSONShapeError) -> Int {
    guard let index = sections.firstIndex(where: { $0.id == section }) else {
      throw JSONShapeError(["section"], "there is no section \(section)")
    }
    return index
  }

  /// Changes the list that a row is in.
  ///
  /// - Parameter place: Where the operation names the row.
  fileprivate mutating func changeList(
    of id: ResourceID, _ place: [Text], _ change: (inout [FormRow], Int) -> Void
  ) throws(JSONShapeError) {
    guard changeList(of: id, change) else { throw .missing(id, in: place) }
  }

  /// Changes the rows of a section or those beneath a group.
  fileprivate mutating func changeList(
    _ section: ResourceID?, _ group: ResourceID?, _ change: (inout [FormRow]) -> Void
  ) throws(JSONShapeError) {
    if let group {
      if section != nil { throw JSONShapeError(["group"], "name a section or a group, not both") }
      if let row = row(group), row.field.group == nil {
        throw JSONShapeError(["group"], "\(group) is not a group")
      }
      try changeList(of: group, ["group"]) { change(&$0[$1].children) }
    } else if let section {
      change(&sections[try index(of: section)].rows)
    } else {
      throw JSONShapeError(["section"], "the form has no section for the rows")
    }
  }

  fileprivate mutating func replace(
    _ id: ResourceID, with row: FormRow
  ) throws(JSONShapeError) {
    var others = self
    try others.changeList(of: id, ["row"]) { $0.remove(at: $1) }
    // The place of a list's only element is that of the row itself.
    try others.checkNew([row].all().map { ($0, Array($1.dropFirst(2)), $2) }, ["with"])
    _ = changeList(of: id) { $0[$1] = row.sorted.weighing($0[$1].weight) }
  }

  fileprivate mutating func swap(_ id: ResourceID, _ other: ResourceID) throws(JSONShapeError) {
    guard let row = row(id) else { throw .missing(id, in: ["row"]) }
    guard let otherRow = self.row(other) else { throw .missing(other, in: ["other"]) }
    if [row].all().contains(where: { $0.row.id == other })
      || [otherRow].all().contains(where: { $0.row.id == id })
    {
      throw JSONShapeError(
        ["other"],
        id == other ? "a row cannot be swapped with itself" : "one of the rows is beneath the other"
      )
    }
    // The two are never in a list at once with one id: the first makes room before the second comes.
    _ = changeList(of: id) { $0[$1] = FormRow(id: Self.swapping, field: row.field) }
    _ = changeList(of: other) { $0[$1] = row.weighing(otherRow.weight) }
    _ = changeList(of: Self.swapping) { $0[$1] = otherRow.weighing(row.weight) }
  }

  /// An id that no row can have.
  private static let swapping: ResourceID = "/"

  /// Refuses ids that are there already, or twice among new rows.
  fileprivate func checkNew(_ rows: [PlacedRow], _ place: [Text]) throws(JSONShapeError) {
    var known: Set<ResourceID> = []
    // Without their places, which take longer to make than the rest.
    for section in sections { section.rows.forEachRow { known.insert($0.id) } }
    for (row, rest, _) in rows where !known.insert(row.id).inserted {
      // The name of the list is the last of `place`.
      let rest = place.last == "rows" ? rest.dropFirst() : rest[...]
      throw JSONShapeError(place + rest + ["id"], "another row has the id \(row.id)")
    }
  }
}

extension JSONShapeError {
  fileprivate static func missing(_ row: ResourceID, in place: [Text]) -> JSONShapeError {
    JSONShapeError(place, "there is no row \(row)")
  }
}
