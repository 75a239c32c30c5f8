/// A JSON value (RFC 8259) whose canonical encoding is the same in every process.
///
/// Two values are equal if and only if their canonical encodings are the same bytes. So strings
/// and member names are ``Text``, which is compared by its bytes, and `.integer(1)` equals
/// `.number(1.0)`.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number without fraction. Writing one beyond ±2^53 is a programmer's error, because readers
  /// that hold numbers as doubles would see another one (RFC 7493 §2.2); send it as a string.
  case integer(Int)
  /// Any other finite number. Writing a NaN or an infinity is a programmer's error.
  case number(Double)
  case string(Text)
  case array([JSONValue])
  case object([Text: JSONValue])
}

extension JSONValue {
  /// The JSON string of a Swift string.
  public static func string(_ string: String) -> JSONValue { .string(Text(string)) }

  /// The integers that every reader of JSON sees exactly: those a double holds without a gap
  /// (RFC 7493 §2.2).
  public static let interoperableIntegers: ClosedRange<Int> = -(1 << 53)...(1 << 53)

  /// What the value is, with its article, as error messages put it: "a string", "an object".
  public var kindDescription: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
