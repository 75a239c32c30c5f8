/// The place of a value that is encoded or decoded: the keys that lead to it.
///
/// A place refers to the place of the enclosing value, so that a step inwards costs the same at any depth.
final class CodingPlace {
  private let parent: CodingPlace?
  private let key: (any CodingKey)?
  /// The place of the outermost value in its document.
  private let base: JSONPointer
  let depth: Int
  /// Whether the JSON is a record, in which each number has a form: one that is not finite is a string.
  let isRecord: Bool

  init(base: JSONPointer = .root, isRecord: Bool = false) {
    (parent, key, self.base, depth) = (nil, nil, base, base.tokens.count)
    self.isRecord = isRecord
  }

  private init(parent: CodingPlace, key: any CodingKey) {
    (self.parent, self.key, base, depth) = (parent, key, parent.base, parent.depth + 1)
    isRecord = parent.isRecord
  }

  func below(_ key: any CodingKey) -> CodingPlace { CodingPlace(parent: self, key: key) }
  func below(_ index: Int) -> CodingPlace { below(CodingStep(intValue: index)) }

  /// Whether a container at this place is nested so deep that the parser could not read it again. So a value that
  /// refers to itself causes an error instead of a stack overflow.
  var isTooDeep: Bool { depth >= JSONLimits.greatestDepth }
  static let tooDeep = "the value nests deeper than \(JSONLimits.greatestDepth) levels"

  /// Returns the JSON of a double at this place; `nil` if it has none.
  func json(_ double: Double) -> JSONValue? {
    if isRecord, !double.isFinite { return .string(Text("\(double)")) }
    return JSONValue.exact(double)
  }

  /// Reads a double that ``json(_:)`` has returned; returns `nil` if the value is not a double.
  func double(_ json: JSONValue) -> Double? {
    if let double = json.exactDouble { return double }
    guard isRecord, case .string(let text) = json, let double = Double(text.string),
      !double.isFinite, self.json(double) == json
    else { return nil }
    return double
  }

  /// The keys from the outermost value on.
  ///
  /// - Complexity: O(*d*), where *d* is the depth.
  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var place = self
    while let key = place.key, let parent = place.parent {
      keys.append(key)
      place = parent
    }
    return keys.reversed()
  }

  var pointer: JSONPointer { pointer(to: codingPath) }

  /// Returns the place to which a coding path leads from the outermost value.
  func pointer(to codingPath: [any CodingKey]) -> JSONPointer {
    JSONPointer(tokens: base.tokens + JSONPointer(codingPath).tokens)
  }
}

/// A step to an element of an array, to a member, or to the part of a class that its superclass encodes.
struct CodingStep: CodingKey {
  static let `super` = CodingStep(stringValue: "super")

  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    (self.stringValue, intValue) = (stringValue, nil)
  }

  init(intValue: Int) {
    (stringValue, self.intValue) = (String(intValue), intValue)
  }
}

extension JSONPointer {
  /// Creates the pointer to the place to which a coding path leads.
  init(_ codingPath: [any CodingKey]) {
    self.init(tokens: codingPath.map { Text($0.stringValue) })
  }
}

extension JSONValue {
  /// Returns an integer so that every reader gets its exact value: beyond ``interoperableIntegers`` as a
  /// string of its digits.
  static func exact(_ integer: some FixedWidthInteger) -> JSONValue {
    if let number = Int(exactly: integer), interoperableIntegers.contains(number) {
      return .integer(number)
    }
    return .string(Text(String(integer)))
  }

  /// Returns a double so that reading it gives the same bits: negative zero, and a double that is written like
  /// an integer beyond ``interoperableIntegers``, as a string of its digits. Returns `nil` if it is not finite.
  static func exact(_ double: Double) -> JSONValue? {
    guard double.isFinite else { return nil }
    if double == 0, double.sign == .minus { return "-0" }
    guard double.magnitude > 0x1p53, double.magnitude < 1e21 else { return .number(double) }
    return .string(JSONValue.number(double).description)
  }

  /// Reads an integer that ``exact(_:)-(FixedWidthInteger)`` has written; returns `nil` if the value is not an
  /// integer of this type. `1.0` is the same number as `1`.
  func exactInteger<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
    switch self {
    case .integer(let integer): return Integer(exactly: integer)
    case .number(let number): return number.exactInteger.flatMap { Integer(exactly: $0) }
    case .string(let digits):
      guard let integer = Integer(digits.string), .exact(integer) == self else { return nil }
      return integer
    default: return nil
    }
  }

  /// Reads a double that ``exact(_:)-(Double)`` has written; returns `nil` if the value is not a double.
  var exactDouble: Double? {
    switch self {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    case .string(let digits):
      guard let double = Double(digits.string), .exact(double) == self else { return nil }
      return double
    default: return nil
    }
  }
}
