/// Encodes the JSON value, not the cases of the enumeration.
extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    if let json = decoder.json {
      self = json
    } else if let object = try? decoder.container(keyedBy: CodingStep.self) {
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
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .string(try container.decode(Text.self))
    }
    if !isWritable {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "JSON cannot represent the number exactly")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer where encoder.makesJSONValues, .number where encoder.makesJSONValues:
      // As an `Int` or a `Double` some numbers become strings.
      var container = encoder.singleValueContainer()
      try container.encode(self)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value): try value.encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    case .array(let elements): try elements.encode(to: encoder)
    case .object(let members): try members.encode(to: encoder)
    }
  }
}
