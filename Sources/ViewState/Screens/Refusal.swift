public import CanonicalJSON

/// The reason why a screen refuses a command. A refused command changes nothing, and the client gets a 422.
///
/// ```swift
/// throw Refusal.unknown("item", id)                         // there is no item 7
/// throw Refusal("score", "the score would be out of range")
/// ```
public struct Refusal: Error, Codable, Hashable, Sendable {
  /// The location of the wrong member in the body.
  public let pointer: JSONPointer
  /// A sentence for people that says what is wrong.
  public let message: String

  /// Creates the refusal of a member of the body.
  public init(pointer: JSONPointer, message: String) {
    self.pointer = pointer
    self.message = message
  }

  /// Creates the refusal of a body with an error in its JSON.
  public init(_ error: JSONShapeError) {
    self.init(pointer: error.pointer, message: error.message)
  }

  /// Creates the refusal of an argument, or of the whole command if it is `type`.
  public init(_ argument: Text, _ message: String) {
    self.init(pointer: JSONPointer.root.appending(argument), message: message)
  }

  /// Returns the refusal of an argument that is the id of no element: "there is no item 7".
  public static func unknown(_ argument: Text, _ id: some CustomStringConvertible) -> Refusal {
    Refusal(argument, "there is no \(argument) \(id)")
  }
}
