/// An error in the shape of a document that is well-formed JSON, with its location.
public struct JSONShapeError: Error, Codable, Hashable, Sendable {
  /// The location of the invalid value or of the missing member.
  public var pointer: JSONPointer
  /// One sentence for people: "expected a string, found a number".
  public var message: String

  /// Creates an error at a location.
  public init(pointer: JSONPointer, message: String) {
    self.pointer = pointer
    self.message = message
  }

  /// Creates an error at the location to which some tokens lead.
  public init(_ place: [Text], _ message: String) {
    self.init(pointer: JSONPointer(tokens: place), message: message)
  }

  /// Returns the same error with a pointer from an outer value.
  ///
  /// - Parameter tokens: The tokens that lead to the value in which `pointer` begins.
  public func within(_ tokens: some Sequence<Text>) -> JSONShapeError {
    JSONShapeError(Array(tokens) + pointer.tokens, message)
  }
}

extension JSONShapeError: CustomStringConvertible {
  /// The message and the location.
  public var description: String { pointer.isRoot ? message : "\(message) (\(pointer))" }
}
