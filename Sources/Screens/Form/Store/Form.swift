public import CanonicalJSON
import Forms
public import ViewState

/// The description of a form: its fields and their order, without the values that users enter.
public struct Form: Equatable, Sendable {
  /// The id, unique among the forms, which is also the key of the view model.
  public let id: ResourceID
  public var title: Text = ""
  /// The sections and rows in their initial state.
  var outline = FormOutline()
}

/// An event of a form, such as its submission.
public struct ActivityEntry: Hashable, Sendable {
  /// The id, unique among the entries of one form.
  public let id: ResourceID
  /// The time of the event.
  public var date = Timestamp(secondsSince1970: 0)
  /// The event, in a sentence for people.
  public var text: Text = ""
  /// The submitted values, by the ids of their fields; `nil` if nothing was submitted.
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

  public var byteCount: Int { json.canonicalByteCount }
}

extension ActivityEntry {
  public static let summary = "An entry of the activity of a form."
  public static let refusesUnknownMembers = true
  public static let fields = [
    Field("text", \ActivityEntry.text, .shownText),
    Field("answers", \.answers, document.optional), Field("date", \.date),
  ]

  public init(id: ResourceID) { self.id = id }

  public var byteCount: Int { json.canonicalByteCount }

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
      guard document.canonicalByteCount <= LongestText.document else {
        throw json.error("expected at most \(LongestText.document) bytes of JSON")
      }
      return document
    }, write: { $0 })
}

extension ActivityEntry: Pageable {
  /// The position of an entry: the newest comes first, and of several at one moment the one with the greatest id.
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
