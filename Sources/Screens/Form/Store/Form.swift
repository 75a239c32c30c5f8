public import CanonicalJSON
public import ViewState

/// A form as it is described: what is asked for, and in which order. What users enter is not part
/// of it.
public struct Form: Equatable, Sendable {
  /// Unique among the forms, and the key of the form's screen.
  public let id: ResourceID
  /// What stands above it.
  public var title: Text
  /// The sections and rows in their initial state.
  public var outline: FormOutline
}

extension Form: SizedResource {
  public var byteCount: Int { json.canonicalBytes().count }
}

extension Form {
  /// Reads a form with its sections and rows. Rows come in the order of their weights.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for unknown members and kinds, a wrong member, an id that is given
  ///   twice, a row that names one that is not there, and what is too large.
  public init(
    _ reader: JSONReader, assigned: ResourceID? = nil, limits: FormLimits = FormLimits()
  ) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "title", "sections"])
    id = try reader.resourceID("id", assigned: assigned)
    title = try reader.member("title").shownText()
    outline = try FormOutline(reader, limits: limits)
  }

  /// The form as `init(_:assigned:limits:)` reads it.
  public var json: JSONValue {
    .object(["id": id.json, "title": .string(title), "sections": outline.json])
  }
}

/// As `json`.
extension Form: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(JSONReader(from: decoder), limits: .none)
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
