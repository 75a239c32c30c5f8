import HTTPTypes
import MicroHTTP
import Screens
import ViewState

/// Makes the replies of what stores hold: single resources, and documents that are shared because
/// they are large or made for many.
///
/// Their entity tags are the number of the write that made a thing as it is, bound to this run, so
/// that a tag of another run matches nothing.
struct ResourceReplies: Sendable {
  private let epoch: RevisionEpoch
  private let cache: ReplyCache

  init(epoch: RevisionEpoch, cache: ReplyCache) {
    self.epoch = epoch
    self.cache = cache
  }

  func tag(of version: Int) -> EntityTag { EntityTag("\(epoch)-\(version)") }

  /// A resource.
  ///
  /// - Parameter hasTag: whether the client may take what it sent for what is kept.
  func reply(
    _ resource: Versioned<some StoredResource>, status: HTTPResponse.Status = .ok,
    location: String? = nil, hasTag: Bool = true
  ) -> Response {
    var fields: HTTPFields = [.cacheControl: Caching.revalidate.rawValue]
    if hasTag { fields[.eTag] = tag(of: resource.version).text }
    fields[.location] = location
    return .json(resource.resource.json, status: status, fields: fields)
  }

  /// A document that is encoded once for every version of it, or 304 for a client that has it.
  ///
  /// - Parameters:
  ///   - target: where it stands, written in one way only.
  ///   - version: the number of the write that made it as it is.
  ///   - encode: makes the document, and further fields.
  func document(
    to request: Request, at target: String, version: Int,
    _ encode: () -> (body: [UInt8], fields: HTTPFields)
  ) throws(ProblemDetails) -> Response {
    let wanted = Representation(format: .json, coding: request.contentCoding)
    return try request.unlessKnown(as: wanted) { representation in
      cache.reply(on: .document(target: target, version: version), as: representation) { _ in
        var (body, fields) = encode()
        fields[.eTag] = tag(of: version).text
        fields[.cacheControl] = Caching.revalidate.rawValue
        fields[.vary] = "Accept, Accept-Encoding"
        return .json(encoded: body, fields: fields)
      }
    }
  }

  /// A part of a collection, with a link to what follows.
  ///
  /// - Parameters:
  ///   - path: that of the collection.
  ///   - encode: makes the document; returns with it the id of its last element if more follow.
  func page(
    to request: Request, at path: String, _ range: CollectionRange, version: Int,
    _ encode: () -> (body: [UInt8], last: ResourceID?)
  ) throws(ProblemDetails) -> Response {
    try document(to: request, at: range.target(at: path), version: version) {
      let (body, last) = encode()
      guard let last else { return (body, [:]) }
      let next = CollectionRange(after: last, limit: range.limit)
      return (body, [.link: "<\(next.target(at: path))>; rel=\"next\""])
    }
  }
}

extension HTTPField.Name {
  fileprivate static var link: HTTPField.Name { HTTPField.Name("Link")! }
}
