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
    title = try reader.nullableMember("title")?.shownText()
    rows = try reader.nullableMember("rows")?.formRows() ?? []
  }

  /// The section as `init(_:)` reads it.
  var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json, "rows": .array(rows.map(\.json))]
    members["title"] = title.map(JSONValue.string)
    return .object(members)
  }
}

extension FormOutline: FieldValue {
  /// The member `sections` of a form; every row is in its initial state.
  static var valueType: ValueType<FormOutline> {
    ValueType(
      schema: ["type": "array"], absent: FormOutline(),
      read: { (json) throws(JSONShapeError) in
        var outline = FormOutline()
        for element in try json.elements() { outline.sections.append(try FormSection(element)) }
        let fault: JSONShapeError?
        do throws(JSONShapeError) {
          try outline.check()
          fault = nil
        } catch {
          fault = error.within(json.pointer.tokens.dropLast())
        }
        if let fault { throw fault }
        outline.sort()
        return outline
      }, write: \.json)
  }

  /// The sections as they are read.
  var json: JSONValue { .array(sections.map(\.json)) }

  private mutating func sort() {
    for index in sections.indices { sections[index].rows = sections[index].rows.sortedByWeight }
  }
}

/// With what became of the rows.
extension FormSection: Codable {
  init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    try self.init(reader.omitting("rows"))
    rows = try reader.member("rows").decode([FormRow].self)
  }
}

