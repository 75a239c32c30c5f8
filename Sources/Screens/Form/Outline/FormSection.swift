public import CanonicalJSON
public import ViewState

/// A section of a form.
public struct FormSection: Equatable, Sendable {
  /// Unique among the sections of the form.
  public let id: ResourceID
  /// What stands above it, where anything does.
  public var title: Text?
  /// In the order of their weights.
  public var rows: [FormRow]

}

extension FormSection {
  /// Reads a section; its rows stay in the order in which they were written.
  ///
  /// - Throws: `JSONShapeError` for unknown members and a wrong one.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "title", "rows"])
    let member = try reader.member("id")
    id = try ResourceID(member)
    if RowFrame.reservedIDs.contains(id) { throw member.error("the screen itself uses this id") }
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

/// With what became of the rows.
extension FormSection: Codable {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    try self.init(reader.omitting("rows"))
    rows = try reader.member("rows").decode([FormRow].self)
  }
}
