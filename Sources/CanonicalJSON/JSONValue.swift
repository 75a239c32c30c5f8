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

extension JSONValue {
  /// Reads one JSON document (RFC 8259), held to I-JSON (RFC 7493).
  ///
  /// Refused are: bytes that are not well-formed UTF-8, a byte order mark, a name twice in one
  /// object, half a surrogate pair, integers beyond ±2^53, numbers beyond a double, nesting beyond
  /// the limit, and anything but white space after the value. What is accepted reads back from its
  /// canonical encoding as the same value; for that reason a number such as `1e17`, which is
  /// written as an integer beyond ±2^53, is refused like that integer. A number too small for a
  /// double is read as zero. Unlike RFC 7493 §2.1, Unicode's noncharacters are accepted
  /// (Unicode corrigendum 9 allows their interchange).
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: ``JSONParseError`` with the place of the first fault.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONParseError) {
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.parseDocument()
  }

  /// Reads one JSON document from any collection of bytes; see ``init(parsing:limits:)-([UInt8],_)``.
  public init(
    parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default
  ) throws(JSONParseError) {
    try self.init(parsing: Array(bytes), limits: limits)
  }
}

extension JSONValue {
  /// The value's canonical JSON: UTF-8, members sorted by the UTF-8 bytes of their names, no white
  /// space, strings and numbers as ECMAScript's `JSON.stringify` writes them (RFC 8785 §3.2.2).
  ///
  /// The one difference from RFC 8785 is the order of members: bytes instead of UTF-16 code units,
  /// so that a client sorts with the comparison that its language has. The two orders differ only
  /// among names outside the Basic Multilingual Plane.
  ///
  /// - Precondition: every number is finite and every integer is in ``interoperableIntegers``.
  /// - Complexity: O(*n* log *m*), where *n* is the number of bytes and *m* the largest number of
  ///   members of one object.
  public func canonicalBytes() -> [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value's canonical JSON as text.
  public var description: String { String(decoding: canonicalBytes(), as: UTF8.self) }
}

extension JSONValue {
  /// The value at a place in this document (RFC 6901 §4), or `nil` where there is none: an unknown
  /// member, an index beyond the end, with leading zeros or `-`, or a step into a scalar.
  ///
  /// - Complexity: O(*d*), where *d* is the number of tokens.
  public func value(at pointer: JSONPointer) -> JSONValue? {
    var current = self
    for token in pointer.tokens {
      switch current {
      case .object(let members):
        guard let member = members[token] else { return nil }
        current = member
      case .array(let elements):
        guard let index = Int(token.string), Text(String(index)) == token,
          elements.indices.contains(index)
        else { return nil }
        current = elements[index]
      default:
        return nil
      }
    }
    return current
  }
}

extension JSONValue {
  /// The value after a JSON Merge Patch (RFC 7396 §2): members of the patch replace those of the
  /// value, objects merge member by member, `null` removes a member, and a patch that is no object
  /// replaces the whole value.
  ///
  /// - Complexity: O(*n*) where *n* is the number of values in the patch.
  public func mergePatched(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    // A target that is no object counts as an empty one (RFC 7396 §2, the pseudocode's second test).
    var members: [Text: JSONValue] = if case .object(let members) = self { members } else { [:] }
    for (name, change) in changes {
      let old = members.removeValue(forKey: name)
      if case .null = change { continue }
      members[name] = (old ?? .null).mergePatched(with: change)
    }
    return .object(members)
  }
}

extension JSONValue: Hashable {
  /// Whether the two values have the same canonical encoding.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the smaller value.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      number.exactInteger == integer
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes the value so that equal values hash alike: an integral double as the integer it is.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value):
      if let integer = value.exactInteger {
        hasher.combine(integer)
      } else {
        hasher.combine(value)
      }
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self = .number(value) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object with the given members. A name given twice is a programmer's error.
  public init(dictionaryLiteral elements: (Text, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension Double {
  /// The integer that this number is, or `nil` if it has a fraction or is beyond an `Int`.
  ///
  /// `Int(exactly:)` says the same, but compiles to a call of the C library's `trunc`, which a
  /// client that imports nothing else of the C library cannot link on Linux.
  var exactInteger: Int? {
    guard magnitude < 0x1p63 else { return nil }
    let integer = Int(self)
    return Double(integer) == self ? integer : nil
  }
}
