import CanonicalJSON
import ViewState

/// A button that sends the form, or starts it over.
struct FormButton: ShownRow {
  /// What a button does.
  enum Purpose: Text, CaseIterable {
    case submit
    case reset
  }

  static let kind: Text = "button"
  static let fields = [
    Field("text", \FormButton.text, .label), Field("does", \.does, .choice()),
  ]

  var text: Text = ""
  var does = Purpose.submit

  static let rowType = RowType<ShownLine<FormButton>>(
    "formButton", "A button that sends the form or starts over."
  ) {
    Field("text", \.content.text)
    Action(FormCommand.tap, title: \.content.text) { $0.id }
    Field.depth(\.depth)
  }
}

/// A row that leads to another screen.
struct Link: ShownRow {
  static let kind: Text = "link"
  static let fields = [
    Field("text", \Link.text, .label), Field("detail", \.detail, ValueType.label.optional),
    Field("to", \.to, place),
  ]

  var text: Text = ""
  var detail: Text?
  /// The name of a screen, a slash, and the key.
  var to: Text = ""

  /// The name is one that a screen may have, and the key one that ``ResourceID`` takes.
  private static let place = ValueType<Text>.text(
    [
      "type": "string", "pattern": "^\(ScreenDescriptor.namePattern)/[^/]+$", "maxLength": 257,
      "description": """
      The view model that the row leads to, such as `settings/privacy`: the name of a screen and the key, \
      without percent-encoding. A client of a personal screen adds its session.
      """,
    ], "a screen and a key, such as settings/privacy"
  ) { text in
    let parts = text.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false
    ).map { Text(Substring($0)) }
    return parts.count == 2 && parts[0].byteCount <= 128 && ScreenDescriptor.isName(parts[0])
      && (try? ResourceID(JSONReader(.string(parts[1])))) != nil
  }

  static let rowType = RowType<ShownLine<Link>>(
    "link", "A row that leads to another view model, which a client opens if the row is chosen."
  ) {
    Field("text", \.content.text)
    Field("detail", \.content.detail)
    Field("to", \.content.to, place)
    Field.depth(\.depth)
  }
}

/// A proposal to enter a value into a field, which is shown while the field has another value.
struct Offer: ShownRow {
  static let kind: Text = "offer"
  static let fields = [
    Field("title", \Offer.title, .label), Field("text", \.text, ValueType.label.optional),
    Field("button", \.button, .label), Field("enters", \.entry, entryType),
  ]

  var title: Text = ""
  var text: Text?
  /// The title of the action.
  var button: Text = ""
  var entry = RowValue()

  private static let entryType = RowValue.type("value").described(
    "The value that the offer enters, a number in English, and the row of the field. While the field is hidden "
      + "or has this value, there is no offer.")

  func checkReferences(
    of row: ResourceID, among rows: [ResourceID: FormRow]
  ) throws(JSONShapeError) {
    try entry.check(as: "value", among: rows, in: ["enters"])
  }

  static let rowType = RowType<ShownLine<Offer>>(
    "formOffer",
    "An offer. Its action takes it up: it enters a value into a field, and the offer goes. It comes back "
      + "if the field gets another value."
  ) {
    Field("title", \.content.title)
    Field("text", \.content.text)
    Action(FormCommand.tap, title: \.content.button) { $0.id }
    Field.depth(\.depth)
  }
}
