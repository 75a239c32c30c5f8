import CanonicalJSON
import ViewState

/// A line of text above other rows.
struct Header: ShownRow {
  static let kind: Text = "header"
  static let fields = [Field("text", \Header.text, .label)]

  var text: Text = ""

  static let rowType = RowType<ShownLine<Header>>(
    "formHeader", "A line of text above other rows."
  ) {
    Field("text", \.content.text)
    Field.depth(\.depth)
  }
}

/// The title of the section as a row in which a user can change and clear it.
struct SectionHeader: ShownRow {
  static let kind: Text = "sectionHeader"
  static let fields = [
    Field("label", \SectionHeader.label, .label),
    Field("placeholder", \.placeholder, ValueType.label.optional),
  ]

  var label: Text = ""
  var placeholder: Text?

  static let rowType = RowType<ShownLine<SectionHeader>>(
    "sectionHeader",
    "The title of the section, which users can change. An empty text, or the action, removes the title."
  ) {
    Field("label", \.content.label)
    Field("value", "The title; empty if there is none.") { $0.title ?? "" }
    Field("input", "The description that a client needs to let a user enter a title.") {
      InputType(
        type: .text, placeholder: $0.content.placeholder, maxLength: ValueType.longestLabel)
    }
    Field("change", \.id, .change)
    Action(
      FormCommand.tap, title: { Localized(en: "Clear", de: "Leeren")[$0.language] },
      if: { $0.title != nil }
    ) { $0.id }
    Field.depth(\.depth)
  }

  /// Reads a title that a user enters.
  ///
  /// - Returns: `nil` for a text of nothing but spaces.
  static func title(_ json: JSONReader) throws(JSONShapeError) -> Text? {
    let text = try ValueType<Text>.text(atMostBytes: ValueType.longestLabel).read(json).trimmed
    return text.isEmpty ? nil : text
  }
}

/// A row that folds away those beneath it if it is chosen.
struct Group: ShownRow {
  static let kind: Text = "group"
  static let fields = [
    Field("text", \Group.text, .label),
    Field(
      "collapsed", \.isCollapsed,
      Bool.valueType.described("Whether it is collapsed at first.").usually(false)),
  ]

  var text: Text = ""
  var isCollapsed = false

  static let rowType = RowType<ShownLine<Group>>(
    "formGroup",
    "A row that collapses and expands the rows below it. While it is collapsed, no row below it is shown, "
      + "however deep; each group among them remembers whether it is collapsed itself."
  ) {
    Field("text", \.content.text)
    Field("isCollapsed", \.isCollapsed)
    Action(
      FormCommand.select,
      title: { ($0.isCollapsed ? Localized.expand : .collapse)[$0.language] }
    ) { $0.id }
    Field.depth(\.depth)
  }
}

/// A fact with its name.
struct Info: ShownRow {
  static let kind: Text = "info"
  static let fields = [
    Field("label", \Info.label, .label), Field("text", \.text, .label),
  ]

  var label: Text = ""
  var text: Text = ""

  static let rowType = RowType<ShownLine<Info>>("formInfo", "A fact with its name.") {
    Field("label", \.content.label)
    Field("text", \.content.text)
    Field.depth(\.depth)
  }
}

/// A thin line between rows.
struct Splitter: ShownRow {
  static let kind: Text = "splitter"
  static let fields: [Field<Splitter>] = []

  static let rowType = RowType<ShownLine<Splitter>>("formSplitter", "A line between rows.") {
    Field.depth(\.depth)
  }
}
