import CanonicalJSON
public import ViewState

/// A row of a form with the rows in it.
public struct FormRow: Equatable, Sendable {
  /// The id, unique among the rows of the form. The shown row has the same id.
  public let id: ResourceID
  /// Rows are in the order of their weights, and those of one weight in the order in which they came.
  var weight = 0
  /// Whether it is shown.
  var visibility = Visibility.visible
  let field: FormField
  /// The rows in it, in the order of their weights.
  public internal(set) var children: [FormRow] = []

  /// The field; `nil` if the row has no value.
  public var input: InputField? { field.input }
}

extension FormRow: Foldable {
  /// Whether the row is collapsed at first.
  public var isCollapsed: Bool { field.group?.isCollapsed == true }
}

/// Whether a row of a form is shown.
enum Visibility: Hashable, Sendable {
  case visible
  case hidden
  /// Only while another row is shown and has this value.
  case when(RowValue)

  /// The other row and its value; `nil` if there is none.
  var condition: RowValue? {
    guard case .when(let condition) = self else { return nil }
    return condition
  }
}

/// A row and one of its values.
struct RowValue: Hashable, Sendable {
  var row: ResourceID = ""
  var value = JSONValue.null
}

// MARK: - The description

extension FormRow {
  /// How deep rows may be in groups.
  static let deepest = 8

  private static let frame = [
    Field(
      "weight", \FormRow.weight,
      ValueType.integer(-1_000_000...1_000_000).usually(0).described(
        "Rows are in the order of their weights. An operation that gives a row a place refuses one with a weight."
      )
    ),
    Field("visibility", \.visibility),
  ]

  /// Reads a row with those beneath it, which stay in the order in which they were written.
  ///
  /// - Throws: `JSONShapeError` for an unknown kind, unknown members, a wrong one, an id that the screen
  ///   itself uses, and rows that are too deep.
  init(_ reader: JSONReader, kinds: FormKinds, depth: Int = 0) throws(JSONShapeError) {
    let member = try reader.member("kind")
    let name = try member.string()
    guard let kind = kinds.all.first(where: { $0.name == name }) else {
      throw member.error("there are no rows of this kind")
    }
    try reader.rejectUnknownMembers(allowed: kind.memberNames)
    id = try kinds.id(reader)
    // Most rows of a form that users have arranged are those of its description.
    field = try CommonParts.value(of: reader.value, as: kind.type) { _ throws(JSONShapeError) in
      try kind.read(reader)
    }
    if !kinds.allowsWrongDefaults, let error = input?.initialError {
      throw try reader.member("default").error(error.text[.en].string)
    }
    for field in Self.frame { try field.read(reader, into: &self) }
    guard let list = try reader.nullableMember("rows") else { return }
    guard depth < Self.deepest else {
      throw list.error("groups are nested in at most \(Self.deepest) others")
    }
    children = try list.formRows(kinds, depth: depth + 1)
  }

  /// The row as `init(_:kinds:depth:)` reads it.
  var json: JSONValue {
    var members = field.members.merging([Text: JSONValue](Self.frame, of: self)) { $1 }
    (members["id"], members["kind"]) = (id.json, .string(field.kind))
    if !children.isEmpty { members["rows"] = .array(children.map(\.json)) }
    return .object(members)
  }

  static func members(_ kind: FormKinds.Kind) -> [MemberSchema] {
    let own: [MemberSchema] = [
      ("id", ValueType.descriptionID.schema, true), ("kind", ["const": .string(kind.name)], true),
    ]
    let rows: [MemberSchema] = [("rows", ["type": "array", "items": reference], false)]
    return own + kind.members + frame.map(\.memberSchema)
      + (kind.name == Group.kind ? rows : [])
  }

  /// Leads from the schema of the command `apply` to that of a row.
  static let reference: JSONValue = ["$ref": "#/properties/operations/$defs/row"]
}

extension Visibility: FieldValue {
  /// `"visible"`, `"hidden"` or `{"row": …, "equals": …}`.
  static var valueType: ValueType<Visibility> {
    ValueType(
      schema: [
        "oneOf": [
          ["enum": ["visible", "hidden"]],
          conditionType.schema,
        ],
        "description":
          "Always, never, or only while another row is shown and has this value, a number in English.",
      ],
      absent: .visible,
      read: { (json) throws(JSONShapeError) in
        switch json.value {
        case "visible": return .visible
        case "hidden": return .hidden
        case .object: return .when(try conditionType.read(json))
        default: throw json.error("expected \"visible\", \"hidden\" or an object")
        }
      },
      write: { visibility in
        switch visibility {
        case .visible: nil
        case .hidden: "hidden"
        case .when(let condition): conditionType.write(condition)
        }
      })
  }