/// With what became of the rows.
extension FormOutline: Codable {
  init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    sections = try reader.member("sections").decode([FormSection].self)
    do throws(JSONShapeError) {
      try check()
    } catch {
      throw reader.error(error.message)
    }
    sort()
  }
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

  /// A value for each row by its id; rows without one are left out.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  func byID<Value>(_ value: (PlacedRow) -> Value?) -> [ResourceID: Value] {
    allRows.reduce(into: [:]) { values, entry in values[entry.row.id] = value(entry) }
  }

  /// The field of a row.
  func field(_ id: ResourceID) -> FormField? { allRows.first { $0.row.id == id }?.row.field }

  /// Changes each row.
  mutating func changeAll(_ change: (inout FormRow) -> Void) {
    for index in sections.indices { sections[index].rows.changeAll(change) }
  }

  /// Changes the list that a row is in.
  ///
  /// - Returns: `false` if there is no such row.
  mutating func changeList(of id: ResourceID, _ change: (inout [FormRow], Int) -> Void) -> Bool {
    for index in sections.indices where sections[index].rows.changeList(of: id, change) {
      return true
    }
    return false
  }

  /// Changes the field of a row.
  subscript(field id: ResourceID) -> FormField {
    get { field(id) ?? .header(FormField.Header()) }
    set { _ = changeList(of: id) { $0[$1].field = newValue } }
  }

  /// The ids of the rows that may be shown: neither hidden, nor in a group that is, nor bound to a row that is
  /// hidden or has another value. Whether a group is collapsed does not count.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  var visible: Set<ResourceID> {
    let rows = byID { ($0.row, $0.group) }
    var known: [ResourceID: Bool] = [:]
    func isVisible(_ id: ResourceID) -> Bool {
      if let answer = known[id] { return answer }
      guard let (row, group) = rows[id] else { return false }
      let answer = (group.map(isVisible) ?? true) && isAllowed(row.visibility)
      known[id] = answer
      return answer
    }
    func isAllowed(_ visibility: Visibility) -> Bool {
      switch visibility {
      case .visible: true
      case .hidden: false
      case .when(let id, let value): isVisible(id) && rows[id]?.0.field.input?.answer == value
      }
    }
    return Set(rows.keys.filter(isVisible))
  }

  /// The ids of the rows that are never shown and whose values are sent all the same, as those of HTML's
  /// hidden inputs are: hidden for good, themselves or with a group, and filled in with something right. What
  /// is hidden only while another row has some value is not among them.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of rows.
  func carried(beside visible: Set<ResourceID>) -> Set<ResourceID> {
    var (hidden, carried): (Set<ResourceID>, Set<ResourceID>) = ([], [])
    // Groups come before the rows beneath them.
    for (row, _, group) in allRows {
      let isBeneathHidden = group.map(hidden.contains) ?? false
      let isHidden =
        switch row.visibility {
        case .visible: isBeneathHidden
        case .hidden: isBeneathHidden || group.map(visible.contains) ?? true
        case .when: false
        }
      guard isHidden else { continue }
      hidden.insert(row.id)
      if let input = row.field.input, input.isFilled, input.isValid { carried.insert(row.id) }
    }
    return carried
  }

  /// The rows that are shown, section by section, with their depths.
  var shown: [[(element: FormRow, depth: Int)]] {
    let visible = visible
    return sections.map { $0.rows.unfolded { visible.contains($0.id) } }
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
    let rows = allRows
    guard rows.count <= Self.mostRows else {
      throw JSONShapeError(["sections"], "a form has at most \(Self.mostRows) rows")
    }
    var fields: [ResourceID: FormField] = [:]
    for (row, place, _) in rows where fields.updateValue(row.field, forKey: row.id) != nil {
      throw JSONShapeError(place + ["id"], "another row has the id \(row.id)")
    }
    for (row, place, _) in rows {
      do throws(JSONShapeError) {
        try row.checkReferences(among: fields)
      } catch {
        throw error.within(place)
      }
      // Of the places of sections and rows, each group adds two.
      if place.count > 4 + 2 * FormRow.deepest {
        throw JSONShapeError(place, "groups are in at most \(FormRow.deepest) others")
      }
    }
    try checkVisibility(rows)
    guard json.canonicalBytes().count <= Self.mostBytes else {
      throw JSONShapeError(["sections"], "a form has at most \(Self.mostBytes) bytes")
    }
  }

  /// A row that is shown only while it is shown could never be, or never go.
  private func checkVisibility(_ rows: [PlacedRow]) throws(JSONShapeError) {
    let needs = byID { row, _, group -> [ResourceID] in
      if case .when(let other, _) = row.visibility { return [other] + (group.map { [$0] } ?? []) }
      return group.map { [$0] } ?? []
    }
    var settled: Set<ResourceID> = []
    for (row, place, _) in rows {
      // The rows that this one depends on, in a walk that ends if it comes to one again.
      var (open, under, trail): ([ResourceID?], Set<ResourceID>, [ResourceID]) = ([row.id], [], [])
      while let next = open.popLast() {
        guard let id = next else {
          if let done = trail.popLast() {
            under.remove(done)
            settled.insert(done)
          }
          continue
        }
        if settled.contains(id) { continue }
        guard under.insert(id).inserted else {
          throw JSONShapeError(
            place + ["visibility"], "whether \(id) is shown would depend on itself")
        }
        trail.append(id)
        open.append(nil)
        open += needs[id] ?? []
      }
    }
  }
}

extension FormRow {
  /// Checks that the rows which this one names are there, and can do what it needs of them.
  fileprivate func checkReferences(
    among fields: [ResourceID: FormField]
  ) throws(JSONShapeError) {
    if case .when(let id, let value) = visibility {
      guard let input = fields[id]?.input else {
        throw JSONShapeError(["visibility", "row"], "there is no row \(id) that has a value")
      }
      guard input.canAnswer(value) else {
        throw JSONShapeError(["visibility", "equals"], "\(id) never has this value")
      }
    }
    guard case .taxNumber(let rule) = field.input?.kind else { return }
    for (name, other) in rule.fills.sorted(by: { $0.key < $1.key }) {
      if other == id {
        throw JSONShapeError(["fills", name], "a row enters texts into others, not into itself")
      }
      guard fields[other]?.input?.kind.takesTexts == true else {
        throw JSONShapeError(
          ["fills", name], "there is no row \(other) that a text can be entered into")
      }
    }
  }
}
