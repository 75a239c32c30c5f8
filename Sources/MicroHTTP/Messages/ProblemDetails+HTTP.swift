import HTTPTypes

/// The problems that HTTP itself can have, before any handler sees the request.
extension ProblemDetails {
  static func badTarget(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-target", detail: detail)
  }

  static func badQuery(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-query", detail: detail)
  }

  static func badFraming(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-framing", detail: detail)
  }

  static func badHost(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-host", detail: detail)
  }

  static func foreignHost() -> ProblemDetails {
    ProblemDetails(
      status: .forbidden, code: "foreign-host",
      detail: "this server is not reached by the name in Host")
  }

  static func crossSite() -> ProblemDetails {
    ProblemDetails(
      status: .forbidden, code: "cross-site",
      detail: "a page of another origin may not change anything here")
  }

  static func badField(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-field", detail: detail)
  }

  static func notFound() -> ProblemDetails {
    ProblemDetails(status: .notFound, code: "not-found")
  }

  static func methodNotAllowed(allow: String) -> ProblemDetails {
    ProblemDetails(
      status: .methodNotAllowed, code: "method-not-allowed", detail: "allowed: \(allow)",
      fields: [.allow: allow])
  }

  static func notImplemented(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .notImplemented, code: "not-implemented", detail: detail)
  }

  static func expectationFailed() -> ProblemDetails {
    ProblemDetails(
      status: .expectationFailed, code: "expectation-failed",
      detail: "only 100-continue can be expected")
  }

  static func targetTooLong(limit: Int) -> ProblemDetails {
    ProblemDetails(
      status: .uriTooLong, code: "target-too-long", detail: "the limit is \(limit) bytes")
  }

  static func fieldsTooLarge(_ configuration: ServerConfiguration) -> ProblemDetails {
    let (size, count) = (configuration.headerSizeLimit, configuration.headerCountLimit)
    return ProblemDetails(
      status: .requestHeaderFieldsTooLarge, code: "fields-too-large",
      detail: "the limits are \(size) bytes and \(count) fields; with its target and the head of "
        + "the reply, a head must fit into \(configuration.connectionMemory) bytes")
  }

  /// The 413 for a body of more bytes than the limit.
  public static func bodyTooLarge(limit: Int) -> ProblemDetails {
    ProblemDetails(
      status: .contentTooLarge, code: "body-too-large", detail: "the limit is \(limit) bytes")
  }

  static func tooManyBodies() -> ProblemDetails {
    ProblemDetails(
      status: .serviceUnavailable, code: "too-many-bodies",
      detail: "other requests hold all memory for request bodies", fields: [.retryAfter: "1"])
  }

  static func shuttingDown() -> ProblemDetails {
    ProblemDetails(
      status: .serviceUnavailable, code: "shutting-down", detail: "the server is shutting down",
      fields: [.retryAfter: "1"])
  }

  static func unanswered() -> ProblemDetails {
    ProblemDetails(
      status: .internalServerError, code: "unanswered", detail: "the handler gave no answer")
  }

  static func replyTooLarge(_ detail: String) -> ProblemDetails {
    ProblemDetails(
      status: .internalServerError, code: "reply-fields-too-large", detail: detail)
  }
}
