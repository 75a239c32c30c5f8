import CanonicalJSON

/// Describes a field for a line of text, which may have to be an e-mail address, an address on the
/// web or a number, of a certain length, or of certain characters.
///
/// The rules have names. A free pattern would let whoever describes a form keep the server busy.
struct TextGenerator: TextFieldGenerator {
  static let kind: Text = "text"
  static let rowType: Text = "textField"
  static let schema: [Text: JSONValue] = FieldFace.schema.merging([
    "default": ["type": "string"],
    "inputType": ["enum": .array(TextInputType.allCases.map { .string($0.rawValue) })],
    "characters": ["enum": .array(TextCharacters.allCases.map { .string($0.rawValue) })],
    "minLength": length("The least number of code points."),
    "maxLength": length("The most."),
    "min": ["type": "number", "description": "The least number, of a number."],
    "max": ["type": "number", "description": "The greatest."],
  ]) { $1 }
  static let required: [Text] = ["label"]
  static let codes: [FieldFault.Code] =
    [.required, .tooShort, .tooLong, .tooSmall, .tooLarge]
    + TextInputType.allCases.compactMap(\.code) + [TextCharacters.code]

  private static let possibleLengths = 1...1_000

  /// The longest text that is right, in bytes: the most code points of four bytes.
  static let mostBytes = 4 * possibleLengths.upperBound

  var frame: RowFrame
  let face: FieldFace
  let inputType: TextInputType
  let characters: TextCharacters?
  let minLength: Int?
  let maxLength: Int?
  let bounds: NumberBounds
  private(set) var initial: Text = ""
  var entry = FieldEntry<Text>(value: "")

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    face = try FieldFace(reader)
    inputType = try reader.nullableMember("inputType")?.oneOf(TextInputType.self) ?? .text
    characters = try reader.nullableMember("characters")?.oneOf(TextCharacters.self)
    minLength = try reader.nullableMember("minLength")?.integer(in: Self.possibleLengths)
    maxLength = try reader.nullableMember("maxLength")?.integer(in: Self.possibleLengths)
    if let minLength, let maxLength, maxLength < minLength {
      throw try reader.member("maxLength").error("the greatest length is below the least")
    }
    bounds = try NumberBounds(reader, of: inputType)
    initial = try readDefault(reader) ?? ""
    entry.value = initial
  }

  var configuration: [Text: JSONValue] {
    var members = bounds.json
    if inputType != .text { members["inputType"] = .string(inputType.rawValue) }
    members["characters"] = characters.map { .string($0.rawValue) }
    members["minLength"] = minLength.map(JSONValue.integer)
    members["maxLength"] = maxLength.map(JSONValue.integer)
    return configuration(members)
  }

  var input: [Text: JSONValue] {
    var members = bounds.json
    members["type"] = .string(inputType.rawValue)
    members["maxLength"] = maxLength.map(JSONValue.integer)
    return members
  }

  func fault(of value: Text) -> FieldFault? {
    let text = value.trimmed
    // Not characters as people see them, whose number depends on the version of Unicode.
    let length = text.string.unicodeScalars.count
    if let minLength, length < minLength {
      return FieldFault(.tooShort, "At least \(minLength) characters are needed.")
    }
    if length > maxLength ?? Self.possibleLengths.upperBound {
      return FieldFault(
        .tooLong, "At most \(maxLength ?? Self.possibleLengths.upperBound) characters fit.")
    }
    return characters?.fault(of: text) ?? inputType.fault(of: text) ?? bounds.fault(of: text)
  }

  private static func length(_ description: String) -> JSONValue {
    [
      "type": "integer", "minimum": .integer(possibleLengths.lowerBound),
      "maximum": .integer(possibleLengths.upperBound), "description": .string(description),
    ]
  }
}

extension FieldFault.Code {
  static let tooShort = Self(rawValue: "too-short")
  static let tooLong = Self(rawValue: "too-long")
}
