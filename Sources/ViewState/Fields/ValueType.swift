public import CanonicalJSON

/// A type of JSON values: its JSON schema, and functions that read and write a Swift value.
///
/// Arguments of commands, fields of rows and fields of resources have such types.
///
/// ```swift
/// let score = ValueType.integer(0...999)
/// try score.read(JSONReader(12))    // 12
/// try score.read(JSONReader(1000))  // throws JSONShapeError: expected a whole number from 0 to 999
/// ```
public struct ValueType<Value: Sendable>: Sendable {
  /// The JSON schema (draft 2020-12) of what `write` gives.
  public let schema: JSONValue
  /// The JSON schema of what `read` takes, if it takes more than `write` gives.
  public let inputSchema: JSONValue
  /// The value of a member that is absent or null; `nil` if the member is required.
  let absent: Value?
  /// Whether `write` never leaves the member out.
  let isAlwaysWritten: Bool
  private let reading: @Sendable (JSONReader) throws(JSONShapeError) -> Value
  let writing: @Sendable (Value) -> JSONValue?

  /// Declares a type of values.
  ///
  /// ```swift
  /// struct Colour: FieldValue {
  ///   static let valueType = ValueType(schema: ["type": "string"], read: Colour.init(_:), write: \.json)
  ///
  ///   init(_ json: JSONReader) throws(JSONShapeError) { … }
  ///   var json: JSONValue { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - schema: The JSON schema of what `write` gives.
  ///   - input: The JSON schema of what `read` takes, if `read` takes more than `write` gives.
  ///   - absent: The value of a member that is absent or null; `nil` if the member is required.
  ///   - read: Returns the value, or throws an error with the pointer of the reader if the JSON does not
  ///     match the schema.
  ///   - write: Returns JSON that `read` reads as an equal value; `nil` leaves the member out.
  public init(
    schema: JSONValue, input: JSONValue? = nil, absent: Value? = nil,
    read: @escaping @Sendable (JSONReader) throws(JSONShapeError) -> Value,
    write: @escaping @Sendable (Value) -> JSONValue?
  ) {
    self.init(schema, input ?? schema, absent, absent == nil, read, write)
  }

  private init(
    _ schema: JSONValue, _ inputSchema: JSONValue, _ absent: Value?, _ isAlwaysWritten: Bool,
    _ read: @escaping @Sendable (JSONReader) throws(JSONShapeError) -> Value,
    _ write: @escaping @Sendable (Value) -> JSONValue?
  ) {
    self.schema = schema
    self.inputSchema = inputSchema
    self.absent = absent
    self.isAlwaysWritten = isAlwaysWritten
    reading = read
    writing = write
  }

  /// Whether a member of this type must be present.
  var isRequired: Bool { absent == nil }

  /// Reads and checks a value.
  ///
  /// - Throws: `JSONShapeError` if the value does not match the schema.
  public func read(_ json: JSONReader) throws(JSONShapeError) -> Value { try reading(json) }

  /// Reads and checks the member of an object.
  ///
  /// - Throws: `JSONShapeError` if the member is required and absent, or if its value is wrong.
  public func read(_ name: Text, of object: JSONReader) throws(JSONShapeError) -> Value {
    try read(name, or: [], of: object)
  }

  /// Reads and checks the first member of an object that is present under one of several names. The members
  /// under the names after it count as unknown, because they are not kept.
  func read(
    _ name: Text, or aliases: [Text], of object: JSONReader
  ) throws(JSONShapeError) -> Value {
    if let member = try object.nullableMember(name) {
      try Self.note(aliases[...], of: object)
      return try reading(member)
    }
    for (index, alias) in aliases.enumerated() {
      guard let member = try object.nullableMember(alias) else { continue }
      try Self.note(aliases[(index + 1)...], of: object)
      return try reading(member)
    }
    if let absent { return absent }
    guard !aliases.isEmpty else { return try reading(object.member(name)) }
    let names = ([name] + aliases).map { "\"\($0)\"" }.joined(separator: " or ")
    throw object.error("expected a member \(names)")
  }

  /// Collects the members of an object under names that are not read.
  private static func note(
    _ unread: ArraySlice<Text>, of object: JSONReader
  ) throws(JSONShapeError) {
    guard !unread.isEmpty else { return }
    try object.noteUnknownMembers { !unread.contains($0) }
  }

