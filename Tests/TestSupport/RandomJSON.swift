public import CanonicalJSON

extension SeededGenerator {
  /// Returns text with characters that are hard to encode: escapes, controls, other scripts, both
  /// forms of an accent, characters beyond the Basic Multilingual Plane.
  public mutating func text() -> Text {
    let pieces = [
      "a", "Bret", " ", "/", "\"", "\\", "\n", "\r", "\t", "\u{8}", "\u{C}", "\u{0}", "\u{1F}",
      "\u{7F}", "é", "e\u{301}", "ß", "日本", "\u{2028}", "\u{FFFF}", "😀", "👩‍👩‍👧", "~1",
    ]
    return Text((0..<number(in: 0...4)).map { _ in pick(pieces) }.joined())
  }

  /// Returns a double that parses back: any magnitude except those that are written as an integer
  /// beyond ±2^53.
  public mutating func double() -> Double {
    while true {
      let value =
        chance(0.5)
        ? Double(bitPattern: next())
        : Double(number(in: -1_000_000...1_000_000)) / pick([1, 8, 10, 1000, 1e9])
      if value.isFinite, value.magnitude <= 0x1p53 || value.magnitude >= 1e21 { return value }
    }
  }

  /// Returns a value of any kind, nested at most to the given depth.
  public mutating func json(depth: Int = 3) -> JSONValue {
    switch number(in: 0...(depth > 0 ? 7 : 5)) {
    case 0: return .null
    case 1: return .bool(chance(0.5))
    case 2: return .integer(number(in: -10...10))
    case 3: return .integer(number(in: JSONValue.interoperableIntegers))
    case 4: return .number(double())
    case 5: return .string(text())
    case 6: return .array((0..<number(in: 0...3)).map { _ in json(depth: depth - 1) })
    default:
      var members: [Text: JSONValue] = [:]
      for _ in 0..<number(in: 0...3) { members[text()] = json(depth: depth - 1) }
      return .object(members)
    }
  }
}

extension JSONValue {
  /// Returns the value with one part of it, at a random depth, removed or replaced by a random
  /// value.
  public func spoilt(_ random: inout SeededGenerator) -> JSONValue {
    switch self {
    case .array(var elements) where !elements.isEmpty && random.chance(0.9):
      let index = random.number(in: 0...(elements.count - 1))
      if random.chance(0.1) {
        elements.remove(at: index)
      } else if random.chance(0.1) {
        elements.append(elements[index])
      } else {
        elements[index] = elements[index].spoilt(&random)
      }
      return .array(elements)
    case .object(var members) where !members.isEmpty && random.chance(0.9):
      let name = random.pick(members.keys.sorted())
      members[name] = random.chance(0.1) ? nil : members[name]?.spoilt(&random)
      return .object(members)
    default:
      return random.chance(0.2) ? .string("9223372036854775807") : random.json()
    }
  }
}
