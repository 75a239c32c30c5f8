extension JSONValue {
  /// Encodes a value. Equal values give equal JSON in every process, also if their elements were inserted in
  /// different orders:
  ///
  /// ```swift
  /// struct Item: Codable { var name: String; var tags: Set<String> }
  /// let json = try JSONValue(encoding: Item(name: "Milk", tags: ["cold", "bio"]))
  /// print(json)  // {"name":"Milk","tags":["bio","cold"]}
  /// ```
  ///
  /// - A `Set`, and a `Dictionary` whose keys are not coding keys, is written in the order of the canonical
  ///   bytes of its elements. Other containers without an order must sort their elements. So must an `encode(to:)`
  ///   that passes its encoder on to that of a set: it hides from this function what it encodes.
  /// - An integer beyond ``interoperableIntegers`` is written as the string of its digits, and so is a
  ///   double that has no fraction and is beyond them but below 10^21, and negative zero, as `"-0"`. A
  ///   ``JSONValue`` stays as it is, so it must not have such an integer.
  /// - Bytes are written as an array of numbers, as `Data` encodes itself.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the size of the JSON; O(*n* log *n*) with sets.
  /// - Throws: ``JSONShapeError`` with the place in the JSON, for a number that is not finite, a
  ///   ``JSONValue`` with an integer beyond ``interoperableIntegers``, a value that is nested deeper than 512
  ///   levels or encodes itself twice, and for any error of an `encode(to:)`.
  public init(encoding value: some Encodable) throws(JSONShapeError) {
    try self.init(encoding: value, at: CodingPlace())
  }

  /// Encodes a value as ``init(encoding:)`` does, for ``decodeRecord(_:)`` alone: a number that is not finite is
  /// written as the string `"inf"`, `"-inf"` or `"nan"`.
  ///
  /// So a program that divides by zero can go on after a restart with what it had.
  package init(recording value: some Encodable) throws(JSONShapeError) {
    try self.init(encoding: value, at: CodingPlace(isRecord: true))
  }

  private init(encoding value: some Encodable, at place: CodingPlace) throws(JSONShapeError) {
    do {
      self = try place.encoded(value)
    } catch let error as JSONShapeError {
      throw error
    } catch EncodingError.invalidValue(_, let context) {
      throw JSONShapeError(
        pointer: place.pointer(to: context.codingPath), message: context.debugDescription)
    } catch {
      throw JSONShapeError(pointer: .root, message: "\(error)")
    }
  }
}

