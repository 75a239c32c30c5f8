public import CanonicalJSON
public import ViewState

/// Something that has happened with a form, such as that it was sent.
public struct ActivityEntry: Codable, Hashable, Sendable, Identifiable {
  /// Unique among the entries of one form.
  public let id: ResourceID
  /// When it happened.
  public let date: Timestamp
  /// What happened.
  public let text: Text
  /// What was sent, where something was: the values of the fields by their ids.
  public let answers: JSONValue?
}

extension ActivityEntry: SizedResource {
  public var byteCount: Int { json.canonicalBytes().count }
}

extension ActivityEntry: Pageable {
  /// The newest entry first; of one moment, that of the greater number.
  public struct Position: Codable, Comparable, Hashable, Sendable {
    let date: Timestamp
    let id: ResourceID

    public static func < (left: Position, right: Position) -> Bool {
      if left.date != right.date { return left.date > right.date }
      let (leftText, rightText) = (left.id.text, right.id.text)
      return (leftText.byteCount, leftText) > (rightText.byteCount, rightText)
    }
  }

  public var position: Position { Position(date: date, id: id) }
}

extension ActivityEntry {
  /// Reads an entry.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for unknown members, a missing or wrong one, and what is too long.
  public init(_ reader: JSONReader, assigned: ResourceID? = nil) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "date", "text", "answers"])
    id = try reader.resourceID("id", assigned: assigned)
    text = try reader.member("text").shownText()
    answers = try reader.nullableMember("answers")?.document()
    let member = try reader.member("date")
    guard let date = Timestamp(try member.string().string) else {
      throw member.error("expected an ISO 8601 date")
    }
    self.date = date
  }

  /// The entry as `init(_:assigned:)` reads it.
  public var json: JSONValue {
    var members: [Text: JSONValue] = [
      "id": id.json, "date": .string(date.description), "text": .string(text),
    ]
    members["answers"] = answers
    return .object(members)
  }
}
