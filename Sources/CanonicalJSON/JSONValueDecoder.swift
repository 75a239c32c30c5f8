extension JSONValue {
  /// Decodes a value from JSON that ``init(encoding:)`` has written, or that has the same shape.
  ///
  /// ```swift
  /// let json = try JSONValue(parsing: Array(#"{"name":"Milk","tags":[]}"#.utf8))
  /// let item = try json.decode(Item.self)
  /// ```
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the JSON.
  /// - Throws: ``JSONShapeError`` with the place of the first error: a missing member, a value of another
  ///   type, a number that does not fit its type, nesting beyond 512 levels, and any error of an
  ///   `init(from:)`. No document causes a trap unless an `init(from:)` does.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(JSONShapeError) -> Value {
    try JSONReader(self).decode(type)
  }

  /// Decodes a value from JSON that ``init(recording:)`` has written.
  package func decodeRecord<Value: Decodable>(_ type: Value.Type) throws(JSONShapeError) -> Value {
    try JSONReader(self).decode(type, at: CodingPlace(isRecord: true))
  }
}

extension JSONReader {
  /// Decodes the value at the cursor; see ``JSONValue/decode(_:)``.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(JSONShapeError) -> Value {
    try decode(type, at: CodingPlace(base: pointer))
  }

  fileprivate func decode<Value: Decodable>(
    _ type: Value.Type, at place: CodingPlace
  ) throws(JSONShapeError) -> Value {
    do {
      return try JSONValueDecoder(value: value, place: place).decoded(type)
    } catch let error as JSONShapeError {
      throw error
    } catch let error as DecodingError {
      let (codingPath, message) = error.place
      throw JSONShapeError(pointer: place.pointer(to: codingPath), message: message)
    } catch {
      throw self.error("\(error)")
    }
  }

  /// Creates a cursor on the value of a decoder, for an `init(from:)` that reads JSON itself. It may throw the
  /// errors of the cursor.
  ///
  /// ```swift
  /// extension Colour: Decodable {
  ///   init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }
  /// }
  /// ```
  public init(from decoder: any Decoder) throws {
    let pointer = (decoder as? JSONValueDecoder)?.place.pointer ?? JSONPointer(decoder.codingPath)
    self.init(try decoder.singleValueContainer().decode(JSONValue.self), pointer: pointer)
  }
}

/// Decodes the value at one place.
private struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else {
      throw mismatch([String: JSONValue].self, "an object")
    }
    DeclaredNames.current?.insert(members, of: Key.self)
    return KeyedDecodingContainer(KeyedContainer(members: members, place: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else {
      throw mismatch([JSONValue].self, "an array")
    }
    return UnkeyedContainer(elements: elements, place: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Decodes a value of any type. Its `init(from:)` may call this function again.
  func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
    if Value.self == JSONValue.self, let json = value as? Value { return json }
    if Value.self == Text.self, case .string(let text) = value, let text = text as? Value {
      return text
    }
    guard !place.isTooDeep else {
      throw DecodingError.dataCorrupted(context(CodingPlace.tooDeep))
    }
    do {
      let decoded = try Value(from: self)
      if case .string(let text) = value { DeclaredNames.current?.insert(text, for: decoded) }
      return decoded
    } catch let error where !(error is DecodingError || error is JSONShapeError) {
      throw JSONShapeError(pointer: place.pointer, message: "\(error)")
    }
  }

  func decodeNil() -> Bool { value == .null }

  func decode(_: Bool.Type) throws -> Bool {
    guard case .bool(let bool) = value else { throw mismatch(Bool.self, "a boolean") }
    return bool
  }

  func decode(_: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch(String.self, "a string") }
    return text.string
  }

  func decode(_: Double.Type) throws -> Double {
    guard let double = place.double(value) else { throw mismatch(Double.self, "a number") }
    return double
  }

  func decode(_: Float.Type) throws -> Float {
    let double = try decode(Double.self)
    let float = Float(double)
    guard float.isFinite || !double.isFinite else {
      throw mismatch(Float.self, "a number of single precision")
    }
    return float
  }

  func decode<Integer: FixedWidthInteger & Decodable>(_: Integer.Type) throws -> Integer {
    guard let integer = value.exactInteger(Integer.self) else {
      throw mismatch(Integer.self, "an integer of \(Integer.min)...\(Integer.max)")
    }
    // JSON has a number that not all readers keep exact as a string.
    if case .string(let text) = value { DeclaredNames.current?.insert(text) }
    return integer
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoded(type) }

  private func mismatch(_ type: any Any.Type, _ expected: String) -> DecodingError {
    let found =
      switch value {
      case .integer, .number: "\(value)"
      default: value.kindDescription
      }
    return .typeMismatch(type, context("expected \(expected), found \(found)"))
  }

  private func context(_ message: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: message)
  }
}

extension Decoder {
  /// The JSON that is decoded; `nil` if the decoder is not that of this library.
  var json: JSONValue? { (self as? JSONValueDecoder)?.value }
}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [Text: JSONValue]
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.codingPath }
  /// The keys in the order of their bytes, so that no result depends on the order of a dictionary.
  var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0.string) } }

  func contains(_ key: Key) -> Bool { members[Text(key.stringValue)] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(forKey: key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder(forKey: key).decode(type)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder(forKey: key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder(forKey: key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoder(forKey: key).decode(type)
  }
  func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type, forKey key: Key
  ) throws -> Integer {
    try decoder(forKey: key).decode(type)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(forKey: key).decoded(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder(forKey: key).container(keyedBy: keyedBy)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(forKey: CodingStep.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(forKey: key) }

  private func decoder(forKey key: any CodingKey) throws -> JSONValueDecoder {
    guard let value = members[Text(key.stringValue)] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: place.below(key).codingPath, debugDescription: "the member is missing"))
    }
    return JSONValueDecoder(value: value, place: place.below(key))
  }
}

private struct UnkeyedContainer: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let place: CodingPlace
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try next().decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try step { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try step { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try step { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try step { try $0.decode(type) } }
  mutating func decode<Integer: FixedWidthInteger & Decodable>(
    _ type: Integer.Type
  ) throws -> Integer {
    try step { try $0.decode(type) }
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try step { try $0.decoded(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try step { try $0.container(keyedBy: keyedBy) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try step { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try step { $0 } }

  private func next() throws -> JSONValueDecoder {
    let place = place.below(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        DecodingError.Context(
          codingPath: place.codingPath, debugDescription: "the array ends here"))
    }
    return JSONValueDecoder(value: elements[currentIndex], place: place)
  }

  /// Decodes an element, and advances to the next one if that does not throw.
  private mutating func step<Value>(
    _ decode: (JSONValueDecoder) throws -> Value
  ) throws -> Value {
    let value = try decode(next())
    currentIndex += 1
    return value
  }
}

extension DecodingError {
  /// The coding path from the outermost value to the error, and the message.
  fileprivate var place: ([any CodingKey], String) {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      (context.codingPath, context.debugDescription)
    @unknown default: ([], "\(self)")
    }
  }
}
