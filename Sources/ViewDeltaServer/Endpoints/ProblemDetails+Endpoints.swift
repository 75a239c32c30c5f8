import HTTPTypes
public import MicroHTTP

/// The problems that the endpoints share.
extension ProblemDetails {
  static let unknownScreen = ProblemDetails(
    status: .notFound, code: "unknown-screen", detail: "there is no screen of this name")

  static let unknownKey = ProblemDetails(
    status: .notFound, code: "unknown-key", detail: "the screen has nothing to show for this key")

  static let deletedKey = ProblemDetails(
    status: .gone, code: "key-deleted", detail: "what the key named was deleted")

  /// The 422 problem for a key that came with another request before.
  static let reusedKey = ProblemDetails(
    status: .unprocessableContent, code: "idempotency-key-reused",
    detail: "the Idempotency-Key came with another request before")

  /// The 500 problem for a screen that cannot show what it holds for a key.
  static let screenFailed = ProblemDetails(
    status: .internalServerError, code: "screen-failed",
    detail: "the screen cannot show what it holds for this key; the server has logged why")

  /// The 410 problem for a page that begins behind an element that is not there. It may have been there,
  /// and its place is not remembered: a client that reads page by page has to begin again.
  public static let afterGone = ProblemDetails(
    status: .gone, code: "after-gone",
    detail: "there is no element of the id in after, or no longer: begin again without after")

  static func badParameter(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-query", detail: detail)
  }

  static func preconditionFailed(
    _ detail: String, fields: HTTPFields = [:]
  ) -> ProblemDetails {
    ProblemDetails(
      status: .preconditionFailed, code: "precondition-failed", detail: detail, fields: fields)
  }

  static func revisionExpired(_ reason: ResetReason, fields: HTTPFields = [:]) -> ProblemDetails {
    ProblemDetails(
      status: .gone, code: "revision-expired",
      detail: "the revision is not one that this screen keeps",
      extensions: ["reason": reason.rawValue], fields: fields)
  }
}
