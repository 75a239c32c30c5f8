/// The place of a value in what is encoded or decoded: the keys that lead to it.
///
/// A place refers to the one around it, so that a step inwards costs the same at any depth.
final class CodingPlace {
  /// How deep containers may nest: as deep as any parser here reads, so that what is written can be
  /// read again and a value that refers to itself ends in an error and not in an overflow.
  static let maximumDepth = JSONLimits.greatestDepth

  private let parent: CodingPlace?
  private let key: (any CodingKey)?
  /// The place of the outermost value in its document.
  private let base: JSONPointer
  let depth: Int

  init(base: JSONPointer = .root) {
    (parent, key, self.base, depth) = (nil, nil, base, base.tokens.count)
  }

  private init(parent: CodingPlace, key: any CodingKey) {
    (self.parent, self.key, base, depth) = (parent, key, parent.base, parent.depth + 1)
  }

  func below(_ key: any CodingKey) -> CodingPlace { CodingPlace(parent: self, key: key) }
  func below(_ index: Int) -> CodingPlace { below(CodingStep(intValue: index)) }

  /// Whether a container here would be too deep.
  var isTooDeep: Bool { depth >= Self.maximumDepth }
  static let tooDeep = "the value nests deeper than \(maximumDepth) levels"

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

  /// The place that a coding path leads to from the outermost value.
  func pointer(to codingPath: [any CodingKey]) -> JSONPointer {
    JSONPointer(tokens: base.tokens + JSONPointer(codingPath).tokens)
  }
}

/// A step to an element of an array, or to what a class encodes for its superclass.
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
  /// The place that a coding path leads to.
  init(_ codingPath: [any CodingKey]) {
    self.init(tokens: codingPath.map { Text($0.stringValue) })
  }
}

extension JSONValue {
  /// An integer as every reader sees it exactly: one beyond ``interoperableIntegers`` as the string of
  /// its digits.
  static func exact(_ integer: some FixedWidthInteger) -> JSONValue {
    if let number = Int(exactly: integer), interoperableIntegers.contains(number) {
      return .integer(number)
    }
    return .string(Text(String(integer)))
  }

  /// A double that reads back as the same bits: negative zero, and a double that is written like an
  /// integer beyond ``interoperableIntegers``, as the string of its digits. `nil` if it is not finite.
  static func exact(_ double: Double) -> JSONValue? {
    guard double.isFinite else { return nil }
    if double == 0, double.sign == .minus { return "-0" }
    guard double.magnitude > 0x1p53, double.magnitude < 1e21 else { return .number(double) }
    return .string(JSONValue.number(double).description)
  }

  /// The integer that ``exact(_:)-(FixedWidthInteger)`` writes like this, or `nil` if there is none of
  /// this type. `1.0` is the same number as `1`.
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

  /// The double that ``exact(_:)-(Double)`` writes like this, or `nil` if there is none.
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
