import Gzip
import HTTPTypes
import MicroHTTP

extension Response {
  /// The same content in another coding, under a tag of its own; the reply as it is where it is too
  /// small to be worth it.
  ///
  /// - Complexity: O(n), where n is the size of the body. Keep what is asked for more than once.
  func coded(_ coding: ContentCoding) -> Response {
    guard coding != .identity, bodySize >= ContentCoding.smallestContent else { return self }
    var fields = fields
    fields[.contentEncoding] = coding.rawValue
    if let tag = fields[.eTag].flatMap({ EntityTag(field: $0) }) {
      fields[.eTag] = tag.coded(coding).text
    }
    return Response(status: status, fields: fields, body: Gzip.compress(body))
  }
}
