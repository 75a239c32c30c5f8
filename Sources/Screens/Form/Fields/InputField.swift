import CanonicalJSON
import ViewState

/// A field that a user fills in, with what was entered.
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

  /// What was entered into a field.
  struct Entry: Codable, Equatable, Sendable {
    /// As it is laid out; if it is wrong, as it was entered.
    var value: JSONValue
    /// What is wrong with it, as far as it was judged.
    var fault: FieldFault?
    /// Whether it was entered or judged.
    var isTouched = false
  }

  /// What every field has.
  private struct Face: RowDescription {
    var label: Text = ""
    var placeholder: Text?
    var isRequired = false
    var errorText: Text?

    static let fields = [
      Field("label", \Face.label, .shownText),
      Field("placeholder", \.placeholder, ValueType.shownText.optional),
      Field(
        "required", \.isRequired,
        Bool.valueType.described("Whether a value must be given.").usually(false)),
      Field("errorText", \.errorText, ValueType.shownText.optional),
    ]
  }

  let kind: Kind
  private let face: Face
  /// The value before one is entered.
  private let initial: JSONValue
  private(set) var entry: Entry
}

/// The description.
extension InputField {
  /// Reads a field in its initial state.
  ///
  /// - Throws: `JSONShapeError` for a wrong member, and for a default that the field itself would refuse.
  init(_ reader: JSONReader, _ kind: Kind) throws(JSONShapeError) {
    self.kind = kind
    face = try Face(reader)
    var value = kind.rule.empty
    if let member = try reader.nullableMember("default") {
      let given = try kind.rule.read(member)
      if !kind.rule.isEmpty(given) {
        if let fault = kind.rule.fault(of: given) { throw member.error(fault.text.string) }
        value = kind.rule.formatted(given)
      }
    }
    initial = value
    entry = Entry(value: value)
  }

  /// The schemas of the members that every field has.
  static func schemas(_ initial: JSONValue) -> [Text: JSONValue] {
    Dictionary(Face.fields.map { ($0.name, $0.schema) } + [("default" as Text, initial)]) { $1 }
  }

  /// The members as they are read.
  var members: [Text: JSONValue] {
    var members = face.members.merging(kind.rule.members) { $1 }
    members["kind"] = .string(kind.name)
    if !kind.rule.isEmpty(initial) { members["default"] = initial }
    return members
  }
}

/// Answering: what an entered value makes of the field.
extension InputField {
  /// What others compare, and what is sent.
  var answer: JSONValue { entry.value }
  /// Whether a value was given, by the description or by a user.
  var isFilled: Bool { !kind.rule.isEmpty(entry.value) }
  /// Whether the value may be sent.
  var isValid: Bool { judge(entry.value) == nil }

  /// Enters a value.
  ///
  /// - Throws: `JSONShapeError` for what no field of this kind can hold; nothing has changed then. A value
  ///   that is only wrong is entered, with what is wrong.
  mutating func enter(_ json: JSONReader) throws(JSONShapeError) {
    let value = try kind.rule.read(json)
    let fault = judge(value)
    entry = Entry(value: laidOut(value, fault), fault: fault, isTouched: true)
  }

  /// Judges the value as it is, such as before it is sent.
  mutating func validate() {
    entry.fault = judge(entry.value)
    entry.isTouched = true
  }

  /// Takes over the value of another field, as far as this one can hold it, and judges it.
  mutating func adopt(_ old: InputField) {
    if old.entry.isTouched { try? enter(JSONReader(old.entry.value)) }
  }

  /// Takes over an entry that was written before.
  ///
  /// - Throws: `JSONShapeError` for a value that no field of this kind can hold.
  mutating func restore(_ entry: Entry) throws(JSONShapeError) {
    _ = try kind.rule.read(JSONReader(entry.value))
    self.entry = entry
  }

  /// Whether the field could ever have a value.
  func canAnswer(_ value: JSONValue) -> Bool {
    guard let read = try? kind.rule.read(JSONReader(value)) else { return false }
    return laidOut(read, judge(read)) == value
  }

  private func judge(_ value: JSONValue) -> FieldFault? {
    let isMissing = kind.rule.isEmpty(value)
    if isMissing && !face.isRequired { return nil }
    let fault =
      isMissing ? FieldFault(.required, "This is needed.") : kind.rule.fault(of: value)
    return fault.map { FieldFault($0.code, face.errorText ?? $0.text) }
  }

  private func laidOut(_ value: JSONValue, _ fault: FieldFault?) -> JSONValue {
    fault == nil ? kind.rule.formatted(value) : value
  }
}

/// Layout: the rows of the field.
extension InputField {
  /// The field, and what is wrong with its value.
  func lines(_ id: ResourceID) -> [FormLine] {
    var input = kind.rule.input
    input["placeholder"] = face.placeholder.map(JSONValue.string)
    let change: JSONValue = [
      "argument": "value",
      "command": ["type": .string(FormScreen.didChange.name), "row": .string(id.text)],
    ]
    let field = FormLine(
      id: id.text, type: kind.rule.rowType,
      fields: [
        "label": .string(face.label), "required": .bool(face.isRequired), "value": entry.value,
        "input": .object(input), "change": change,
      ])
    guard let fault = entry.fault else { return [field] }
    return [
      field,
      FormLine(
        id: "\(id)/error", type: "fieldError",
        fields: [
          "field": .string(id.text), "code": .string(fault.code.rawValue),
          "text": .string(fault.text),
        ]),
    ]
  }
}

/// Looking up: what belongs to the value.
extension InputField {
  /// The tax number to look up now; `nil` if there is none.
  var query: TaxNumber? {
    guard case .taxNumber = kind, case .string(let text) = entry.value else { return nil }
    return try? TaxNumber(parsing: text)
  }
}

extension InputField.Kind {
  var rule: any InputRule {
    switch self {
    case .text(let rule): rule
    case .phone(let rule): rule
    case .date(let rule): rule
    case .dropdown(let rule): rule
    case .switch(let rule): rule
    case .taxNumber(let rule): rule
    }
  }

  /// The name in descriptions.
  var name: Text {
    switch self {
    case .text: "text"
    case .phone: "phone"
    case .date: "date"
    case .dropdown: "dropdown"
    case .switch: "switch"
    case .taxNumber: "taxNumber"
    }
  }

  /// Whether other rows may enter texts.
  var takesTexts: Bool {
    switch self {
    case .text, .phone, .date, .taxNumber: true
    case .dropdown, .switch: false
    }
  }
}
