import CanonicalJSON
import ViewState

/// What every row of a form has, whatever its kind.
struct RowFrame: Hashable, Sendable {
  /// Unique among the rows of the form, and the id of the row that is shown.
  let id: ResourceID
  /// Rows stand in the order of their weights, and those of one weight in the order in which they
  /// came.
  var weight: Int
  /// Whether it is shown.
  var visibility: Visibility

  static let members: Set<Text> = ["id", "kind", "weight", "visibility"]
  static let weights = -1_000_000...1_000_000

  /// The ids that the screen's own rows begin with.
  static let reservedIDs: Set<ResourceID> = ["form", "submission", "activity", "entry"]
}

extension RowFrame {
  /// Reads the members that all rows have.
  ///
  /// - Throws: `JSONShapeError` for a wrong one, and an id that the screen itself uses.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    let member = try reader.member("id")
    id = try ResourceID(member)
    if Self.reservedIDs.contains(id) { throw member.error("the screen itself uses this id") }
    weight = try reader.nullableMember("weight")?.integer(in: Self.weights) ?? 0
    visibility = try reader.nullableMember("visibility").map(Visibility.init) ?? .visible
  }

  /// The members as `init(_:)` reads them.
  var json: [Text: JSONValue] {
    var members: [Text: JSONValue] = ["id": id.json]
    if weight != 0 { members["weight"] = .integer(weight) }
    members["visibility"] = visibility.json
    return members
  }
}
