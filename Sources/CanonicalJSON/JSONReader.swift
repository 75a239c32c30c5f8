/// A typed cursor over a document. Each step either succeeds or throws an error with the location
/// of the invalid value.
///
/// ```swift
/// struct User {
///   var id: Int
///   var email: Text?
///
///   init(_ json: JSONReader) throws(JSONShapeError) {
///     try json.rejectUnknownMembers(allowed: ["id", "email"])
///     id = try json.member("id").integer()
///     email = try json.nullableMember("email")?.string()
///   }
/// }
/// let document: JSONValue = ["users": [["id": 1]]]
/// let users = try JSONReader(document).member("users").elements().map(User.init)
/// ```
public struct JSONReader: Sendable {
  /// The value at the cursor.
  public let value: JSONValue
  /// The location of the value in the document.
  public let pointer: JSONPointer
  /// Collects unknown members at and below the cursor. If it is `nil`, unknown members are refused.
  private let unknownMembers: UnknownMembers?

  /// Creates a cursor on a value, by default on a whole document.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - pointer: The location of the value, for error messages.
  ///   - unknownMembers: Collects unknown members. If it is `nil`, they are refused.
  public init(
    _ value: JSONValue, pointer: JSONPointer = .root, noting unknownMembers: UnknownMembers? = nil
  ) {
    self.value = value
    self.pointer = pointer
    self.unknownMembers = unknownMembers
  }

  private func below(_ value: JSONValue, _ pointer: JSONPointer) -> JSONReader {
    JSONReader(value, pointer: pointer, noting: unknownMembers)
  }

  /// Creates an error at this location, for a check that the caller makes.
  public func error(_ message: String) -> JSONShapeError {
    JSONShapeError(pointer: pointer, message: message)
  }

  /// Creates an error at a member of the object, whether or not it is there.
  package func error(in member: Text, _ message: String) -> JSONShapeError {
    JSONShapeError(pointer: pointer.appending(member), message: message)
  }

  private func mismatch(_ expected: String) -> JSONShapeError {
    error("expected \(expected), found \(value.kindDescription)")
  }
}

