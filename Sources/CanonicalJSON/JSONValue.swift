/// A JSON value (RFC 8259) whose canonical encoding is the same in every process.
///
/// Two values are equal if and only if their canonical encodings are equal. Therefore strings and
/// member names are ``Text``, which is compared by its bytes, and `.integer(1)` equals
/// `.number(1.0)`.
///
/// ```swift
/// let value: JSONValue = ["name": "Ada", "scores": [1, 2.5, nil]]
/// let text = value.description  // {"name":"Ada","scores":[1,2.5,null]}
/// let parsed = try JSONValue(parsing: Array(text.utf8))
/// parsed == value  // true
/// ```
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number without a fraction. It must be in ``interoperableIntegers`` when it is written,
  /// because other programs read numbers as doubles (RFC 7493 §2.2). Send a larger one as a string.
  case integer(Int)
  /// Any other number. It must be finite when it is written.
  case number(Double)
  case string(Text)
  case array([JSONValue])
  case object([Text: JSONValue])
}

extension JSONValue {
  /// Creates a JSON string from a Swift string.
  public static func string(_ string: String) -> JSONValue { .string(Text(string)) }

  /// The integers that a double represents exactly, so that every JSON parser reads them alike (RFC
  /// 7493 §2.2).
  public static let interoperableIntegers: ClosedRange<Int> = -(1 << 53)...(1 << 53)

  /// The kind of the value with its article, for error messages: "a string", "an object".
  package var kindDescription: String {
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
  /// Parses one JSON document (RFC 8259) with the restrictions of I-JSON (RFC 7493).
  ///
  /// It refuses bytes that are not well-formed UTF-8, a byte order mark, repeated names in an
  /// object, half of a surrogate pair, integers beyond ±2^53, numbers beyond the range of a double,
  /// nesting beyond the limit, and anything but white space after the value. The canonical encoding
  /// of an accepted document parses to the same value. For that reason it refuses a number such as
  /// `1e17`, whose encoding is an integer beyond ±2^53. It reads a number too small for a double as
  /// zero. Unlike RFC 7493 §2.1 it accepts Unicode's noncharacters (Unicode corrigendum 9 allows
  /// their interchange).
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of bytes.
  /// - Throws: ``JSONParseError`` with the position of the first error.
  public init(
    parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default
  ) throws(JSONParseError) {
    // An array is not copied.
    var parser = JSONParser(bytes: Array(bytes), limits: limits)
    self = try parser.parseDocument()
  }
}

extension JSONValue {
  /// Encodes the value as canonical JSON: UTF-8, members sorted by the UTF-8 bytes of their names,
  /// no white space, strings and numbers as ECMAScript's `JSON.stringify` writes them (RFC 8785
  /// §3.2.2).
  ///
  /// It differs from RFC 8785 only in the order of members: bytes instead of UTF-16 code units, so
  /// that a client can sort with the comparison of its language. The two orders differ only for
  /// names outside the Basic Multilingual Plane.
  ///
  /// - Precondition: Every number is finite and every integer is in ``interoperableIntegers``.
  /// - Complexity: O(*n* log *m*), where *n* is the number of bytes and *m* the largest number of
  ///   members of one object.
  public func canonicalBytes() -> [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// The number of bytes of ``canonicalBytes()``, in less time: members need not be sorted to be counted.
  ///
  /// - Precondition: That of ``canonicalBytes()``.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public var canonicalByteCount: Int {
    switch self {
    case .null: 4
    case .bool(let value): value ? 4 : 5
    case .integer(let value): String(value).utf8.count
    case .number: canonicalBytes().count
    case .string(let text): JSONWriter.size(of: text)
    case .array(let elements):
      elements.reduce(max(2, elements.count + 1)) { $0 + $1.canonicalByteCount }
    case .object(let members):
      members.reduce(max(2, 2 * members.count + 1)) { size, member in
        size + JSONWriter.size(of: member.key) + member.value.canonicalByteCount
      }
    }
  }
}

extension JSONValue {
  /// Whether ``canonicalBytes()`` writes the value so that the parser reads it: each number is finite, none is
  /// written as an integer beyond ``interoperableIntegers``, and the value nests no deeper than the parser can go.
  ///
  /// - Complexity: O(*n*), where *n* is the number of values.
  package var isWritable: Bool { isWritable(levels: JSONLimits.greatestDepth) }

