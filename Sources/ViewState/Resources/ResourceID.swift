public import CanonicalJSON

/// The id of a user or a post: a JSON number or string, compared by its bytes, so that `1` and
/// `"1"` name the same thing, in a path as in a body.
public struct ResourceID: Hashable, Sendable, CustomStringConvertible {
  /// What stands in paths and in the ids of rows.
  public let text: Text
  private let isNumber: Bool

  /// The id that is this JSON number.
  public init(_ number: Int) {
    self.init(text: Text(String(number)), isNumber: true)
  }

  /// The id that a path names. A text that no resource can have names none.
  public init(named text: Text) {
    self.init(text: text, isNumber: false)
  }

  private init(text: Text, isNumber: Bool) {
    self.text = text
    self.isNumber = isNumber
  }

  /// An id from a JSON number or string.
  ///
  /// - Throws: `JSONShapeError` for any other type, a negative number, and a text that could not
  ///   stand in a path: empty, over 128 bytes, with `/` or control characters, `.` or `..`.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    if case .string(let text) = reader.value, ResourceID.isValid(text) {
      self.init(text: text, isNumber: false)
    } else if let number = try? reader.integer(), number >= 0 {
      self.init(number)
    } else {
      throw JSONShapeError(
        pointer: reader.pointer,
        message: "expected an id: a whole number from 0, or a string of 1 to 128 bytes without"
          + " \"/\" and control characters, other than \".\" and \"..\"")
    }
  }

  /// The id as it is written in a document.
  public var json: JSONValue {
    isNumber ? Int(text.string).map(JSONValue.integer) ?? .string(text) : .string(text)
  }

  public var description: String { text.string }

  public static func == (left: ResourceID, right: ResourceID) -> Bool { left.text == right.text }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }

  /// Whether the text can be the key of a screen.
  private static func isValid(_ text: Text) -> Bool {
    (1...128).contains(text.byteCount) && text != "." && text != ".."
      && text.string.unicodeScalars.allSatisfy {
        $0 != "/" && $0.properties.generalCategory != .control
      }
  }
}

extension ResourceID: ExpressibleByStringLiteral {
  /// The id that a path names, for literals in code.
  public init(stringLiteral text: String) {
    self.init(named: Text(text))
  }
}

/// As the number or the string that it is.
extension ResourceID: Codable {
  /// Reads any string, for a key of a screen may be an id that no resource can have.
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    if case .string(let text) = reader.value {
      self.init(named: text)
    } else {
      self.init(try reader.count())
    }
  }

  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// A dictionary with ids for keys is written as an object. Whether a key was a number is lost.
extension ResourceID: CodingKeyRepresentable {
  public var codingKey: any CodingKey { text.codingKey }

  public init?(codingKey: some CodingKey) { self.init(named: Text(codingKey.stringValue)) }
}

extension ResourceID: Identifiable {
  public var id: ResourceID { self }
}
