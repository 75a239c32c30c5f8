public import CanonicalJSON

/// A Swift type with a type of JSON values, so that fields and arguments can leave it out.
///
/// ```swift
/// enum Size: String, CaseIterable, FieldValue {
///   case small, large
///   static var valueType: ValueType<Size> { .choice() }
/// }
/// ```
public protocol FieldValue: Sendable {
  /// The type of the JSON of a value.
  static var valueType: ValueType<Self> { get }
}

extension Text: FieldValue {
  /// Texts of up to 1,000 Unicode scalars.
  public static var valueType: ValueType<Text> { .text() }
}

/// Written like `Text`, which is the better choice in a state: `Text` compares bytes. Two `String`s with different
/// bytes that look the same are equal, so that such a change is not shown.
extension String: FieldValue {
  public static var valueType: ValueType<String> {
    ValueType<Text>.text().map("", read: \.string, write: { Text($0) })
  }
}

extension Int: FieldValue {
  public static var valueType: ValueType<Int> { .integer() }
}

extension Bool: FieldValue {
  public static var valueType: ValueType<Bool> {
    ValueType(
      schema: ["type": "boolean"], read: { (json) throws(JSONShapeError) in try json.bool() },
      write: { .bool($0) })
  }
}

extension Double: FieldValue {
  public static var valueType: ValueType<Double> {
    ValueType(
      schema: ["type": "number"], read: { (json) throws(JSONShapeError) in try json.number() },
      write: { .number($0) })
  }
}

extension JSONValue: FieldValue {
  /// Any JSON.
  public static var valueType: ValueType<JSONValue> { .json() }
}

extension Timestamp: FieldValue {
  private static let pattern: Text =
    #"^\d{4}-\d\d-\d\d(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))?$"#

  /// Dates of ISO 8601, such as `2026-03-01T09:30:00Z`.
  public static var valueType: ValueType<Timestamp> {
    ValueType(
      schema: ["type": "string", "format": "date-time"],
      input: [
        "type": "string", "pattern": .string(Self.pattern),
        "description":
          "An ISO 8601 date, alone (midnight UTC) or with a time and `Z` or an offset. Fractions of a second are dropped.",
      ],
      read: { (json) throws(JSONShapeError) in
        guard let date = Timestamp(try json.string().string) else {
          throw json.error("expected an ISO 8601 date such as 2026-03-01T09:30:00Z")
        }
        return date
      }, write: { .string($0.description) })
  }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  public static var valueType: ValueType<Wrapped?> { Wrapped.valueType.optional }
}

extension Array: FieldValue where Element: FieldValue {
  public static var valueType: ValueType<[Element]> { .list(of: Element.valueType) }
}