  private func isWritable(levels: Int) -> Bool {
    switch self {
    case .null, .bool, .string: true
    case .integer(let integer): Self.interoperableIntegers.contains(integer)
    case .number(let number): number.isWritable
    case .array(let elements):
      levels > 0 && elements.allSatisfy { $0.isWritable(levels: levels - 1) }
    case .object(let members):
      levels > 0 && members.values.allSatisfy { $0.isWritable(levels: levels - 1) }
    }
  }

  /// Checks that ``canonicalBytes()`` can write the value, which code may have computed.
  ///
  /// - Parameter depth: The number of arrays and objects around the value; 0 unless given.
  /// - Throws: ``JSONShapeError`` with the place of the first part that cannot be written: see ``isWritable``.
  /// - Complexity: That of ``isWritable``.
  package func checkWritable(at depth: Int = 0) throws(JSONShapeError) {
    if !isWritable(levels: JSONLimits.greatestDepth - depth) { throw unwritablePart(at: .root) }
  }

  /// Encodes a value that code may have computed.
  ///
  /// - Throws: ``JSONShapeError`` with the place of the first part that cannot be written: see ``isWritable``.
  /// - Complexity: That of ``canonicalBytes()``.
  package func checkedBytes() throws(JSONShapeError) -> [UInt8] {
    try checkWritable()
    return canonicalBytes()
  }

  private func unwritablePart(at place: JSONPointer) -> JSONShapeError {
    switch self {
    case .array(let elements):
      if let index = elements.firstIndex(where: { !$0.isWritable }) {
        return elements[index].unwritablePart(at: place.appending("\(index)"))
      }
    case .object(let members):
      if let (name, value) = members.filter({ !$0.value.isWritable }).min(by: { $0.key < $1.key }) {
        return value.unwritablePart(at: place.appending(name))
      }
    default: break
    }
    switch self {
    case .integer, .number:
      return JSONShapeError(
        pointer: place,
        message: "JSON cannot represent this number: it is not finite, or beyond ±2^53")
    default:
      return JSONShapeError(
        pointer: place, message: "nests deeper than \(JSONLimits.greatestDepth) levels")
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The canonical JSON of the value as text.
  public var description: String { String(decoding: canonicalBytes(), as: UTF8.self) }
}

extension JSONValue {
  /// Returns the value at a location in this document (RFC 6901 §4). Returns `nil` if there is
  /// none: for an unknown member, an index that is out of range, has leading zeros or is `-`, or a
  /// step into a scalar.
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
  /// Applies a JSON Merge Patch (RFC 7396 §2) and returns the result. Members of the patch replace
  /// those of the value, objects are merged member by member, `null` removes a member, and a patch
  /// that is not an object replaces the whole value.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of values in the patch and of members of the objects that
  ///   it changes.
  public func mergePatched(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    // A target that is not an object is treated as an empty one (RFC 7396 §2, second test of the
    // pseudocode).
    var members: [Text: JSONValue] = if case .object(let members) = self { members } else { [:] }
    // Growing step by step takes half of the time for a patch of many members.
    if changes.count > members.count { members.reserveCapacity(members.count + changes.count) }
    for (name, change) in changes {
      let old = members.removeValue(forKey: name)
      if case .null = change { continue }
      members[name] = (old ?? .null).mergePatched(with: change)
    }
    return .object(members)
  }
}

extension JSONValue: Hashable {
  /// Returns whether two values have the same canonical encoding.
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

  /// Hashes the value. An integral double is hashed as an integer, because the two are equal.
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
  /// Creates an object with the given members.
  ///
  /// - Precondition: No name is repeated.
  public init(dictionaryLiteral elements: (Text, JSONValue)...) {
    self = .object(Dictionary(uniqueKeysWithValues: elements))
  }
}

extension Double {
  /// Whether the canonical text of the number is read as the same number: it is finite, and no integer beyond
  /// ``JSONValue/interoperableIntegers``. From 10^21 on the text has an exponent.
  fileprivate var isWritable: Bool {
    let greatest = Double(JSONValue.interoperableIntegers.upperBound)
    return isFinite && (magnitude <= greatest || magnitude >= 1e21)
  }

  /// The number as an integer, or `nil` if it has a fraction or exceeds the range of `Int`.
  ///
  /// `Int(exactly:)` gives the same result, but compiles to a call of the C library's `trunc`,
  /// which a client that imports nothing else of the C library cannot link on Linux.
  var exactInteger: Int? {
    guard self >= -0x1p63, self < 0x1p63 else { return nil }
    let integer = Int(self)
    return Double(integer) == self ? integer : nil
  }
}