  private static let conditionType = RowValue.type("equals")
}

extension RowValue {
  /// An object with the members `row` and, under another name, the value.
  static func type(_ name: Text) -> ValueType<RowValue> {
    ValueType(
      schema: .objectSchema([
        ("row", ValueType.descriptionID.schema, true),
        (name, ["type": ["boolean", "string"]], true),
      ]),
      read: { (json) throws(JSONShapeError) in
        try json.rejectUnknownMembers(allowed: ["row", name])
        let value = try json.member(name)
        switch value.value {
        case .bool, .string: break
        default: throw value.error("expected a boolean or a string, like the values of rows")
        }
        return RowValue(row: try ResourceID(json.member("row")), value: value.value)
      }, write: { ["row": $0.row.json, name: $0.value] })
  }

  /// Checks that the row exists and can have the value.
  func check(
    as name: Text, among rows: [ResourceID: FormRow], in place: [Text]
  ) throws(JSONShapeError) {
    guard let input = rows[row]?.input else {
      throw JSONShapeError(place + ["row"], "there is no row \(row) that has a value")
    }
    guard input.canAnswer(value) else {
      throw JSONShapeError(place + [name], "\(row) never has this value")
    }
  }
}

extension FormKinds {
  /// The id of a row or a section.
  func id(_ reader: JSONReader) throws(JSONShapeError) -> ResourceID {
    let member = try reader.member("id")
    let id = try ResourceID(member)
    if reservedIDs.contains(id) { throw member.error("the screen itself uses the id \(id)") }
    return id
  }
}

extension JSONReader {
  /// A list of rows, in the order in which they are written.
  func formRows(_ kinds: FormKinds, depth: Int = 0) throws(JSONShapeError) -> [FormRow] {
    var rows: [FormRow] = []
    for element in try elements() {
      rows.append(try FormRow(element, kinds: kinds, depth: depth))
    }
    return rows
  }
}

// MARK: - Lists of rows

extension [FormRow] {
  /// The rows in the order of their weights, as are those beneath them; those of one weight stay in their
  /// order.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows, those beneath them included.
  var sortedByWeight: [FormRow] {
    // The standard library's sort keeps the order of equals, but does not promise it.
    enumerated().sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }
      .map { $0.element.sorted }
  }

  /// The rows in the order in which they are, all of one weight.
  func weighing(_ weight: Int) -> [FormRow] { map { $0.sorted.weighing(weight) } }

  /// How many rows these are, those beneath them included.
  var rowCount: Int { reduce(0) { $0 + 1 + $1.children.rowCount } }

  /// Changes the list that a row is in.
  ///
  /// - Parameter change: Gets the list and the index of the row.
  /// - Returns: `false` if there is no such row.
  mutating func changeList(of id: ResourceID, _ change: (inout [FormRow], Int) -> Void) -> Bool {
    for index in indices {
      if self[index].id == id {
        change(&self, index)
        return true
      }
      if self[index].children.changeList(of: id, change) { return true }
    }
    return false
  }

  /// The rows with those beneath them, each with its place in the description and the id of its group.
  func all(in place: [Text] = [], beneath group: ResourceID? = nil) -> [PlacedRow] {
    enumerated().flatMap { index, row in
      let place = place + ["rows", "\(index)"]
      return [(row, place, group)] + row.children.all(in: place, beneath: row.id)
    }
  }

  /// Calls a function with each row and those beneath it. Groups come before the rows beneath them.
  func forEachRow(_ visit: (FormRow) -> Void) {
    for row in self {
      visit(row)
      row.children.forEachRow(visit)
    }
  }
}

/// A row, its place in the description, and the id of the group that it is in.
typealias PlacedRow = (row: FormRow, place: [Text], group: ResourceID?)

extension FormRow {
  /// The row with those beneath it in the order of their weights.
  var sorted: FormRow {
    var row = self
    row.children = children.sortedByWeight
    return row
  }

  func weighing(_ weight: Int) -> FormRow {
    var row = self
    row.weight = weight
    return row
  }
}
