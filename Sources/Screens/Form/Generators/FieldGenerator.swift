import CanonicalJSON
import Snapshots
import ViewState

/// Describes a field that a user fills in: a row with the field, and behind it a row that says what
/// is wrong with the value, where something is.
///
/// A kind of field says how a value is read, laid out and judged; all else is the same for all.
protocol FieldGenerator: RowGenerator {
  associatedtype Value: Hashable & Sendable

  /// The type of the field's row.
  static var rowType: Text { get }
  /// Reads a value that a client sends, or a default.
  ///
  /// - Throws: `JSONShapeError` for what no field of this kind can hold.
  func read(_ reader: JSONReader) throws(JSONShapeError) -> Value
  func json(_ value: Value) -> JSONValue

  /// What all fields have.
  var face: FieldFace { get }
  /// The value before anybody entered one.
  var initial: Value { get }
  /// What was entered.
  var entry: FieldEntry<Value> { get set }
  /// What a client needs to let a user enter a value.
  var input: [Text: JSONValue] { get }

  /// Whether there is nothing to judge.
  func isEmpty(_ value: Value) -> Bool
  /// A right value as it is laid out in the row.
  func formatted(_ value: Value) -> Value
  /// What is wrong with a value that is not empty.
  func fault(of value: Value) -> FieldFault?
  /// The value has changed.
  mutating func valueChanged(_ context: inout RowContext)
}

/// What a user entered into a field.
struct FieldEntry<Value: Hashable & Sendable>: Hashable, Sendable {
  /// As it is laid out, or, where it is wrong, as it was entered.
  var value: Value
  /// What is wrong with it, as far as it has been judged.
  var fault: FieldFault?
  /// Whether anybody has entered it, and it has been judged.
  var isTouched = false
}

extension FieldGenerator {
  func formatted(_ value: Value) -> Value { value }
  func valueChanged(_: inout RowContext) {}

  var answer: JSONValue? { json(entry.value) }
  var isFilled: Bool { !isEmpty(entry.value) }
  var isValid: Bool { judge(entry.value) == nil }

  /// One that it reads, and that it would lay out as it is.
  func canAnswer(_ value: JSONValue) -> Bool {
    guard let value = try? read(JSONReader(value)) else { return false }
    return laidOut(value, judge(value)) == value
  }

  /// What is wrong with a value.
  func judge(_ value: Value) -> FieldFault? {
    if isEmpty(value) {
      return face.isRequired ? spoken(FieldFault(.required, "This is needed.")) : nil
    }
    return fault(of: value).map(spoken)
  }

  private func spoken(_ fault: FieldFault) -> FieldFault {
    face.errorText.map { FieldFault(fault.code, $0) } ?? fault
  }

  mutating func didChange(
    _ reader: JSONReader, _ context: inout RowContext
  ) throws(RowEventFault) {
    let value: Value
    do { value = try read(reader) } catch { throw .value(error) }
    enter(value, &context)
  }

  mutating func enter(_ value: Value, _ context: inout RowContext) {
    let fault = judge(value)
    entry = FieldEntry(value: laidOut(value, fault), fault: fault, isTouched: true)
    valueChanged(&context)
  }

  /// A value as the row has it: a wrong one stays as it was entered.
  func laidOut(_ value: Value, _ fault: FieldFault?) -> Value {
    fault == nil ? formatted(value) : value
  }

  mutating func validate() {
    entry.fault = judge(entry.value)
    entry.isTouched = true
  }

  /// What was entered stays, and is judged by the new rules.
  mutating func adopt(_ old: Self, _ context: inout RowContext) {
    if old.entry.isTouched, let value = try? read(JSONReader(json(old.entry.value))) {
      enter(value, &context)
    }
  }

  func encodeState(to encoder: any Encoder) throws {
    try entryJSON().encode(to: encoder)
  }

  mutating func decodeState(from decoder: any Decoder) throws {
    try readEntry(JSONReader(from: decoder))
  }

  /// What was entered, as `readEntry(_:)` reads it.
  func entryJSON() throws -> JSONValue {
    var members: [Text: JSONValue] = [
      "value": json(entry.value), "isTouched": .bool(entry.isTouched),
    ]
    if let fault = entry.fault { members["fault"] = try JSONValue(encoding: fault) }
    return .object(members)
  }

  mutating func readEntry(_ reader: JSONReader) throws(JSONShapeError) {
    let value = try read(reader.member("value"))
    let fault = try reader.nullableMember("fault")
    entry = FieldEntry(
      value: value, fault: try fault?.decode(FieldFault.self),
      isTouched: try reader.member("isTouched").bool())
  }

  func rows(depth: Int, _ rows: inout RowCache) -> [Row] {
    fieldRows(depth: depth, &rows)
  }

  func fieldRows(depth: Int, _ rows: inout RowCache) -> [Row] {
    let field = rows.formRow(id.text, type: Self.rowType, depth: depth, for: self) { $0.fields }
    guard let fault = entry.fault else { return [field] }
    return [
      field,
      rows.formRow("\(id)/error", type: "fieldError", depth: depth, for: fault) { fault in
        [
          "field": .string(id.text), "code": .string(fault.code.rawValue),
          "text": .string(fault.text),
        ]
      },
    ]
  }

  /// What a client needs to show the field, and to send back what is entered.
  private var fields: [Text: JSONValue] {
    var input = input
    input["placeholder"] = face.placeholder.map(JSONValue.string)
    let change: JSONValue = .object([
      "argument": "value",
      "command": .object([
        "type": .string(FormCommand.didChange.rawValue), "row": .string(id.text),
      ]),
    ])
    return [
      "label": .string(face.label), "required": .bool(face.isRequired),
      "value": json(entry.value), "input": .object(input), "change": change,
    ]
  }

  /// The description of a field: what all fields have, the default, and what is its own.
  func configuration(_ own: [Text: JSONValue]) -> [Text: JSONValue] {
    var members = face.json.merging(own) { $1 }
    if !isEmpty(initial) { members["default"] = json(initial) }
    return members
  }

  /// Reads the value that the field begins with.
  ///
  /// - Throws: `JSONShapeError` for one that the field itself would call wrong.
  mutating func readDefault(_ reader: JSONReader) throws(JSONShapeError) -> Value? {
    guard let member = try reader.nullableMember("default") else { return nil }
    let value = try read(member)
    if isEmpty(value) { return nil }
    if let fault = fault(of: value) { throw member.error(fault.text.string) }
    return formatted(value)
  }
}
