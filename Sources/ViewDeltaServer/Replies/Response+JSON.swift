public import CanonicalJSON
import Gzip
public import HTTPTypes
public import MicroHTTP

extension Response {
  /// Creates a reply with JSON that no cache keeps, unless `fields` allow it. It varies by Accept, because a
  /// request that does not accept JSON is refused.
  ///
  /// If the value has a number that JSON cannot represent, which is infinite, NaN or an integer beyond ±2^53, the
  /// reply is a 500 problem, `unwritable-number`, and the server logs the place of the number.
  public static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
  ) -> Response {
    do {
      return json(encoded: try value.replyBytes(), status: status, fields: fields)
    } catch {
      return error.response()
    }
  }

  /// Creates a reply with bytes that are canonical JSON.
  static func json(
    encoded body: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
  ) -> Response {
    var all: HTTPFields = [
      .contentType: "application/json", .cacheControl: Caching.never.rawValue, .vary: "Accept",
    ]
    for field in fields { all[field.name] = field.value }
    return Response(status: status, fields: all, body: body)
  }

  /// The 204 reply to a request that is done.
  static let done = Response(status: .noContent, fields: [.cacheControl: Caching.never.rawValue])

  /// Returns the reply with its content in another coding, and with the entity tag of that. Returns a small
  /// reply unchanged.
  ///
  /// - Parameters:
  ///   - coding: The coding.
  ///   - level: How much time is spent on it, see ``Gzip/levels``.
  /// - Complexity: O(*n*), where *n* is the size of the body. Keep a reply that is sent more than once.
  func coded(_ coding: ContentCoding, level: Int = Gzip.defaultLevel) -> Response {
    guard coding != .identity, bodySize >= ContentCoding.smallestContent else { return self }
    var fields = fields
    fields[.contentEncoding] = coding.rawValue
    if let tag { fields[.eTag] = tag.coded(coding).text }
    return Response(status: status, fields: fields, body: Gzip.compress(body, level: level))
  }
}

extension JSONValue {
  /// Returns the value as the content of a reply.
  ///
  /// - Throws: A 500 problem if the value has a number that JSON cannot represent.
  func replyBytes() throws(ProblemDetails) -> [UInt8] {
    do { return try checkedBytes() } catch { throw .unwritable(error) }
  }
}

/// The permission for caches to keep a reply, as a value of Cache-Control (RFC 9111, section 5.2).
///
/// None is `public`, with which a shared cache may give the reply to a request with `Authorization` to anybody
/// (section 3.5): a proxy in front of the server may check that field.
enum Caching: String, Sendable {
  /// Caches must not keep the reply, because it is only true now.
  case never = "no-store"
  /// Caches may keep the reply, and use it again after the server has confirmed it.
  case revalidate = "no-cache"
  /// Caches may use the reply for one second. It names both revisions, so it remains a correct answer to the
  /// same request when there is a newer revision, and the server gets one of many equal polls.
  case oneSecond = "max-age=1"
  /// Caches may keep the reply for ever: the target names its revisions, whose bytes never change.
  case forever = "max-age=31536000, immutable"
}
