public import CanonicalJSON

/// Why a load did not end in a value.
///
/// Failures are compared by `code` alone: the message is prose for people and may be reworded or
/// translated without any client noticing a change.
public struct LoadFailure: Error, Codable, Sendable {
  /// A stable, machine-readable word such as `timed-out`.
  public let code: Text
  /// A sentence for people.
  public let message: String

  /// A failure with a code that clients may branch on, and prose that they may show.
  public init(code: Text, message: String) {
    self.code = code
    self.message = message
  }

  /// The work was called off before it had ended.
  public static let cancelled = LoadFailure(code: "cancelled", message: "The load was cancelled.")
  /// The source did not answer within the time the screen allows.
  public static let timedOut = LoadFailure(
    code: "timed-out", message: "The source did not answer in time.")
  /// The source answered that it cannot serve.
  public static let unavailable = LoadFailure(
    code: "unavailable", message: "The source is unavailable.")
  /// The source answered without the value that was asked for.
  public static let missing = LoadFailure(
    code: "missing", message: "The source has no such value.")
}

extension LoadFailure: Hashable {
  public static func == (left: LoadFailure, right: LoadFailure) -> Bool {
    left.code == right.code
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
  }
}
