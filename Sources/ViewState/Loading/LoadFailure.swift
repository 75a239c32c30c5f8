public import CanonicalJSON

/// The reason why a load, or a write of a ``Saving`` part, has failed.
///
/// ```swift
/// throw LoadFailure(code: "unknown-country", message: "There are no holidays for \(country).")
/// ```
///
/// Failures are equal if their codes are: the message is for people, and a new wording of it is no change
/// that a client sees.
public struct LoadFailure: Error, Codable, Sendable {
  /// A stable, machine-readable name such as `timed-out`.
  public let code: Text
  /// A sentence for people, which goes to the log.
  public let message: String

  /// Creates a failure with a code that clients may branch on, and a sentence for people.
  public init(code: Text, message: String) {
    self.code = code
    self.message = message
  }

  /// The load was cancelled.
  public static let cancelled = LoadFailure(code: "cancelled", message: "The load was cancelled.")
  /// The source did not answer within the time-out of the engine.
  public static let timedOut = LoadFailure(
    code: "timed-out", message: "The source did not answer in time.")
  /// The source cannot answer.
  public static let unavailable = LoadFailure(
    code: "unavailable", message: "The source is unavailable.")
  /// The source has no value for the key.
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

extension LoadFailure {
  /// The member `code` of a row that shows a failure.
  ///
  /// ```swift
  /// struct Line: Equatable { let id: Int; let failure: LoadFailure }
  /// RowType("sendError", of: Line.self, "A message that could not be sent.") {
  ///   LoadFailure.codeField.of(\.failure)
  ///   Action(send, "Retry") { $0.id }
  /// }
  /// ```
  public static let codeField = Field("code", \LoadFailure.code, .loadFailureCode)
}

extension RowType<LoadFailure> {
  /// Declares the rows that show a failure: its code, a text, and an action that tries again.
  ///
  /// ```swift
  /// static let failed = RowType.failure(
  ///   "sendError", "The message could not be sent.", "Couldn't send the message.", retry: send)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - summary: One sentence on the rows, for client developers.
  ///   - text: The text of the rows, for people.
  ///   - retry: The command that tries again.
  public static func failure<State>(
    _ name: Text, _ summary: String, _ text: Text, retry: Command<State>
  ) -> RowType {
    RowType(name, summary) {
      LoadFailure.codeField
      Field("text") { _ in text }
      Action(retry, "Retry")
    }
  }
}

extension ValueType<Text> {
  /// The code of a failure. The schema lists no codes, so that new ones do not break clients.
  fileprivate static var loadFailureCode: ValueType {
    ValueType(
      schema: ["$ref": "#/components/schemas/LoadFailureCode"],
      read: { (json) throws(JSONShapeError) in try json.string() }, write: { .string($0) })
  }
}
