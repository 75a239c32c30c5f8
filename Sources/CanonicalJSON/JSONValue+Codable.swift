/// Encodes the JSON value, not the cases of the enumeration.
extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: CodingStep.self) {
      var members: [Text: JSONValue] = [:]
      for key in object.allKeys {
        members[Text(key.stringValue)] = try object.decode(JSONValue.self, forKey: key)
      }
      self = .object(members)
    } else if var array = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !array.isAtEnd { elements.append(try array.decode(JSONValue.self)) }
      self = .array(elements)
    } else {
      self = try JSONValue(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int.self),
      Self.interoperableIntegers.contains(integer)
    {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self), number.isFinite {
      self = .number(number)
    } else {
      self = .string(try container.decode(Text.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: CodingStep.self)
      for (name, value) in members {
        try container.encode(value, forKey: CodingStep(stringValue: name.string))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null, .bool, .integer, .number, .string:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}
