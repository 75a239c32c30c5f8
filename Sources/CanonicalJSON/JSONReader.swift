/// A typed cursor over a document: every step either succeeds or names the place of the fault.
public struct JSONReader: Sendable {
  /// The value under the cursor.
  public let value: JSONValue
  /// The place of the value in the document.
  public let pointer: JSONPointer
  /// Notes unknown members, here and below. If it is `nil`, unknown members are refused.
  private let unknownMembers: UnknownMembers?

  /// A cursor on a value, by default on a whole document whose members must all be known.
  ///
  /// - Parameter unknownMembers: notes those that are not, in place of a refusal.
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

  /// An error at this place, for checks that only the caller can make.
  public func error(_ message: String) -> JSONShapeError {
    JSONShapeError(pointer: pointer, message: message)
  }

  private func mismatch(_ expected: String) -> JSONShapeError {
    error("expected \(expected), found \(value.kindDescription)")
  }
}

extension JSONReader {
  /// The members of the object here.
  ///
  /// - Throws: ``JSONShapeError`` if this is no object; so do all that read members.
  @discardableResult
  public func object() throws(JSONShapeError) -> [Text: JSONValue] {
    guard case .object(let members) = value else { throw mismatch("an object") }
    return members
  }

  /// The names of the object's members, sorted by their bytes.
  public var memberNames: [Text] {
    get throws(JSONShapeError) { try object().keys.sorted() }
  }

  /// A member that must be there; it may be null.
  public func member(_ name: Text) throws(JSONShapeError) -> JSONReader {
    guard let member = try optionalMember(name) else {
      throw JSONShapeError(pointer: pointer.appending(name), message: "the member is missing")
    }
    return member
  }

  /// A member, or `nil` where the object has none of this name. A null is a member like any other,
  /// because contracts such as a merge patch tell it from an absent one.
  public func optionalMember(_ name: Text) throws(JSONShapeError) -> JSONReader? {
    guard let value = try object()[name] else { return nil }
    return below(value, pointer.appending(name))
  }

  /// A member, or `nil` where it is absent or null.
  public func nullableMember(_ name: Text) throws(JSONShapeError) -> JSONReader? {
    guard let member = try optionalMember(name), !member.isNull else { return nil }
    return member
  }

  /// The object without one of its members.
  public func omitting(_ name: Text) throws(JSONShapeError) -> JSONReader {
    var members = try object()
    members[name] = nil
    return below(.object(members), pointer)
  }

  /// Refuses members other than the named ones; the error points to the first of them by bytes.
  /// Where unknown members are noted it notes them all.
  public func rejectUnknownMembers(allowed: Set<Text>) throws(JSONShapeError) {
    if unknownMembers != nil { return try noteUnknownMembers(besides: allowed) }
    for name in try memberNames where !allowed.contains(name) {
      throw JSONShapeError(pointer: pointer.appending(name), message: "the member is unknown")
    }
  }

  /// Notes members other than the named ones, where they are noted, and never refuses one.
  public func noteUnknownMembers(besides known: Set<Text>) throws(JSONShapeError) {
    guard let unknownMembers else { return }
    for name in try memberNames where !known.contains(name) {
      unknownMembers.add(pointer.appending(name))
    }
  }
}

extension JSONReader {
  /// Whether the value is null.
  public var isNull: Bool { value == .null }

  /// The string here.
  ///
  /// - Throws: ``JSONShapeError`` for any other kind of value; so do the readers below.
  public func string() throws(JSONShapeError) -> Text {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  /// The integer here. `1.0` is the same number as `1` and is taken too.
  public func integer() throws(JSONShapeError) -> Int {
    switch value {
    case .integer(let integer): return integer
    case .number(let number):
      guard let integer = number.exactInteger else {
        throw error("expected an integer, found a number with a fraction")
      }
      return integer
    default: throw mismatch("an integer")
    }
  }

  /// The count here: an integer from 0 that every reader of JSON sees exactly, so that one may be added
  /// to it.
  public func count() throws(JSONShapeError) -> Int {
    let integer = try integer()
    guard integer >= 0, JSONValue.interoperableIntegers.contains(integer) else {
      throw error("expected a count from 0, found \(integer)")
    }
    return integer
  }

  /// The number here, as a double.
  public func number() throws(JSONShapeError) -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw mismatch("a number")
    }
  }

  /// The boolean here.
  public func bool() throws(JSONShapeError) -> Bool {
    guard case .bool(let bool) = value else { throw mismatch("a boolean") }
    return bool
  }

  /// The elements of the array here, each with its place.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is their number and *d* the depth of the array.
  public func elements() throws(JSONShapeError) -> [JSONReader] {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return elements.enumerated().map { below($1, pointer.appending($0)) }
  }
}