/// Encodes the value at one place.
private struct JSONValueEncoder: Encoder {
  let written: WrittenValue
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    written.begin(.object)
    return KeyedEncodingContainer(KeyedContainer(written: written, place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    written.begin(.array)
    return UnkeyedContainer(written: written, place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueContainer(written: written, place: place)
  }
}

extension Encoder {
  /// Whether the encoder is that of this library.
  var makesJSONValues: Bool { self is JSONValueEncoder }
}

/// The encoded parts of the value at one place. It is a class, because containers are values whose copies all
/// write to the same place.
private final class WrittenValue {
  enum Kind {
    case nothing
    case scalar
    case array
    case object
  }

  private var kind = Kind.nothing
  private var isMixed = false
  private var scalar = JSONValue.null
  private var elements: [JSONValue] = []
  private var members: [Text: JSONValue] = [:]
  /// The values of nested containers, which may not be complete yet.
  private var innerElements: [(Int, WrittenValue)] = []
  private var innerMembers: [Text: WrittenValue] = [:]

  var count: Int { elements.count }

  /// Records the kind of the value. A second kind is an error of the value's `encode(to:)`, which is thrown at
  /// the end.
  func begin(_ new: Kind) {
    if kind != .nothing, kind != new || kind == .scalar { isMixed = true }
    kind = new
  }

  func write(_ value: JSONValue) {
    begin(.scalar)
    scalar = value
  }

  func append(_ value: JSONValue) { elements.append(value) }

  func append(_ value: WrittenValue) {
    innerElements.append((elements.count, value))
    elements.append(.null)
  }

  func set(_ key: any CodingKey, _ value: JSONValue) {
    let name = Text(key.stringValue)
    members[name] = value
    innerMembers[name] = nil
  }

  func set(_ key: any CodingKey, _ value: WrittenValue) {
    innerMembers[Text(key.stringValue)] = value
  }

  /// Returns the complete value: an object without members if nothing was encoded.
  func finished(at place: CodingPlace) throws -> JSONValue {
    guard !isMixed else { throw place.invalid(self, "the value is encoded twice") }
    guard !place.isTooDeep else { throw place.invalid(self, CodingPlace.tooDeep) }
    switch kind {
    case .scalar: return scalar
    case .array:
      for (index, value) in innerElements {
        elements[index] = try value.finished(at: place.below(index))
      }
      return .array(elements)
    case .nothing, .object:
      for (name, value) in innerMembers {
        members[name] = try value.finished(at: place.below(CodingStep(stringValue: name.string)))
      }
      return .object(members)
    }
  }
}

extension CodingPlace {
  fileprivate func invalid(_ value: Any, _ message: String) -> EncodingError {
    .invalidValue(
      value, EncodingError.Context(codingPath: codingPath, debugDescription: message))
  }

  /// Encodes a value at this place.
  fileprivate func encoded<Value: Encodable>(_ value: Value) throws -> JSONValue {
    if let json = value as? JSONValue {
      do {
        try json.checkWritable(at: depth)
      } catch {
        throw error.within(pointer.tokens)
      }
      return json
    }
    if let text = value as? Text { return .string(text) }
    guard !isTooDeep else { throw invalid(value, Self.tooDeep) }
    let written = WrittenValue()
    do {
      try value.encode(to: JSONValueEncoder(written: written, place: self))
    } catch let error where !(error is EncodingError || error is JSONShapeError) {
      throw JSONShapeError(pointer: pointer, message: "\(error)")
    }
    let json = try written.finished(at: self)
    guard let unordered = Value.self as? any Unordered.Type else { return json }
    return json.sorted(inGroupsOf: unordered.elementsPerEntry)
  }

  fileprivate func encoded(_ double: Double, _ key: any CodingKey) throws -> JSONValue {
    guard let json = json(double) else { throw below(key).notFinite(double) }
    return json
  }

  fileprivate func notFinite(_ double: Double) -> EncodingError {
    invalid(double, "JSON has no number for NaN and infinity")
  }
}

/// A container of the standard library that encodes its elements in an order that differs in each process.
private protocol Unordered {
  /// The number of elements of the encoded array that belong together.
  static var elementsPerEntry: Int { get }
}

extension Set: Unordered {
  fileprivate static var elementsPerEntry: Int { 1 }
}

/// Encodes itself as an array of keys, each followed by its value, unless the keys are coding keys.
extension Dictionary: Unordered {
  fileprivate static var elementsPerEntry: Int { 2 }
}

extension JSONValue {
  /// Returns an array with its groups in the order of the canonical bytes of their first elements, and any
  /// other value unchanged.
  fileprivate func sorted(inGroupsOf count: Int) -> JSONValue {
    guard case .array(let elements) = self, elements.count > count else { return self }
    let groups = stride(from: 0, to: elements.count, by: count).map { start in
      (bytes: elements[start].canonicalBytes(), elements: elements[start..<start + count])
    }
    return .array(
      groups.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.flatMap(\.elements))
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let written: WrittenValue
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) { written.set(key, .null) }
  func encode(_ value: Bool, forKey key: Key) { written.set(key, .bool(value)) }
  func encode(_ value: String, forKey key: Key) { written.set(key, .string(value)) }

  func encode(_ value: Double, forKey key: Key) throws {
    written.set(key, try place.encoded(value, key))
  }

  func encode(_ value: Float, forKey key: Key) throws { try encode(Double(value), forKey: key) }

  func encode(_ value: some FixedWidthInteger & Encodable, forKey key: Key) {
    written.set(key, .exact(value))
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    written.set(key, try place.below(key).encoded(value))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder(forKey: key).container(keyedBy: keyedBy)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(forKey: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(forKey: CodingStep.super) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(forKey: key) }

  private func encoder(forKey key: any CodingKey) -> JSONValueEncoder {
    let inner = WrittenValue()
    written.set(key, inner)
    return JSONValueEncoder(written: inner, place: place.below(key))
  }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
  let written: WrittenValue
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int { written.count }

  func encodeNil() { written.append(.null) }
  func encode(_ value: Bool) { written.append(.bool(value)) }
  func encode(_ value: String) { written.append(.string(value)) }

  func encode(_ value: Double) throws {
    written.append(try place.encoded(value, CodingStep(intValue: count)))
  }

  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: some FixedWidthInteger & Encodable) { written.append(.exact(value)) }

  func encode(_ value: some Encodable) throws {
    written.append(try place.below(count).encoded(value))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    innerEncoder().container(keyedBy: keyedBy)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    innerEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { innerEncoder() }

  private func innerEncoder() -> JSONValueEncoder {
    let (inner, inside) = (WrittenValue(), place.below(count))
    written.append(inner)
    return JSONValueEncoder(written: inner, place: inside)
  }
}

private struct SingleValueContainer: SingleValueEncodingContainer {
  let written: WrittenValue
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() { written.write(.null) }
  func encode(_ value: Bool) { written.write(.bool(value)) }
  func encode(_ value: String) { written.write(.string(value)) }

  func encode(_ value: Double) throws {
    guard let json = place.json(value) else { throw place.notFinite(value) }
    written.write(json)
  }

  func encode(_ value: Float) throws { try encode(Double(value)) }
  func encode(_ value: some FixedWidthInteger & Encodable) { written.write(.exact(value)) }
  func encode(_ value: some Encodable) throws { written.write(try place.encoded(value)) }
}
