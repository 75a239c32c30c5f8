public import CanonicalJSON
import Snapshots

/// The id of a resource: a JSON number or string.
///
/// Ids are equal if their texts have the same bytes: `1` and `"1"` are the same id, in a path as in a body. An id
/// is written as the number or text that it was read from, so equal ids may differ as JSON. A change from one to the
/// other alone is no change of a state.
///
/// ```swift
/// ResourceID(1) == "1"  // true
/// ```
public struct ResourceID: Hashable, Sendable, CustomStringConvertible {
  /// The id as text, for paths and the ids of rows.
  public let text: Text
  private let isNumber: Bool

  /// Creates the id of a number.
  public init(_ number: Int) {
    self.init(text: Text(String(number)), isNumber: true)
  }

  /// Creates the id of a text, such as one in a path. The text is not checked: a text that is refused
  /// in JSON is the id of no resource.
  public init(named text: Text) {
    self.init(text: text, isNumber: false)
  }

  private init(text: Text, isNumber: Bool) {
    self.text = text
    self.isNumber = isNumber
  }

  /// Reads an id from a JSON number or string.
  ///
  /// - Throws: `JSONShapeError` if the value has another type, if the number is negative, or if the text
  ///   cannot be a part of a path: it is empty, longer than 128 bytes, `.` or `..`, or has a `/` or control
  ///   characters.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    if case .string(let text) = reader.value, ResourceID.isValid(text) {
      self.init(text: text, isNumber: false)
    } else if let number = try? reader.integer(), number >= 0 {
      self.init(number)
    } else {
      throw reader.error(
        "expected an id: a whole number from 0, or a string of 1 to 128 bytes without"
          + " \"/\" and control characters, other than \".\" and \"..\"")
    }
    DeclaredNames.current?.insert(text)
  }

  /// The id as JSON, a number if it was read from a number.
  public var json: JSONValue {
    isNumber ? Int(text.string).map(JSONValue.integer) ?? .string(text) : .string(text)
  }

  public var description: String { text.string }

  public static func == (left: ResourceID, right: ResourceID) -> Bool {
    guard left.text == right.text else { return false }
    if left.isNumber != right.isNumber { LooseEquality.note() }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }

  /// Returns whether the text can be the key of a view model.
  static func isValid(_ text: Text) -> Bool {
    guard (1...128).contains(text.byteCount), text != ".", text != ".." else { return false }
    // Most are ASCII, and asking for the category of a character takes long.
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "/") }) {
      return true
    }
    return text.string.unicodeScalars.allSatisfy {
      $0 != "/" && $0.properties.generalCategory != .control
    }
  }
}

extension ResourceID: ExpressibleByStringInterpolation {
  /// Creates the id of a text, for literals in code: `"card/\(number)"`.
  public init(stringLiteral text: String) {
    self.init(named: Text(text))
  }
}

extension ResourceID: ExpressibleByIntegerLiteral {
  /// Creates the id of a number, for literals in code: `Member(id: 1)`.
  public init(integerLiteral number: Int) {
    self.init(number)
  }
}

/// Coded as a number or a string.
extension ResourceID: Codable {
  /// Reads an id. Any string is accepted, because the key of a view model may be an id that no resource has.
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    if case .string(let text) = reader.value {
      self.init(named: text)
    } else {
      self.init(try reader.count())
    }
    DeclaredNames.current?.insert(text)
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A dictionary with ids as keys is coded as an object, in which all keys are texts.
extension ResourceID: CodingKeyRepresentable {
  public var codingKey: any CodingKey { text.codingKey }

  public init?(codingKey: some CodingKey) { self.init(named: Text(codingKey.stringValue)) }
}

extension JSONReader {
  /// Reads the id in a member; returns `assigned` if it is given and the member is absent or `null`.
  package func resourceID(
    _ name: Text, assigned: ResourceID?
  ) throws(JSONShapeError) -> ResourceID {
    if let assigned, try nullableMember(name) == nil { return assigned }
    return try ResourceID(member(name))
  }
}

extension ResourceID: Identifiable {
  public var id: ResourceID { self }
}

extension ResourceID: FieldValue {
  /// The ids of resources, which are numbers or texts.
  public static var valueType: ValueType<ResourceID> {
    ValueType(
      schema: ["$ref": "#/components/schemas/ResourceID"],
      read: ResourceID.init(_:), write: \.json)
  }
}
