public import CanonicalJSON

/// An input with its place in the order of all inputs.
public struct Entry: Codable, Hashable, Sendable {
  /// The number of the input, from 1.
  public let position: Int
  /// The time of the input. If that of the previous input is later, because another server has sent that one, the input
  /// is applied at the later time.
  public let time: Timestamp
  /// The input.
  public let input: JSONValue

  /// Creates an entry that was read from a journal.
  public init(position: Int, time: Timestamp, input: JSONValue) {
    self.position = position
    self.time = time
    self.input = input
  }
}
