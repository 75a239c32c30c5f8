public import CanonicalJSON

/// Why a screen does not take a command. Nothing has changed.
///
/// ```swift
/// throw .unknown("item", id)                               // there is no item 7
/// throw Refusal("score", "the score would be out of range")
/// ```
public struct Refusal: Error, Codable, Hashable, Sendable {
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

  /// Refuses an argument.
  public init(_ argument: Text, _ message: String) {
    self.init(pointer: JSONPointer.root.appending(argument), message: message)
  }

  /// Refuses an argument that names something that is not there.
  public static func unknown(_ argument: Text, _ id: some CustomStringConvertible) -> Refusal {
    Refusal(argument, "there is no \(argument) \(id)")
  }
}