  /// Returns the value as JSON; `nil` if its member is left out.
  public func write(_ value: Value) -> JSONValue? { writing(value) }

  /// Returns the same type with a sentence for client developers in its schema.
  public func described(_ summary: String) -> ValueType {
    let description: JSONValue = ["description": .string(summary)]
    return ValueType(
      schema.mergePatched(with: description), inputSchema.mergePatched(with: description), absent,
      isAlwaysWritten, reading, writing)
  }

  /// Returns the same type with a value for a member that is absent or null in a body. The member is always
  /// written.
  ///
  /// ```swift
  /// Field("score", \Player.score, .integer(0...999).defaulting(to: 0))
  /// ```
  public func defaulting(to value: Value) -> ValueType {
    ValueType(schema, inputSchema, value, true, reading, writing)
  }

  /// The type of a member that may be left out.
  ///
  /// In a list of fields write `.optional(.text(3...254))`.
  public var optional: ValueType<Value?> {
    // Captured alone: for a value of a generic type, the closures would look up its size at each call.
    let (reading, writing) = (reading, writing)
    return ValueType<Value?>(
      schema: schema, input: inputSchema, absent: .some(nil),
      read: { (json) throws(JSONShapeError) in try reading(json) },
      write: { $0.flatMap(writing) })
  }

  /// Returns the same type of JSON for another Swift type.
  ///
  /// A type of your own that is a ``FieldValue`` can be a member of a ``Resource`` and of a row, and an argument of a
  /// command. If it is also `Codable`, it can be a property of a state, and of a type that is decoded from the values
  /// of a form. For example, this type reads the value of a field of the kind `date`:
  ///
  /// ```swift
  /// struct Day: RawRepresentable, Codable, Hashable, Comparable, FieldValue {
  ///   /// The first moment of the day in UTC, for `Language.date(_:)`.
  ///   let start: Timestamp
  ///
  ///   init?(rawValue: String) {
  ///     guard rawValue.utf8.count == 10, let start = Timestamp(rawValue) else { return nil }
  ///     self.start = start
  ///   }
  ///
  ///   var rawValue: String { String(start.description.prefix(10)) }
  ///
  ///   static let valueType = String.valueType.map(
  ///     "expected a day such as 2026-11-27", read: Day.init(rawValue:), write: \.rawValue
  ///   ).described("A day, such as `2026-11-27`.")
  ///
  ///   static func < (left: Day, right: Day) -> Bool { left.start < right.start }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - message: The message of the error if `read` returns `nil`.
  ///   - read: Returns the other value; `nil` refuses the JSON.
  ///   - write: Returns the value from which `read` makes an equal one; `nil` leaves the member out.
  public func map<Other: Sendable>(
    _ message: String, read: @escaping @Sendable (Value) -> Other?,
    write: @escaping @Sendable (Other) -> Value?
  ) -> ValueType<Other> {
    let (reading, writing) = (reading, writing)
    return ValueType<Other>(
      schema: schema, input: inputSchema, absent: absent.flatMap(read),
      read: { (json) throws(JSONShapeError) in
        guard let value = read(try reading(json)) else { throw json.error(message) }
        return value
      },
      write: { write($0).flatMap(writing) })
  }
}

extension ValueType {
  /// Describes a member that may be left out.
  ///
  /// ```swift
  /// Field("email", \Member.email, .optional(.text(3...254)))
  /// ```
  public static func optional<Wrapped: Sendable>(_ type: ValueType<Wrapped>) -> ValueType
  where Value == Wrapped? { type.optional }
}

extension ValueType<Text> {
  /// Returns the type of texts of a length in Unicode scalars, as JSON Schema counts it.
  public static func text(_ length: ClosedRange<Int> = 0...1000) -> ValueType {
    var schema: [Text: JSONValue] = ["type": "string", "maxLength": .integer(length.upperBound)]
    if length.lowerBound > 0 { schema["minLength"] = .integer(length.lowerBound) }
    return text(
      .object(schema), "a text of \(length.lowerBound) to \(length.upperBound) characters"
    ) { length.contains($0.string.unicodeScalars.count) }
  }