extension JSONReader {
  /// Returns the members of the object at the cursor.
  ///
  /// - Throws: ``JSONShapeError`` if the value is not an object; so do all methods that read
  ///   members.
  @discardableResult
  public func object() throws(JSONShapeError) -> [Text: JSONValue] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members
  }

  /// The names of the object's members, sorted by their bytes.
  public var memberNames: [Text] {
    get throws(JSONShapeError) { try object().keys.sorted() }
  }

  /// Returns a required member, which may be null.
  ///
  /// - Throws: ``JSONShapeError`` if the member is missing.
  public func member(_ name: Text) throws(JSONShapeError) -> JSONReader {
    guard let member = try optionalMember(name) else {
      throw error(in: name, "the member is missing")
    }
    return member
  }

  /// Returns a member, or `nil` if it is absent. A null is returned like any other value, because
  /// formats such as a merge patch distinguish it from an absent member.
  ///
  /// - Throws: An error if the value is not an object.
  public func optionalMember(_ name: Text) throws(JSONShapeError) -> JSONReader? {
    guard let value = try object()[name] else { return nil }
    return below(value, pointer.appending(name))
  }

  /// Returns a member, or `nil` if it is absent or null.
  ///
  /// - Throws: An error if the value is not an object.
  public func nullableMember(_ name: Text) throws(JSONShapeError) -> JSONReader? {
    guard let member = try optionalMember(name), !member.isNull else { return nil }
    return member
  }

  /// Returns the object without one of its members.
  ///
  /// - Throws: An error if the value is not an object.
  public func omitting(_ name: Text) throws(JSONShapeError) -> JSONReader {
    var members = try object()
    members[name] = nil
    return below(.object(members), pointer)
  }

  /// Returns the object with a value for a member that is absent or null.
  package func filling(_ name: Text, with value: JSONValue) throws(JSONShapeError) -> JSONReader {
    guard try nullableMember(name) == nil else { return self }
    var members = try object()
    members[name] = value
    return below(.object(members), pointer)
  }

  /// Refuses members other than the given ones. If unknown members are collected, it collects all of them instead.
  ///
  /// - Throws: An error if the value is not an object, or one that points to the first of them in the order of bytes.
  public func rejectUnknownMembers(allowed: Set<Text>) throws(JSONShapeError) {
    try rejectUnknownMembers(besides: allowed) { allowed.contains($0) }
  }

  /// Refuses members that are not allowed, as ``rejectUnknownMembers(allowed:)`` does.
  ///
  /// - Parameters:
  ///   - known: The names that the message lists.
  ///   - isAllowed: Returns whether a member is allowed.
  package func rejectUnknownMembers(
    besides known: @autoclosure () -> Set<Text>, unless isAllowed: (Text) -> Bool
  ) throws(JSONShapeError) {
    if unknownMembers != nil { return try noteUnknownMembers(unless: isAllowed) }
    guard let name = try object().keys.filter({ !isAllowed($0) }).min() else { return }
    let names = known().sorted().map(\.string).joined(separator: ", ")
    throw error(
      in: name, "the member is unknown: expected \(names.isEmpty ? "none" : "one of \(names)")")
  }

  /// Collects members other than the given ones, and never refuses one. It has no effect if unknown
  /// members are not collected.
  ///
  /// - Throws: An error if members are collected, and the value is not an object.
  public func noteUnknownMembers(besides known: Set<Text>) throws(JSONShapeError) {
    try noteUnknownMembers { known.contains($0) }
  }

  /// Collects members that are not known, and never refuses one. It has no effect if unknown members are not
  /// collected.
  package func noteUnknownMembers(
    unless isKnown: (Text) -> Bool
  ) throws(JSONShapeError) {
    guard let unknownMembers else { return }
    for name in try object().keys.filter({ !isKnown($0) }).sorted() {
      unknownMembers.add(pointer.appending(name))
    }
  }
}

extension JSONReader {
  /// Whether the value is null.
  public var isNull: Bool { value == .null }

  /// Returns the string at the cursor.
  ///
  /// - Throws: ``JSONShapeError`` for any other kind of value; so do the methods below.
  public func string() throws(JSONShapeError) -> Text {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  /// Returns the integer at the cursor. `1.0` is accepted, because it is the same number as `1`.
  public func integer() throws(JSONShapeError) -> Int {
    switch value {
    case .integer(let integer): return integer
    case .number(let number):
      guard let integer = number.exactInteger else {
        // Every number from 2^53 on is whole. `rounded` would compile to a call of `trunc`.
        let isTooLarge = number.magnitude >= 0x1p63
        throw error(
          "expected an integer, found "
            + (isTooLarge ? "one that is too large" : "a number with a fraction"))
      }
      return integer
    default: throw mismatch("an integer")
    }
  }

  /// Returns the count at the cursor: an integer from 0 to 2^53, to which 1 can be added without an overflow.
  package func count() throws(JSONShapeError) -> Int {
    let integer = try integer()
    guard integer >= 0, JSONValue.interoperableIntegers.contains(integer) else {
      throw error("expected a count from 0, found \(integer)")
    }
    return integer
  }

  /// Returns the number at the cursor as a double.
  public func number() throws(JSONShapeError) -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw mismatch("a number")
    }
  }

  /// Returns the boolean at the cursor.
  public func bool() throws(JSONShapeError) -> Bool {
    guard case .bool(let bool) = value else { throw mismatch("a boolean") }
    return bool
  }

  /// Returns the elements of the array at the cursor, each with its location.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the number of elements and *d* the depth of the
  ///   array.
  public func elements() throws(JSONShapeError) -> [JSONReader] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { below($1, pointer.appending($0)) }
  }
}
