public import CanonicalJSON

/// The reason why a screen refuses a command, which changes nothing then. The client gets a 422.
///
/// ```swift
/// throw .unknown("item", id)                               // there is no item 7
/// throw Refusal("score", "the score would be out of range")
/// ```
public struct Refusal: Error, Codable, Hashable, Sendable {
  /// The place of the wrong member in the body.
  public let pointer: JSONPointer
  /// A sentence for people on what is wrong.
  public let message: String

  /// Refuses a member of the body.
  public init(pointer: JSONPointer, message: String) {
    self.pointer = pointer
    self.message = message
  }

  /// Refuses a body for an error in its JSON.
  public init(_ error: JSONShapeError) {
    self.init(pointer: error.pointer, message: error.message)
  }

  /// Refuses an argument.
  public init(_ argument: Text, _ message: String) {
    self.init(pointer: JSONPointer.root.appending(argument), message: message)
  }

  /// Refuses an argument that is the id of no element: "there is no item 7".
  public static func unknown(_ argument: Text, _ id: some CustomStringConvertible) -> Refusal {
    Refusal(argument, "there is no \(argument) \(id)")
  }
}
