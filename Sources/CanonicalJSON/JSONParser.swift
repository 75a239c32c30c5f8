/// A recursive descent parser over the bytes of one document, which remembers where it is.
///
/// `JSONValue.init(parsing:limits:)` documents what it accepts.
struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  var position = 0
  /// The steps from the root to the value being read, kept only for error messages.
  private var path: [Step] = []

  private enum Step {
    case name(Text)
    case index(Int)
  }

  init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func parseDocument() throws(JSONParseError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw error(.byteOrderMark, "a byte order mark is not part of JSON", at: 0)
    }
    skipWhiteSpace()
    guard position < bytes.count else { throw error(.empty, "there is no value") }
    let value = try parseValue()
    skipWhiteSpace()
    guard position == bytes.count else {
      throw error(.trailingContent, "nothing may follow the value")
    }
    return value
  }

  private mutating func parseValue() throws(JSONParseError) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "{"): return .object(try parseObject())
    case UInt8(ascii: "["): return .array(try parseArray())
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func parseObject() throws(JSONParseError) -> [Text: JSONValue] {
    try enter()
    var members: [Text: JSONValue] = [:]
    if try peek() == UInt8(ascii: "}") {
      position += 1
      return members
    }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
      let start = position
      let name = try parseString()
      path.append(.name(name))
      guard members[name] == nil else {
        throw error(.duplicateName, "the object has this name already", at: start)
      }
      skipWhiteSpace()
      guard try peek() == UInt8(ascii: ":") else { throw unexpected("a colon") }
      position += 1
      skipWhiteSpace()
      members[name] = try parseValue()
      path.removeLast()
      if try takesEnd(UInt8(ascii: "}"), named: "brace") { return members }
    }
  }

  private mutating func parseArray() throws(JSONParseError) -> [JSONValue] {
    try enter()
    var elements: [JSONValue] = []
    if try peek() == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      path.append(.index(elements.count))
      elements.append(try parseValue())
      path.removeLast()
      if try takesEnd(UInt8(ascii: "]"), named: "bracket") { return elements }
    }
  }

  /// Steps over what follows a member or an element: the end of its object or array, or a comma.
  private mutating func takesEnd(
    _ end: UInt8, named name: String
  ) throws(JSONParseError) -> Bool {
    skipWhiteSpace()
    let byte = try peek()
    guard byte == end || byte == UInt8(ascii: ",") else {
      throw unexpected("a comma or a closing \(name)")
    }
    position += 1
    if byte == end { return true }
    skipWhiteSpace()
    return false
  }

  /// Steps over the opening bracket and the white space behind it. The path has one step per open
  /// array or object, so its length is the depth.
  private mutating func enter() throws(JSONParseError) {
    guard path.count < limits.maximumDepth else {
      throw error(.tooDeep, "the document nests deeper than \(limits.maximumDepth) levels")
    }
    position += 1
    skipWhiteSpace()
  }

  private mutating func parseWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONParseError) -> JSONValue {
    for expected in String(describing: word).utf8 {
      guard try peek() == expected else { throw unexpected("\(word)") }
      position += 1
    }
    return value
  }
}

extension JSONParser {
  /// The byte to be read next.
  func peek() throws(JSONParseError) -> UInt8 {
    guard position < bytes.count else { throw error(.unexpectedEnd, "the document is cut off") }
    return bytes[position]
  }

  mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// The error for a byte that is not what the grammar wants here.
  func unexpected(_ expected: String) -> JSONParseError {
    error(.unexpectedCharacter, "expected \(expected)")
  }

  func error(
    _ code: JSONParseError.Code, _ message: String, at offset: Int? = nil
  ) -> JSONParseError {
    let tokens = path.map { step in
      switch step {
      case .name(let name): name
      case .index(let index): Text(String(index))
      }
    }
    return JSONParseError(
      code: code, message: message, offset: offset ?? position,
      pointer: JSONPointer(tokens: tokens))
  }
}
