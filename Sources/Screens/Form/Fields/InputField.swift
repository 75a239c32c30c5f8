import CanonicalJSON
import ViewState

/// A field that a user fills in.
///
/// What was entered is kept by the form. All that follows from a value, such as what is wrong with it, is
/// computed here.
struct InputField: Equatable, Sendable {
  /// The kinds, each with its rules.
  enum Kind: Equatable, Sendable {
    case text(TextRule)
    case phone(PhoneRule)
    case date(DateRule)
    case dropdown(DropdownRule)
    case `switch`(SwitchRule)
    case taxNumber(TaxNumberRule)
  }

  /// What every field has.
  struct Face: Described {
    static let fields = [
      Field("label", \Face.label, .shownText),
      Field("placeholder", \.placeholder, ValueType.shownText.optional),
      Field(
        "required", \.isRequired,
        Bool.valueType.described("Whether a value must be given.").usually(false)),
      Field("errorText", \.errorText, ValueType.shownText.optional),
    ]

    var label: Text = ""
    var placeholder: Text?
    var isRequired = false
    /// What is said of any wrong value, in place of what the field has to say about it.
    var errorText: Text?
  }

  let kind: Kind
  private let face: Face
  /// The value before one is entered.
  let initial: JSONValue
  var rule: any InputRule { kind.rule }
}

extension InputField.Kind {
  fileprivate var rule: any InputRule {
    switch self {
    case .text(let rule): rule
    case .phone(let rule): rule
    case .date(let rule): rule
    case .dropdown(let rule): rule
    case .switch(let rule): rule
    case .taxNumber(let rule): rule
    }
  }
}

/// The description.
extension InputField {
  /// Reads a field.
  ///
  /// - Throws: `JSONShapeError` for a wrong member, and for a default that the field itself would refuse.
  init(_ reader: JSONReader, _ kind: Kind) throws(JSONShapeError) {
    face = try Face(reader)
    self.kind = kind
    let rule = kind.rule
    let member = try reader.nullableMember("default")
    guard let member, case let value = try rule.read(member), !rule.isEmpty(value) else {
      initial = rule.empty
      return
    }
    if let fault = rule.fault(of: value) { throw member.error(fault.text.string) }
    initial = rule.formatted(value)
  }

  /// The members as they are read.
  var members: [Text: JSONValue] {
    var members = face.members.merging(rule.members) { $1 }
    if isFilled(initial) { members["default"] = initial }
    return members
  }
}

/// Answering: what an entered value makes of the field.
extension InputField {
  /// Reads a value that is entered.
  ///
  /// - Returns: A right value as the row has it; a wrong one as it was entered.
  /// - Throws: `JSONShapeError` for what no field of this kind can hold.
  func enter(_ json: JSONReader) throws(JSONShapeError) -> JSONValue {
    let value = try rule.read(json)
    return judge(value) == nil ? rule.formatted(value) : value
  }

  /// What is wrong with a value.
  func judge(_ value: JSONValue) -> FieldFault? {
    let isMissing = !isFilled(value)
    if isMissing && !face.isRequired { return nil }
    let fault = isMissing ? FieldFault(.required, "This is needed.") : rule.fault(of: value)
    return fault.map { FieldFault($0.code, face.errorText ?? $0.text) }
  }

  /// Whether a value is given.
  func isFilled(_ value: JSONValue) -> Bool { !rule.isEmpty(value) }

  /// Whether the field could ever have a value.
  func canAnswer(_ value: JSONValue) -> Bool { (try? enter(JSONReader(value))) == value }
}

/// Layout: the rows of a field with a value.
extension InputField {
  func lines(_ id: ResourceID, _ value: JSONValue, _ fault: FieldFault?) -> [FormLine] {
    var input = rule.input
    input["placeholder"] = face.placeholder.map(JSONValue.string)
    let change: JSONValue = [
      "argument": "value",
      "command": ["type": .string(FormScreen.didChange.name), "row": .string(id.text)],
    ]
    let field = FormLine(
      id.text, rule.rowType,
      [
        "label": .string(face.label), "required": .bool(face.isRequired), "value": value,
        "input": .object(input), "change": change,
      ])
    guard let fault else { return [field] }
    let error = FormLine(
      "\(id)/error", "fieldError",
      [
        "field": .string(id.text), "code": .string(fault.code.rawValue),
        "text": .string(fault.text),
      ])
    return [field, error]
  }
}

/// Looking up: what belongs to a value.
extension InputField {
  /// The tax number to look up; `nil` if there is none.
  func query(_ value: JSONValue) -> TaxNumber? {
    guard case .taxNumber = kind, case .string(let text) = value else { return nil }
    return try? TaxNumber(parsing: text)
  }
}
