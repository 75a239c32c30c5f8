public import CanonicalJSON
import HTTPTypes

/// The reply with which a server refuses a request: a problem of RFC 9457.
public struct ServerProblem: Hashable, Sendable {
  /// The status of the reply, from 400 on.
  public let status: Int
  /// The stable identifier of the problem, such as `unknown-key`; `nil` if the reply is not one of ViewDelta, such as
  /// that of a proxy.
  public let code: Text?
  /// What is wrong, for people; `nil` if the reply does not say it.
  public let detail: Text?
  /// The JSON pointer (RFC 6901) to the wrong member of a command; `nil` if the problem is not in a member.
  public let pointer: Text?
  /// The time that the server asks to wait before another request, an hour at most; `nil` if it does not ask for one,
  /// or not in seconds.
  public let retryAfter: Duration?

  private static let longestWait = 3_600

  init(_ response: HTTPResponse, body: [UInt8]) {
    // A proxy may have codes of its own.
    let isProblem =
      response.headerFields[.contentType]?.hasPrefix("application/problem+json") == true
    self.init(
      status: response.status.code,
      isProblem ? (try? JSONValue(parsing: body)).map { JSONReader($0) } : nil,
      retryAfter: response.headerFields[.retryAfter].flatMap { Int($0) }
        .flatMap { $0 > 0 ? .seconds(min($0, Self.longestWait)) : nil })
  }

  init(status: Int, _ reader: JSONReader?, retryAfter: Duration? = nil) {
    (self.status, self.retryAfter) = (status, retryAfter)
    func member(_ name: Text) -> Text? { try? reader?.optionalMember(name)?.string() }
    (code, detail, pointer) = (member("code"), member("detail"), member("pointer"))
  }
}

extension ServerProblem {
  /// Whether the request may succeed later, unchanged.
  ///
  /// A 500 is a mistake in a screen, which would be made again. From 502 on it is a proxy that gets no answer, also under
  /// a status of its own, such as 522, or a network that wants a login (511). A 404 without a code is that of a proxy
  /// without a server, such as while another version is installed.
  var isPassing: Bool {
    status == 408 || status == 429 || status > 501 || status == 404 && code == nil
  }

  /// Whether the server itself, not a proxy, has refused the request, for another reason than that it is busy.
  var isRefusal: Bool { code != nil && status < 500 && status != 429 }

  /// Whether the view model cannot be followed any more. One whose code fails may be repaired by the next change. What a
  /// proxy, or a network that wants a login, refuses passes, except for a user who must sign in.
  var isFinal: Bool {
    code == nil ? status == 401 || status == 403 : !isPassing && status != 500
  }
}
