/// A JSON value (RFC 8259) whose canonical encoding is the same in every process.
///
/// Two values are equal if and only if their canonical encodings are the same bytes. So strings
/// and member names are compared by their UTF-8 bytes, not by Unicode's canonical equivalence as
/// `String` compares them, and `.integer(1)` equals `.number(1.0)`.
///
/// Member names which are canonically equivalent but differ in bytes ("é" precomposed and "é"
/// decomposed) cannot stand in one object, because `Dictionary` takes them for one key; the parser
/// refuses them as duplicates.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number without fraction. Writing one beyond ±2^53 is a programmer's error, because readers
  /// that hold numbers as doubles would see another one (RFC 7493 §2.2); send it as a string.
  case integer(Int)
  /// Any other finite number. Writing a NaN or an infinity is a programmer's error.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

extension JSONValue {
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
