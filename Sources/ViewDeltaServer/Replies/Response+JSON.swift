public import CanonicalJSON
public import HTTPTypes
public import MicroHTTP

extension Response {
  /// Creates a reply with JSON that no cache keeps, unless `fields` says otherwise. It varies by Accept,
  /// because other types are refused.
  public static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
  ) -> Response {
    json(encoded: value.canonicalBytes(), status: status, fields: fields)
  }

  /// The same of bytes that are canonical JSON already.
  static func json(
    encoded body: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
  ) -> Response {
    var all: HTTPFields = [
      .contentType: "application/json", .cacheControl: Caching.never.rawValue, .vary: "Accept",
    ]
    for field in fields { all[field.name] = field.value }
    return Response(status: status, fields: all, body: body)
  }

  /// That a request is done and there is nothing to say.
  static let done = Response(status: .noContent, fields: [.cacheControl: Caching.never.rawValue])
}
