public import HTTPTypes

/// An error that a client gets to read, as `application/problem+json` (RFC 9457).
///
/// Handlers throw it; the router turns it into a ``Response`` whose `instance` is the request's path.
public struct ProblemDetails: Error, Sendable, Equatable {
  /// The status of the reply, repeated in its body.
  public var status: HTTPResponse.Status
  /// A short stable name in kebab case that programs branch on, for example `not-found`.
  public var code: String
  /// A summary that is the same for every occurrence. Defaults to the reason phrase.
  public var title: String
  /// What is wrong this time, for a human; nil leaves the member out.
  public var detail: String?
  /// The JSON pointer (RFC 6901) to the member of the request's body at fault; nil leaves it out.
  public var pointer: String?
  /// Further members, all strings. One named like a standard member is ignored.
  public var extensions: [String: String]
  /// Further fields of the reply, for example `Allow` or `Retry-After`.
  public var fields: HTTPFields

  /// The URI of the kind of problem: `urn:viewdelta:problem:` and the ``code``.
  public var type: String { "urn:viewdelta:problem:\(code)" }

  /// Makes a problem.
  ///
  /// - Parameters:
  ///   - status: The status of the reply, an error's as a rule.
  ///   - code: The stable name of the kind of problem, in kebab case.
  ///   - title: A summary; nil takes the status's reason phrase.
  ///   - detail: What is wrong this time.
  ///   - pointer: The JSON pointer to the member at fault.
  ///   - extensions: Further members.
  ///   - fields: Further fields of the reply.
  public init(
    status: HTTPResponse.Status, code: String, title: String? = nil, detail: String? = nil,
    pointer: String? = nil, extensions: [String: String] = [:], fields: HTTPFields = [:]
  ) {
    self.status = status
    self.code = code
    self.title = title ?? status.reasonPhrase
    self.detail = detail
    self.pointer = pointer
    self.extensions = extensions
    self.fields = fields
  }

  /// The reply that tells a client about this problem. It must not be stored.
  ///
  /// - Parameter instance: The path of the request at fault; nil leaves the member out.
  /// - Complexity: O(n) in the length of the texts.
  public func response(instance: String? = nil) -> Response {
    var fields = self.fields
    fields[.contentType] = "application/problem+json"
    fields[.cacheControl] = "no-store"
    return Response(status: status, fields: fields, body: json(instance: instance))
  }
}
