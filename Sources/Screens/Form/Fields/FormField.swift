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
    var text: Text = ""

    static let fields = [Field("text", \Header.text, .shownText)]
  }

  /// A button that sends the form, or starts it over.
  struct Button: RowDescription {
    enum Purpose: Text, CaseIterable {
      case submit
      case reset
    }

    var text: Text = ""
    var does = Purpose.submit

    static let fields = [
      Field("text", \Button.text, .shownText), Field("does", \.does, .named),
    ]
  }

  /// A row that folds away those beneath it if it is chosen. Each group remembers for itself whether it is
  /// collapsed.
  struct Group: RowDescription {
    var text: Text = ""
    /// Whether it is collapsed at first.
    var beginsCollapsed = false
    var isCollapsed = false

    static let fields = [
      Field("text", \Group.text, .shownText),
      Field(
        "collapsed", \.beginsCollapsed,
        Bool.valueType.described("Whether it is collapsed at first.").usually(false)),
    ]

    mutating func complete(_: JSONReader) { isCollapsed = beginsCollapsed }
  }
}

/// Members of the description of a row, each said once.
protocol RowDescription: Equatable, Sendable {
  static var fields: [Field<Self>] { get }

  init()

  /// Checks what the members say together, and fills in what follows from them.
  ///
  /// - Throws: `JSONShapeError` if the members do not fit together.
  mutating func complete(_ reader: JSONReader) throws(JSONShapeError)
}

extension RowDescription {
  /// Reads the members among others.
  init(_ reader: JSONReader) throws(JSONShapeError) {
    self.init()
    for field in Self.fields { try field.read(reader, into: &self) }
    try complete(reader)
  }

  mutating func complete(_ reader: JSONReader) throws(JSONShapeError) {}

  /// The members as `init(_:)` reads them.
  var members: [Text: JSONValue] { [Text: JSONValue](Self.fields, of: self) }
}

// MARK: - Kinds

extension FormField {
  /// A kind of rows, as descriptions name it.
  struct Kind: Sendable {
    let name: Text
    let schemas: [Text: JSONValue]
    let required: [Text]
    let read: @Sendable (JSONReader) throws(JSONShapeError) -> FormField

    var holdsRows: Bool { name == "group" }

    init<Row: RowDescription>(_ name: Text, _ row: @escaping @Sendable (Row) -> FormField) {
      self.init(name, Row.fields) { (reader) throws(JSONShapeError) in row(try Row(reader)) }
    }

    init<Rule: InputRule>(_ name: Text, _ kind: @escaping @Sendable (Rule) -> InputField.Kind) {
      self.init(name, Rule.fields, InputField.schemas(Rule.initialType)) {
        (reader) throws(JSONShapeError) in
        .input(try InputField(reader, kind(try Rule(reader))))
      }
    }

    private init<Row>(
      _ name: Text, _ fields: [Field<Row>], _ others: [Text: JSONValue] = [:],
      read: @escaping @Sendable (JSONReader) throws(JSONShapeError) -> FormField
    ) {
      self.name = name
      schemas = Dictionary(fields.map { ($0.name, $0.schema) }) { $1 }.merging(others) { $1 }
      required = (others["label"] == nil ? [] : ["label"]) + fields.filter(\.isRequired).map(\.name)
      self.read = read
    }
  }

  static let kinds = [
    Kind("header") { .header($0) }, Kind("text") { .text($0) }, Kind("phone") { .phone($0) },
    Kind("date") { .date($0) }, Kind("dropdown") { .dropdown($0) },
    Kind("switch") { .switch($0) }, Kind("taxNumber") { .taxNumber($0) },
    Kind("button") { .button($0) }, Kind("group") { .group($0) },
  ]

  /// The description without what every row has.
  var members: [Text: JSONValue] {
    switch self {
    case .header(let header): header.members.merging(["kind": "header"]) { $1 }
    case .button(let button): button.members.merging(["kind": "button"]) { $1 }
    case .group(let group): group.members.merging(["kind": "group"]) { $1 }
    case .input(let input): input.members
    }
  }

  /// What a user enters; `nil` for other rows.
  var input: InputField? {
    guard case .input(let input) = self else { return nil }
    return input
  }

  /// Takes over what a user did with a field of the same kind.
  ///
  /// - Returns: `false` if the field is of another kind.
  mutating func adopt(_ old: FormField) -> Bool {
    switch (self, old) {
    case (.header, .header), (.button, .button): break
    case (.group(var group), .group(let old)):
      group.isCollapsed = old.isCollapsed
      self = .group(group)
    case (.input(var input), .input(let old)) where input.kind.name == old.kind.name:
      input.adopt(old)
      self = .input(input)
    default: return false
    }
    return true
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
  static var named: ValueType {
    let type = ValueType.choice { $0.rawValue.string }
    return ValueType(
      schema: ["enum": .array(Value.allCases.map { .string($0.rawValue) })],
      read: { (json) throws(JSONShapeError) in try type.read(json) }, write: { type.write($0) })
  }
}

extension ValueType<ResourceID> {
  /// The id of a row or a section in a description.
  static var described: ValueType {
    ValueType(
      schema: ["type": ["integer", "string"]],
      read: { (json) throws(JSONShapeError) in try ResourceID(json) }, write: \.json)
  }
}

extension JSONReader {
  /// The error that a member is wrong.
  func error(in member: Text, _ message: String) -> JSONShapeError {
    JSONShapeError(pointer: pointer.appending(member), message: message)
  }
}
