import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

extension ProblemDetails {
  static let unknownScreen = ProblemDetails(
    status: .notFound, code: "unknown-screen", detail: "there is no screen of this name")

  static func noScreen(named name: Text) -> ProblemDetails {
    var problem = unknownScreen
    problem.detail = "there is no screen \(name)"
    return problem
  }

  static let unknownKey = ProblemDetails(
    status: .notFound, code: "unknown-key", detail: "the screen has no view model for this key")

  static let unknownRow = ProblemDetails(
    status: .notFound, code: "unknown-row",
    detail: "the view model has no row with this id, or at this path")

  static let malformedSession = ProblemDetails(
    status: .notFound, code: "malformed-session",
    detail: "the session after @ must have 22 to 128 letters, digits, - and _")

  static let deletedKey = ProblemDetails(
    status: .gone, code: "key-deleted", detail: "the key was deleted")

  /// The 422 problem for a key that was used for another request before.
  static let reusedKey = ProblemDetails(
    status: .unprocessableContent, code: "idempotency-key-reused",
    detail: "the Idempotency-Key was used for another request before")

  /// The 503 problem for an input that the journal cannot record now, and which has changed nothing.
  static let notRecorded = ProblemDetails(
    status: .serviceUnavailable, code: "not-recorded",
    detail: "the journal cannot record the change now; the request has changed nothing",
    fields: [.retryAfter: "1"])

  /// The 503 problem for an input if the journal has not confirmed in time that it is recorded.
  static let unconfirmed = ProblemDetails(
    status: .serviceUnavailable, code: "unconfirmed",
    detail: "the journal has not confirmed the change, which may still be made; "
      + "send it again with the same Idempotency-Key",
    fields: [.retryAfter: "1"])

  /// The 503 problem for a revision that the journal may have, and that this server has not reached in time.
  static let behind = ProblemDetails(
    status: .serviceUnavailable, code: "behind",
    detail: "this server has not reached the revision yet", fields: [.retryAfter: "1"])

  /// The 500 problem for a screen that cannot be shown for a key.
  static let screenFailed = ProblemDetails(
    status: .internalServerError, code: "screen-failed",
    detail: "the screen cannot be shown for this key; the server has logged the reason")

  /// The 500 problem for a reply with a number that JSON cannot represent, whose place is logged.
  static func unwritable(_ error: JSONShapeError) -> ProblemDetails {
    ProblemDetails(
      status: .internalServerError, code: "unwritable-number",
      detail:
        "the reply would have a number that JSON cannot represent; the server has logged its place",
      fault: "\(error.pointer): \(error.message)")
  }

  /// The 410 problem for a page that begins after a missing element. If the element was deleted, its place is
  /// unknown, so a client that reads page by page has to begin again.
  public static let afterGone = ProblemDetails(
    status: .gone, code: "after-gone",
    detail: "there is no element with the id in after; begin again without after")

  static func preconditionFailed(
    _ detail: String, fields: HTTPFields = [:]
  ) -> ProblemDetails {
    ProblemDetails(
      status: .preconditionFailed, code: "precondition-failed", detail: detail, fields: fields)
  }

  static func revisionExpired(_ reason: ResetReason, fields: HTTPFields = [:]) -> ProblemDetails {
    ProblemDetails(
      status: .gone, code: "revision-expired",
      detail: "the view model does not keep this revision",
      extensions: ["reason": reason.rawValue], fields: fields)
  }
}

extension MissingElement {
  /// The 404 problem.
  public var problem: ProblemDetails {
    ProblemDetails(status: .notFound, code: code.string, detail: detail.string)
  }
}

extension ProblemDetails {
  /// Creates the problem for a request that a store refuses: 404 for a missing element, 409 for an id in use
  /// or a full store, 412 for a version that the condition excludes, 422 for a malformed document, with a pointer, or
  /// an `Idempotency-Key` of another request, and 503 if the journal cannot record or confirm the write.
  public init(_ error: StoreError) {
    switch error {
    case .missing(let resource):
      self = resource.problem
    case .duplicateID(let id):
      self.init(
        status: .conflict, code: "duplicate-id", detail: "the id \(id) is in use", pointer: "/id")
    case .changedMeanwhile:
      self = .preconditionFailed("If-Match or If-None-Match excludes the current version")
    case .malformed(let error):
      self.init(error)
    case .reusedKey:
      self = .reusedKey
    case .full:
      self.init(
        status: .conflict, code: "store-full", detail: "the store is full")
    case .notRecorded:
      self = .notRecorded
    case .unconfirmed:
      self = .unconfirmed
    }
  }
}