  /// Returns the type of texts of a limited size in bytes, for stores that limit their memory.
  public static func text(atMostBytes limit: Int) -> ValueType {
    text(
      ["type": "string", "maxLength": .integer(limit)], "at most \(limit) bytes of text"
    ) { $0.byteCount <= limit }.described("At most \(limit) bytes.")
  }

  /// Returns the type of the texts for which a condition holds.
  ///
  /// - Parameter expected: A description of the valid texts, which the error for another text contains.
  package static func text(
    _ schema: JSONValue, _ expected: String = "a text",
    where isValid: @escaping @Sendable (Text) -> Bool = { _ in true }
  ) -> ValueType {
    ValueType(
      schema: schema,
      read: { (json) throws(JSONShapeError) in
        let text = try json.string()
        guard isValid(text) else { throw json.error("expected \(expected)") }
        return text
      }, write: { .string($0) })
  }
}

extension ValueType<Int> {
  /// Returns the type of whole numbers in a range, by default from -2^53 to 2^53, which all JSON libraries
  /// keep exact.
  public static func integer(
    _ range: ClosedRange<Int> = JSONValue.interoperableIntegers
  ) -> ValueType {
    var schema: [Text: JSONValue] = ["type": "integer"]
    if range != JSONValue.interoperableIntegers {
      schema["minimum"] = .integer(range.lowerBound)
      schema["maximum"] = .integer(range.upperBound)
    }
    return ValueType(
      schema: .object(schema),
      read: { (json) throws(JSONShapeError) in
        let number = try json.integer()
        guard range.contains(number) else {
          throw json.error(
            "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
      }, write: { .integer($0) })
  }
}

extension ValueType<JSONValue> {
  /// Returns the type of any JSON. The screen or store that takes a value must check it.
  public static func json(schema: JSONValue = [:]) -> ValueType {
    ValueType(schema: schema, read: { (json) throws(JSONShapeError) in json.value }, write: { $0 })
  }
}

extension ValueType where Value: CaseIterable {
  /// Returns the type of the names of all cases.
  ///
  /// - Parameter name: Returns the name of a case.
  /// - Precondition: The names differ.
  public static func choice(named name: @escaping @Sendable (Value) -> String) -> ValueType {
    let values = Dictionary(uniqueKeysWithValues: Value.allCases.map { (Text(name($0)), $0) })
    let names = Value.allCases.map { Text(name($0)) }
    let expected = names.map { "\"\($0)\"" }.joined(separator: " or ")
    return ValueType(
      schema: ["type": "string", "enum": .array(names.map(JSONValue.string))],
      read: { (json) throws(JSONShapeError) in
        guard let value = values[try json.string()] else {
          throw json.error("expected \(expected)")
        }
        return value
      }, write: { .string(name($0)) })
  }
}

extension ValueType
where
  Value: CaseIterable & RawRepresentable,
  Value.RawValue: ExpressibleByStringLiteral & CustomStringConvertible
{
  /// Returns the type of the raw values of all cases, for an enumeration whose raw values are `Text` or `String`.
  public static func choice() -> ValueType { choice(named: { $0.rawValue.description }) }
}

extension ValueType {
  /// Returns the type of lists of values.
  ///
  /// - Parameters:
  ///   - element: The type of the elements.
  ///   - limit: The largest number of elements; `nil` if only the size of requests limits it.
  public static func list<Element: Sendable>(
    of element: ValueType<Element>, atMost limit: Int? = 1000
  ) -> ValueType where Value == [Element] {
    func schema(_ items: JSONValue) -> JSONValue {
      var schema: [Text: JSONValue] = ["type": "array", "items": items]
      schema["maxItems"] = limit.map(JSONValue.integer)
      return .object(schema)
    }
    return ValueType(
      schema: schema(element.schema), input: schema(element.inputSchema),
      read: { (json) throws(JSONShapeError) in
        let elements = try json.elements()
        if let limit, elements.count > limit {
          throw json.error("expected at most \(limit) elements")
        }
        var values: [Element] = []
        for item in elements { values.append(try element.read(item)) }
        return values
      },
      write: { .array($0.map { element.write($0) ?? .null }) })
  }
}
