public import CanonicalJSON
import Snapshots
public import ViewState

/// The sections and rows of a form, without the values that users enter.
///
/// Ids are unique among all rows, however deep. The rows of each list are in the order of their weights. If a row
/// names another row, that row exists. The visibility of a row never depends on the row itself.
public struct FormOutline: Sendable {
  var sections: [FormSection] = [] { didSet { listed = Deferred() } }
  /// The rows, listed for the first who asks. Copies share the list until their sections change. An initializer must not
  /// ask before the sections are complete, because it does not call `didSet`.
  private var listed = Deferred<OutlineRows>()

  /// Creates an outline without sections. ``FormKinds`` reads outlines from descriptions.
  public init() {}
}

extension FormOutline: Equatable {
  public static func == (left: FormOutline, right: FormOutline) -> Bool {
    left.isIdentical(to: right) || left.sections == right.sections
  }

  /// Returns whether one is a copy of the other. Equal outlines may differ in how their ids are written.
  func isIdentical(to other: FormOutline) -> Bool { listed === other.listed }
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
  init(_ reader: JSONReader, kinds: FormKinds) throws(JSONShapeError) {
    try reader.rejectUnknownMembers(allowed: ["id", "title", "rows"])
    id = try kinds.id(reader)
    title = try ValueType.label.optional.read("title", of: reader)
    rows = try reader.nullableMember("rows")?.formRows(kinds) ?? []
  }

  /// The section as `init(_:kinds:)` reads it.
  var json: JSONValue {
    var members: [Text: JSONValue] = ["id": id.json, "rows": .array(rows.map(\.json))]
    members["title"] = title.map(JSONValue.string)
    return .object(members)
  }
}

extension FormOutline {
  /// Reads a list of sections; every row is in its initial state.
  init(_ json: JSONReader, kinds: FormKinds) throws(JSONShapeError) {
    // More would be read whole before they are refused, while other inputs wait.
    guard json.value.rowCount <= Self.mostRows else {
      throw json.error(Self.tooManyRows)
    }
    for element in try json.elements() { sections.append(try FormSection(element, kinds: kinds)) }
    do throws(JSONShapeError) {
      try check()
    } catch {
      // The check says `sections` for the list, wherever it was read.
      throw JSONShapeError(json.pointer.tokens + error.pointer.tokens.dropFirst(), error.message)
    }
    for index in sections.indices { sections[index].rows = sections[index].rows.sortedByWeight }
  }

  /// The sections as JSON, in the form in which they are read.
  public var json: JSONValue { .array(sections.map(\.json)) }
}

// MARK: - Rows

extension FormOutline {
  /// All rows with their places in the description, which take longer to make than ``rows``.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  var allRows: [PlacedRow] {
    sections.enumerated().flatMap { $1.rows.all(in: ["sections", "\($0)"]) }
  }

  /// All rows.
  ///
  /// - Complexity: O(*n*) expected for the first call, where *n* is the number of rows, and O(1) for each other one.
  var rows: OutlineRows { listed.value { OutlineRows(of: sections) } }

  /// Returns the row with an id.
  ///
  /// - Complexity: O(*n*) expected for the first call, where *n* is the number of rows, and O(1) for each other one.
  public func row(_ id: ResourceID) -> FormRow? { rows[id] }

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
  /// The largest number of sections of a form, so that clients cannot fill the memory.
  public static let mostSections = 50
  /// The largest number of rows of a form.
  public static let mostRows = 200
  private static let tooManyRows = "a form has at most \(mostRows) rows"
  /// The largest size of the description of a form as canonical JSON, in bytes.
  public static let mostBytes = 256 * 1024

  /// Checks what holds for a form as a whole; places are those in its description.
  ///
  /// - Throws: `JSONShapeError` at the first error.
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
      throw JSONShapeError(["sections"], Self.tooManyRows)
    }
    known = []
    for (row, place, _) in rows where !known.insert(row.id).inserted {
      throw JSONShapeError(place + ["id"], "another row has the id \(row.id)")
    }
    let targets = Dictionary(rows.map { ($0.row.id, $0.row) }) { one, _ in one }
    for (row, place, _) in rows {
      try row.checkReferences(at: place, among: targets)
      // Of the places of sections and rows, each group adds two.
      if place.count > 4 + 2 * FormRow.deepest {
        throw JSONShapeError(place, "groups are nested in at most \(FormRow.deepest) others")
      }
    }
    try checkVisibility(rows)
    try checkSize(at: ["sections"])
  }

  /// Checks the size of the description.
  ///
  /// - Parameter place: The place of what may make it too large.
  /// - Throws: `JSONShapeError` if it is too large.
  func checkSize(at place: [Text]) throws(JSONShapeError) {
    guard json.canonicalByteCount <= Self.mostBytes else {
      throw JSONShapeError(place, "a form has at most \(Self.mostBytes) bytes")
    }
  }

  /// Checks that the visibility of no row depends on itself: such a row would never appear, or never go.
  private func checkVisibility(_ rows: [PlacedRow]) throws(JSONShapeError) {
    let byID = Dictionary(rows.map { ($0.row.id, $0) }) { $1 }
    var (open, settled): (Set<ResourceID>, Set<ResourceID>) = ([], [])
    var path: [PlacedRow] = []
    func visit(_ id: ResourceID) throws(JSONShapeError) {
      guard let (row, place, group) = byID[id], !settled.contains(id) else { return }
      guard open.insert(id).inserted else {
        // Groups alone are no cycle, so one of its rows depends on the value of another one.
        let conditional = path.drop { $0.row.id != id }.first { $0.row.visibility.condition != nil }
        throw JSONShapeError(
          (conditional?.place ?? place) + ["visibility"],
          "whether \(id) is shown would depend on itself")
      }
      path.append((row, place, group))
      if let other = row.visibility.condition?.row { try visit(other) }
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
    do throws(JSONShapeError) {
      try visibility.condition?.check(as: "equals", among: rows, in: ["visibility"])
      try field.checkReferences(of: id, among: rows)
    } catch {
      throw error.within(place)
    }
  }
}

extension JSONValue {
  /// The number of rows in sections, groups or operations that this value describes.
  var rowCount: Int {
    switch self {
    case .array(let elements): elements.reduce(0) { $0 + $1.rowCount }
    case .object(let members):
      // Other rows have no rows in them, but may have members of that name.
      if let kind = members["kind"], kind != .string(Group.kind) {
        0
      } else {
        members.reduce(0) { count, member in
          guard member.key == "rows", case .array(let rows) = member.value else {
            return count + member.value.rowCount
          }
          return count + rows.count + member.value.rowCount
        }
      }
    case .null, .bool, .integer, .number, .string: 0
    }
  }
}
