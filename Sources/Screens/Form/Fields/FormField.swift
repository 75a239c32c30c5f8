import CanonicalJSON
import ViewState

/// What a row of a form shows or asks for.
///
/// A new kind is a case here, or in ``InputField/Kind`` if users enter a value, and a line in `kinds`.
enum FormField: Equatable, Sendable {
  case header(Header)
  case button(Button)
  case group(Group)
  case input(InputField)

  /// A line of text above other rows.
  struct Header: RowDescription {
    static let kind: Text = "header"
    static let fields = [Field("text", \Header.text, .shownText)]

    var text: Text = ""
  }

  /// A button that sends the form, or starts it over.
  struct Button: RowDescription {
    enum Purpose: Text, CaseIterable {
      case submit
      case reset
    }

    static let kind: Text = "button"
    static let fields = [
      Field("text", \Button.text, .shownText), Field("does", \.does, .named),
    ]

    var text: Text = ""
    var does = Purpose.submit
  }

  /// A row that folds away those beneath it if it is chosen.
  struct Group: RowDescription {
    static let kind: Text = "group"
    static let fields = [
      Field("text", \Group.text, .shownText),
      Field(
        "collapsed", \.isCollapsed,
        Bool.valueType.described("Whether it is collapsed at first.").usually(false)),
    ]

    var text: Text = ""
    var isCollapsed = false
  }

  /// What a user enters; `nil` for other rows.
  var input: InputField? {
    guard case .input(let input) = self else { return nil }
    return input
  }

  /// The group; `nil` for other rows.
  var group: Group? {
    guard case .group(let group) = self else { return nil }
    return group
  }
}

// MARK: - Descriptions

/// Members of a JSON object, each said once.
protocol Described: Equatable, Sendable {
  static var fields: [Field<Self>] { get }

  init()

  /// Checks what the members say together.
  ///
  /// - Throws: `JSONShapeError` if the members do not fit together.
  func check(_ reader: JSONReader) throws(JSONShapeError)
}

/// The members that are special to a kind of rows.
protocol RowDescription: Described {
  /// The name in descriptions.
  static var kind: Text { get }
}

extension Described {
  /// Reads the members among others.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    self.init()
    for field in Self.fields { try field.read(reader, into: &self) }
    try check(reader)
  }

  func check(_ reader: JSONReader) throws(JSONShapeError) {}

  /// The members as `init(_:)` reads them.
  var members: [Text: JSONValue] { [Text: JSONValue](Self.fields, of: self) }

  static var memberSchemas: [MemberSchema] { fields.map(\.memberSchema) }
}

extension FormField {
  /// A kind of rows, as descriptions name it.
  struct Kind: Sendable {
    let name: Text
    let members: [MemberSchema]
    /// The type of the rows of fields; `nil` if users enter no value.
    let rowType: RowType<InputLine>?
    let read: @Sendable (JSONReader) throws(JSONShapeError) -> FormField

    fileprivate init<Row: RowDescription>(_ make: @escaping @Sendable (Row) -> FormField) {
      (name, members, rowType) = (Row.kind, Row.memberSchemas, nil)
      read = { (reader) throws(JSONShapeError) in make(try Row(reader)) }
    }

    fileprivate init<Rule: InputRule>(input make: @escaping @Sendable (Rule) -> InputField.Kind) {
      name = Rule.kind
      members =
        InputField.Face.memberSchemas + Rule.memberSchemas + [
          ("default", Rule.initialSchema, false)
        ]
      rowType = Rule.rowType
      read = { (reader) throws(JSONShapeError) in
        .input(try InputField(reader, make(try Rule(reader))))
      }
    }
  }

  static let kinds = [
    Kind { .header($0) }, Kind(input: InputField.Kind.text), Kind(input: InputField.Kind.phone),
    Kind(input: InputField.Kind.date), Kind(input: InputField.Kind.dropdown),
    Kind(input: InputField.Kind.switch), Kind(input: InputField.Kind.taxNumber),
    Kind { .button($0) }, Kind { .group($0) },
  ]

  private var description: any RowDescription {
    switch self {
    case .header(let header): header
    case .button(let button): button
    case .group(let group): group
    case .input(let input): input.rule
    }
  }

  /// The name of the kind.
  var kind: Text { type(of: description).kind }

  /// The description without what every row has.
  var members: [Text: JSONValue] { input?.members ?? description.members }
}

// MARK: - Schemas of descriptions

/// The JSON schema of a member of an object, and whether the member is required.
typealias MemberSchema = (name: Text, schema: JSONValue, isRequired: Bool)

extension Field {
  var memberSchema: MemberSchema { (name, schema, isRequired) }
}

extension JSONValue {
  /// Returns the JSON schema of an object with these members and no others.
  static func objectSchema(_ members: [MemberSchema]) -> JSONValue {
    [
      "type": "object", "additionalProperties": false,
      "properties": .object(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.schema) })),
      "required": .array(members.filter(\.isRequired).map { .string($0.name) }),
    ]
  }
}

// MARK: - Values of descriptions

extension ValueType {
  /// The type of a member that is left out if it has this value.
  func usually(_ value: Value) -> ValueType where Value: Equatable {
    ValueType(
      schema: schema, absent: value, read: { (json) throws(JSONShapeError) in try read(json) },
      write: { $0 == value ? nil : write($0) })
  }
}

extension ValueType where Value: CaseIterable & RawRepresentable<Text> {
  /// One of the cases, by its name.
  static var named: ValueType { .choice { $0.rawValue.string } }
}

extension ValueType<ResourceID> {
  /// The id of a row or a section in a description.
  static let descriptionID = ValueType(
    schema: ["type": ["integer", "string"]],
    read: { (json) throws(JSONShapeError) in try ResourceID(json) }, write: \.json)
}

extension JSONReader {
  /// The error that a member is wrong.
  func error(in member: Text, _ message: String) -> JSONShapeError {
    JSONShapeError(pointer: pointer.appending(member), message: message)
  }
}
