package import CanonicalJSON
public import HTTPTypes

/// An error reported to the client as `application/problem+json` (RFC 9457).
///
/// A handler throws it. The router converts it to a ``Response`` whose `instance` is the path of
/// the request.
///
/// ```swift
/// router.get("/users/{id}") { request throws(ProblemDetails) in
///   guard let id = request.parameters["id"], let user = users[id] else {
///     throw ProblemDetails(status: .notFound, code: "unknown-user", detail: "there is no such user")
///   }
///   return Response(status: .ok, body: user.json)
/// }
/// ```
public struct ProblemDetails: Error, Sendable, Equatable {
  /// The status of the reply, repeated in its body.
  public var status: HTTPResponse.Status
  /// A short stable identifier in kebab case that programs branch on, for example `not-found`.
  public var code: String
  /// A summary that is the same for every occurrence. The default is the reason phrase of the
  /// status.
  public var title: String
  /// The explanation of this occurrence for people; nil omits the member.
  public var detail: String?
  /// The JSON pointer (RFC 6901) to the invalid member of the request's body; nil omits the member.
  public var pointer: String?
  /// Additional members with string values. A member with the name of a standard one is ignored.
  public var extensions: [String: String]
  /// Additional header fields of the reply, for example `Allow` or `Retry-After`.
  public var fields: HTTPFields
  /// The reason why the request failed, for the log of the server; it is not sent.
  public var fault: String?

  /// The URI of the problem type: `urn:viewdelta:problem:` followed by the ``code``.
  public var type: String { "urn:viewdelta:problem:\(code)" }

  /// Creates a problem.
  ///
  /// - Parameters:
  ///   - status: The status of the reply, normally 4xx or 5xx.
  ///   - code: The stable identifier of the problem type, in kebab case.
  ///   - title: A summary; nil selects the reason phrase of the status.
  ///   - detail: The explanation of this occurrence.
  ///   - pointer: The JSON pointer to the invalid member of the request's body.
  ///   - extensions: Additional members.
  ///   - fields: Additional header fields of the reply.
  ///   - fault: The reason why the request failed, for the log.
  public init(
    status: HTTPResponse.Status, code: String, title: String? = nil, detail: String? = nil,
    pointer: String? = nil, extensions: [String: String] = [:], fields: HTTPFields = [:],
    fault: String? = nil
  ) {
    self.status = status
    self.code = code
    self.title = title ?? status.reasonPhrase
    self.detail = detail
    self.pointer = pointer
    self.extensions = extensions
    self.fields = fields
    self.fault = fault
  }

  /// Encodes the problem as a reply that caches must not store.
  ///
  /// - Parameter instance: The path of the request; nil omits the member.
  /// - Complexity: O(n), where n is the length of the texts.
  public func response(instance: String? = nil) -> Response {
    var fields = self.fields
    fields[.contentType] = "application/problem+json"
    fields[.cacheControl] = "no-store"
    return Response(
      status: status, fields: fields, body: json(instance: instance).canonicalBytes(),
      fault: fault, problem: code)
  }
}

/// Problems that the server itself reports, before or instead of a handler.
extension ProblemDetails {
  static func badTarget(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-target", detail: detail)
  }

  package static func badQuery(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-query", detail: detail)
  }

  static func badFraming(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-framing", detail: detail)
  }

  static func badHost(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-host", detail: detail)
  }

  static func foreignHost(_ host: String) -> ProblemDetails {
    ProblemDetails(
      status: .forbidden, code: "foreign-host",
      detail: "the host \(host) is not among the host names of the server")
  }

  static func crossSite() -> ProblemDetails {
    ProblemDetails(
      status: .forbidden, code: "cross-site",
      detail: "a page of another origin must not change the data of this server; "
        + "a proxy must pass Host on unchanged")
  }

  package static func badField(_ detail: String) -> ProblemDetails {
    ProblemDetails(status: .badRequest, code: "bad-field", detail: detail)
  }

  static func notFound() -> ProblemDetails {
    ProblemDetails(
      status: .notFound, code: "not-found", detail: "the server has nothing at this path")
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
      detail: "the only supported expectation is 100-continue")
  }

  static func targetTooLong() -> ProblemDetails {
    ProblemDetails(
      status: .uriTooLong, code: "target-too-long",
      detail: "the limit is \(ServerConfiguration.targetLimit) bytes")
  }

  static func fieldsTooLarge(_ configuration: ServerConfiguration) -> ProblemDetails {
    let (size, count) = (ServerConfiguration.fieldSizeLimit, ServerConfiguration.fieldCountLimit)
    return ProblemDetails(
      status: .requestHeaderFieldsTooLarge, code: "fields-too-large",
      detail: "the limits are \(size) bytes and \(count) fields; with its target and the head of "
        + "the reply, a head must fit into \(configuration.connectionMemory) bytes")
  }

  /// Creates the 413 problem for a body that exceeds the limit.
  package static func bodyTooLarge(limit: Int) -> ProblemDetails {
    ProblemDetails(
      status: .contentTooLarge, code: "body-too-large", detail: "the limit is \(limit) bytes")
  }

  static func tooManyBodies() -> ProblemDetails {
    ProblemDetails(
      status: .serviceUnavailable, code: "too-many-bodies",
      detail: "other requests use all memory for request bodies", fields: [.retryAfter: "1"])
  }

  static func tooManyReplies() -> ProblemDetails {
    ProblemDetails(
      status: .serviceUnavailable, code: "too-many-replies",
      detail: "replies that clients have not read yet use all memory for replies",
      fields: [.retryAfter: "1"])
  }

  package static func shuttingDown() -> ProblemDetails {
    ProblemDetails(
      status: .serviceUnavailable, code: "shutting-down", detail: "the server is shutting down",
      fields: [.retryAfter: "1"])
  }

  static func unanswered() -> ProblemDetails {
    ProblemDetails(
      status: .internalServerError, code: "unanswered", detail: "the handler did not answer")
  }

  static func replyTooLarge(_ detail: String) -> ProblemDetails {
    ProblemDetails(
      status: .internalServerError, code: "reply-fields-too-large", detail: detail)
  }
}

extension ProblemDetails {
  /// Returns the problem as JSON.
  ///
  /// - Parameter instance: The path of the request; nil omits the member.
  package func json(instance: String?) -> JSONValue {
    let standard = [
      "code": code, "detail": detail, "instance": instance, "pointer": pointer, "title": title,
      "type": type,
    ]
    let texts = extensions.mapValues(Optional.some).merging(standard) { $1 }
    var members: [Text: JSONValue] = [:]
    for case (let name, let text?) in texts { members[Text(name)] = .string(Text(text)) }
    members["status"] = .integer(status.code)
    return .object(members)
  }
}
