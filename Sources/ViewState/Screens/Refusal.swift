public import CanonicalJSON

/// Why a screen does not take a command. Nothing has changed.
public struct Refusal: Error, Hashable, Sendable {
  /// The member of the body that is at fault.
  public let pointer: JSONPointer
  /// What is wrong with it, for people.
  public let message: String

  /// A refusal of one member.
  public init(pointer: JSONPointer, message: String) {
    self.pointer = pointer
    self.message = message
  }

  /// A fault in the body's shape.
  public init(_ error: JSONShapeError) {
    self.init(pointer: error.pointer, message: error.message)
  }
}
