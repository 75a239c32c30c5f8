import CanonicalJSON
import ViewState

/// What a row of a form shows or asks for.
enum FormField: Sendable {
  /// A field that a user fills in.
  case input(InputField)
  /// A row into which users enter no value.
  case shown(any ShownRow)

  /// The field; `nil` for other rows.
  var input: InputField? {
    guard case .input(let input) = self else { return nil }
    return input
  }

  /// The group; `nil` for other rows.
  var group: Group? { content() }

  /// What the row shows if it is of a kind.
  func content<Content: ShownRow>(of type: Content.Type = Content.self) -> Content? {
    guard case .shown(let row) = self else { return nil }
    return row as? Content
  }

  private var description: any RowDescription {
    switch self {
    case .input(let input): input.rule
    case .shown(let row): row
    }
  }

  /// The name of the kind.
  var kind: Text { type(of: description).kind }

  /// The description without what every row has.
  var members: [Text: JSONValue] { input?.members ?? description.members }

  func checkReferences(
    of row: ResourceID, among rows: [ResourceID: FormRow]
  ) throws(JSONShapeError) {
    try description.checkReferences(of: row, among: rows)
  }
}

extension FormField: Equatable {
  static func == (left: FormField, right: FormField) -> Bool {
    switch (left, right) {
    case (.input(let left), .input(let right)): left == right
    case (.shown(let left), .shown(let right)): left.isEqual(right)
    case (.input, .shown), (.shown, .input): false
    }
  }
}

extension Described {
  /// Whether another object has the same type and the same members.
  func isEqual(_ other: any Described) -> Bool { other as? Self == self }
}
