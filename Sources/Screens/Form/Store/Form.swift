public import CanonicalJSON
import Forms
public import ViewState

/// A form as it is described: what is asked for, and in which order. What users enter is not part of it.
public struct Form: Equatable, Sendable {
  /// Unique among the forms, and the key of the form's screen.
  public let id: ResourceID
  public var title: Text = ""
  /// The sections and rows in their initial state.
  var outline = FormOutline()
}

/// Something that has happened with a form, such as that it was sent.
public struct ActivityEntry: Hashable, Sendable {
  /// Unique among the entries of one form.
  public let id: ResourceID
  /// When it happened.
  public var date = Timestamp(secondsSince1970: 0)
  /// What happened.
  public var text: Text = ""
  /// What was sent, if something was: the values of the fields by their ids.
  public var answers: JSONValue?
}

extension Form: Resource {
  public static let summary = "A form, without the values that users enter."
  public static let refusesUnknownMembers = true
  public static let fields = [
    Field("title", \Form.title, .shownText),
    Field("sections", \.outline, FormScreen.Kinds.kinds.outlineType),
  ]

  public init(id: ResourceID) { self.id = id }

  public var byteCount: Int { json.canonicalBytes().count }
}

extension ActivityEntry {
  public static let summary = "An entry of the activity of a form."
  public static let refusesUnknownMembers = true
  public static let fields = [
    Field("text", \ActivityEntry.text, .shownText),
    Field("answers", \.answers, document.optional), Field("date", \.date),
  ]

  public init(id: ResourceID) { self.id = id }

  public var byteCount: Int { json.canonicalBytes().count }

  private static let document = ValueType<JSONValue>(
    schema: [
      "type": "object",
      "description":
        .string(
          """
          The values of the fields by their ids, if the entry is a submitted form. At most \
          \(LongestText.document.grouped) bytes as canonical JSON.
          """),
    ],
    read: { (json) throws(JSONShapeError) in
      let document = JSONValue.object(try json.object())
      guard document.canonicalBytes().count <= LongestText.document else {
        throw json.error("expected at most \(LongestText.document) bytes of JSON")
      }
      return document
    }, write: { $0 })
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
