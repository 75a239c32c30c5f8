import CanonicalJSON
import ViewState

/// The sections and rows of a form.
///
/// Ids are unique among all rows, however deep; lists of rows are in the order of their weights; rows that
/// others name are there; and no row is shown only while it is shown itself.
struct FormOutline: Equatable, Sendable {
  var sections: [FormSection] = []
}

/// A section of a form.
struct FormSection: Equatable, Sendable {
  /// Unique among the sections of the form.
  let id: ResourceID
  var title: Text?
  /// In the order of their weights.
  var rows: [FormRow]
}

// MARK: - The description

extension FormSection {
  /// Reads a section; its rows stay in the order in which they were written.
  ///
  /// - Throws: `JSONShapeError` for unknown members and a wrong one.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.rejectUnknownMembers(allowed: ["id", "title", "rows"])
    id = try .own(reader)
    title = try ValueType.shownText.optional.read("title", of: reader)
    rows = try reader.nullableMember("rows")?.formRows() ?? []
  }

  /// The section as `init(_:)` reads it.
  var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json, "rows": .array(rows.map(\.json))]
    members["title"] = title.map(JSONValue.string)
    return .object(members)
  }
}

extension FormSection: FieldValue {
  static let valueType = ValueType<FormSection>(
    schema: .objectSchema(
      [
        ("id", ValueType.descriptionID.schema, true),
        ("title", ValueType<Text>.shownText.schema, false),
        ("rows", ["type": "array", "items": FormRow.reference], false),
      ]),
    read: { (json) throws(JSONShapeError) in try FormSection(json) }, write: \.json)
}

extension FormOutline: FieldValue {
  /// The member `sections` of a form; every row is in its initial state.
  static var valueType: ValueType<FormOutline> {
    ValueType(
      schema: ["type": "array", "items": FormSection.valueType.schema],
      read: { (json) throws(JSONShapeError) in
        var outline = FormOutline()
        for element in try json.elements() { outline.sections.append(try FormSection(element)) }
        do throws(JSONShapeError) {
          try outline.check()
        } catch {
          throw error.within(json.pointer.tokens.dropLast())
        }
        for index in outline.sections.indices {
          outline.sections[index].rows = outline.sections[index].rows.sortedByWeight
        }
        return outline
      }, write: \.json
    ).defaulting(to: FormOutline())
  }

  /// The sections as they are read.
  var json: JSONValue { .array(sections.map(\.json)) }
}

/// As its description.
extension FormOutline: Codable {
  init(from decoder: any Decoder) throws {
    self = try Self.valueType.read(JSONReader(from: decoder))
  }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension JSONShapeError {
  /// A fault at a place.
  init(_ place: [Text], _ message: String) {
    self.init(pointer: JSONPointer(tokens: place), message: message)
  }

  /// The same fault as seen from further out.
  func within(_ tokens: some Sequence<Text>) -> JSONShapeError {
    JSONShapeError(Array(tokens) + pointer.tokens, message)
  }
}

// MARK: - Rows

extension FormOutline {
  /// All rows.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  var allRows: [PlacedRow] {
    sections.enumerated().flatMap { $1.rows.all(in: ["sections", "\($0)"]) }
  }

  /// All rows by their ids.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  var byID: [ResourceID: PlacedRow] { Dictionary(allRows.map { ($0.row.id, $0) }) { $1 } }

  /// Changes the list that a row is in.
  ///
  /// - Returns: `false` if there is no such row.
  mutating func changeList(of id: ResourceID, _ change: (inout [FormRow], Int) -> Void) -> Bool {
    for index in sections.indices where sections[index].rows.changeList(of: id, change) {
      return true
    }
    return false
  }
}

// MARK: - Checks

extension FormOutline {
  /// How much a form may have, so that its clients cannot fill the memory.
  static let (mostSections, mostRows, mostBytes) = (50, 200, 256 * 1024)

  /// Checks what holds for a form as a whole; places are those in its description.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  /// - Complexity: O(*n*) expected, where *n* is the size of the description.
  func check() throws(JSONShapeError) {
    guard sections.count <= Self.mostSections else {
      throw JSONShapeError(["sections"], "a form has at most \(Self.mostSections) sections")
    }
    var known: Set<ResourceID> = []
    for (index, section) in sections.enumerated() where !known.insert(section.id).inserted {
      throw JSONShapeError(
        ["sections", "\(index)", "id"], "another section has the id \(section.id)")
    }
    let (rows, byID) = (allRows, byID)
    guard rows.count <= Self.mostRows else {
      throw JSONShapeError(["sections"], "a form has at most \(Self.mostRows) rows")
    }
    known = []
    for (row, place, _) in rows where !known.insert(row.id).inserted {
      throw JSONShapeError(place + ["id"], "another row has the id \(row.id)")
    }
    let targets = byID.mapValues(\.row)
    for (row, place, _) in rows {
      try row.checkReferences(at: place, among: targets)
      // Of the places of sections and rows, each group adds two.
      if place.count > 4 + 2 * FormRow.deepest {
        throw JSONShapeError(place, "groups are in at most \(FormRow.deepest) others")
      }
    }
    try checkVisibility(rows, byID)
    guard json.canonicalBytes().count <= Self.mostBytes else {
      throw JSONShapeError(["sections"], "a form has at most \(Self.mostBytes) bytes")
    }
  }

  /// A row that is shown only while it is shown could never be, or never go.
  private func checkVisibility(
    _ rows: [PlacedRow], _ byID: [ResourceID: PlacedRow]
  ) throws(JSONShapeError) {
    var (open, settled): (Set<ResourceID>, Set<ResourceID>) = ([], [])
    var path: [PlacedRow] = []
    func visit(_ id: ResourceID) throws(JSONShapeError) {
      guard let (row, place, group) = byID[id], !settled.contains(id) else { return }
      guard open.insert(id).inserted else {
        // Groups alone are no cycle, so one of its rows depends on the value of another one.
        let conditional = path.drop { $0.row.id != id }.first { $0.row.visibility.row != nil }
        throw JSONShapeError(
          (conditional?.place ?? place) + ["visibility"],
          "whether \(id) is shown would depend on itself")
      }
      path.append((row, place, group))
      if let other = row.visibility.row { try visit(other) }
      if let group { try visit(group) }
      path.removeLast()
      open.remove(id)
      settled.insert(id)
    }
    for (row, _, _) in rows { try visit(row.id) }
  }
}

extension FormRow {
  /// Checks that the rows which this one names are there, and can do what it needs of them.
  fileprivate func checkReferences(
    at place: [Text], among rows: [ResourceID: FormRow]
  ) throws(JSONShapeError) {
    if case .when(let id, let value) = visibility {
      guard let input = rows[id]?.field.input else {
        throw JSONShapeError(
          place + ["visibility", "row"], "there is no row \(id) that has a value")
      }
      guard input.canAnswer(value) else {
        throw JSONShapeError(place + ["visibility", "equals"], "\(id) never has this value")
      }
    }
    guard case .taxNumber(let rule) = field.input?.kind else { return }
    for part in TaxNumberRule.Part.allCases {
      guard let other = rule.fills[part] else { continue }
      let place = place + ["fills", part.rawValue]
      if other == id {
        throw JSONShapeError(place, "a row enters texts into others, not into itself")
      }
      guard rows[other]?.field.input?.rule is any LineRule else {
        throw JSONShapeError(place, "there is no row \(other) that a text can be entered into")
      }
    }
  }
}
