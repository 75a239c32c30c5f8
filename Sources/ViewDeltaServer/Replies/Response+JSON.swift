import CanonicalJSON
import HTTPTypes
import MicroHTTP

extension Response {
  /// A JSON reply that no cache keeps, unless `fields` says otherwise. Other types would have been
  /// refused, which caches have to know.
  static func json(
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
