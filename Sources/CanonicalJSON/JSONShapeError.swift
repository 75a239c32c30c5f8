/// A value that is well-formed JSON but not what its reader expects, and where it stands.
public struct JSONShapeError: Error, Hashable, Sendable {
  /// The place of the value at fault; of the missing member, where one is missing.
  public var pointer: JSONPointer
  /// One sentence for people: "expected a string, found a number".
  public var message: String

  public init(pointer: JSONPointer, message: String) {
    self.pointer = pointer
    self.message = message
  }
}

extension JSONShapeError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { pointer.isRoot ? message : "\(message) (\(pointer))" }
}
