import CanonicalJSON
import TestSupport

struct Point: Codable, Hashable {
  var x: Double
  var y: Double
}

enum Colour: Text, Codable, CodingKeyRepresentable, CaseIterable {
  case red
  case blue
}

enum Shape: Codable, Hashable {
  case none
  case circle(at: Point, radius: Float)
}

/// Reads itself with a cursor and writes itself as a list.
struct Pair: Codable, Hashable {
  var x: Int
  var y: Int?

  init(x: Int, y: Int?) { (self.x, self.y) = (x, y) }

  init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    let numbers = try reader.elements()
    guard numbers.count == 2 else { throw reader.error("the point has no y") }
    (x, y) = (try numbers[0].integer(), try numbers[1].integer())
  }

  func encode(to encoder: any Encoder) throws {
    try JSONValue.array([.integer(x), .integer(y ?? 0)]).encode(to: encoder)
  }
}

struct Sample: Codable, Hashable {
  var text: Text = "t"
  var absent: String?
  var small: Int8 = .min
  var big = Int64.max
  var unsigned = UInt64.max
  var number = 0.1
  var float: Float = 0.5
  var colour = Colour.red
  var shape = Shape.none
  var tags: Set<String> = []
  var byColour: [Colour: Int] = [:]
  var byPoint: [Point: String] = [:]
  var path: [Path] = [.pair(Pair(x: 1, y: -1)), .empty]
  var document: JSONValue = .null

  enum Path: Codable, Hashable {
    case pair(Pair)
    case empty

    init(from decoder: any Decoder) throws {
      let isEmpty = try decoder.unkeyedContainer().isAtEnd
      self = isEmpty ? .empty : .pair(try Pair(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .pair(let pair): try pair.encode(to: encoder)
      case .empty: _ = encoder.unkeyedContainer()
      }
    }
  }
}

/// Codes itself as its JSON.
struct Wrapper: Codable {
  let json: JSONValue

  init(json: JSONValue) { self.json = json }

  init(from decoder: any Decoder) throws { json = try JSONValue(from: decoder) }

  func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

struct Nested: Codable, Equatable {
  var inner: [Nested]?
}

class Base: Codable {
  var name: String

  init(name: String) { self.name = name }
}

final class Derived: Base {
  var count: Int

  enum Key: String, CodingKey {
    case nested
    case list
    case count
  }

  init(name: String, count: Int) {
    self.count = count
    super.init(name: name)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var list = try container.nestedContainer(keyedBy: Key.self, forKey: .nested)
      .nestedUnkeyedContainer(forKey: .list)
    guard try list.decodeNil() else { throw list.fault }
    count = try list.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .count)
    var flags = try list.nestedUnkeyedContainer()
    guard try flags.decode(Bool.self), flags.isAtEnd, list.isAtEnd else { throw list.fault }
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var nested = container.nestedContainer(keyedBy: Key.self, forKey: .nested)
    var list = nested.nestedUnkeyedContainer(forKey: .list)
    try list.encodeNil()
    var inner = list.nestedContainer(keyedBy: Key.self)
    var flags = list.nestedUnkeyedContainer()
    // Containers may be written to in any order.
    try flags.encode(true)
    try inner.encode(count, forKey: .count)
    try super.encode(to: container.superEncoder())
  }
}

extension UnkeyedDecodingContainer {
  fileprivate var fault: DecodingError {
    DecodingError.dataCorruptedError(in: self, debugDescription: "not as it was written")
  }
}

/// Asks for containers of several kinds: 0 for an object, 1 for an array, 2 for a single value.
struct Mixed: Encodable {
  let kinds: [Int]

  func encode(to encoder: any Encoder) throws {
    for kind in kinds {
      switch kind {
      case 0: _ = encoder.container(keyedBy: Derived.Key.self)
      case 1: _ = encoder.unkeyedContainer()
      default:
        var container = encoder.singleValueContainer()
        try container.encode(kind)
      }
    }
  }
}

extension SeededGenerator {
  mutating func sample() -> Sample {
    var sample = Sample()
    sample.text = text()
    sample.absent = chance(0.5) ? text().string : nil
    sample.small = Int8(truncatingIfNeeded: next())
    sample.big = Int64(bitPattern: next())
    sample.unsigned = next() >> UInt64(number(in: 0...63))
    while true {
      sample.number = Double(bitPattern: next())
      if sample.number.isFinite { break }
    }
    sample.float = Float(number(in: -1_000...1_000)) / 7
    sample.colour = pick(Colour.allCases)
    sample.shape = chance(0.5) ? .none : .circle(at: point(), radius: 0.1)
    sample.tags = Set((0..<number(in: 0...5)).map { _ in text().string })
    for _ in 0..<number(in: 0...2) { sample.byColour[pick(Colour.allCases)] = number(in: 0...9) }
    for _ in 0..<number(in: 0...5) { sample.byPoint[point()] = text().string }
    sample.path = (0..<number(in: 0...3)).map { index in
      index == 1 ? .empty : .pair(Pair(x: index, y: -index))
    }
    sample.document = json()
    return sample
  }

  private mutating func point() -> Point {
    Point(x: Double(number(in: -3...3)), y: Double(number(in: -30...30)) / 10)
  }
}
