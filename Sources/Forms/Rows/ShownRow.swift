import CanonicalJSON
public import ViewState

/// A kind of rows into which users enter no value, such as a header or a button.
protocol ShownRow: RowDescription {
  /// The type of the rows of the kind.
  static var rowType: RowType<ShownLine<Self>> { get }
}

/// A row without a value, as clients get it.
struct ShownLine<Content: ShownRow>: Equatable, Sendable {
  /// The id of the row.
  let id: ResourceID
  /// What the description says.
  let content: Content
  /// The number of groups around the row.
  let depth: Int
  /// Whether the rows beneath it are hidden.
  let isCollapsed: Bool
  /// The title of its section.
  let title: Text?
  /// The language of the titles of actions.
  let language: Language
}

extension Field {
  /// Declares the member `depth` of a row: the number of groups around the row, left out if there are none.
  ///
  /// - Parameter path: The path to the number.
  public static func depth(_ path: any KeyPath<Model, Int> & Sendable) -> Field {
    Field(
      "depth", path,
      .integer(1...FormRow.deepest).described(
        "The number of groups around the row; absent if there are none."
      ).usually(0))
  }
}

/// The commands of the rows of forms. ``FormState`` gives them their closures.
enum FormCommand {
  static func didChange<State>(_ state: State.Type) -> Command<State, ResourceID, JSONValue> {
    Command(
      "didChange",
      "Enters a value. A wrong value is kept, followed by an error row.",
      Argument("row", shownRow),
      Argument(
        "value",
        .json(schema: [
          "type": ["string", "boolean", "null"],
          "description":
            "A boolean for a switch, the id of an option or null for a choice, else a text.",
        ])))
  }

  static func didSelect<State>(_ state: State.Type) -> Command<State, ResourceID> {
    Command(
      "didSelect",
      "Chooses a row: collapses or expands a group, or enters the value that was found for a field.",
      Argument("row", shownRow))
  }

  static func didTap<State>(_ state: State.Type) -> Command<State, ResourceID> {
    Command(
      "didTap",
      "Taps on a row: on a button, on an offer, on Retry or on Cancel, or to clear a title.",
      Argument("row", shownRow))
  }

  /// For the actions of rows, which only need the names and the arguments.
  static let select = didSelect(Never.self)
  static let tap = didTap(Never.self)

  /// The id of a row, which may be one behind another.
  private static let shownRow = ValueType<ResourceID>(
    schema: [
      "type": ["integer", "string"], "description": "The id of a row that is shown.",
    ],
    read: { (json) throws(JSONShapeError) in
      if case .string(let text) = json.value { return ResourceID(named: text) }
      return try ResourceID(json)
    }, write: { .string($0.text) })
}
