public import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// Makes the replies that contain elements of a store, with entity tags.
///
/// An entity tag contains the number of the last write that changed the element, and an epoch, which is the same
/// in processes of one program with one journal. A tag of any other process matches nothing.
///
/// ```swift
/// application.router.get("/v1/notes-count") {
///   [replies = application.replies] (request) throws(ProblemDetails) in
///   let notes = store.value
///   return try replies.reply(["count": .integer(notes.count)], to: request, version: notes.version)
/// }
/// ```
public struct ResourceReplies: Sendable {
  /// The engine that the resources are written through.
  let engine: Engine
  private let epoch: RevisionEpoch
  private let cache: ReplyCache
  let large = ReplyThread()
  /// Makes replies whose size is not known before. Most are small, and wait for no large one.
  let unsized = ReplyThread()

  init(engine: Engine, cache: ReplyCache) {
    self.engine = engine
    epoch = engine.epoch(of: "resources")
    self.cache = cache
  }

  func tag(of version: Int) -> EntityTag { EntityTag("\(epoch)-\(version)") }

  /// Returns the versions of a resource that a request allows to be changed. `*` in If-Match allows all, for a
  /// resource that does not exist cannot be changed.
  ///
  /// - Throws: A 400 problem if If-Match or If-None-Match is malformed.
  func condition(of request: Request) throws(ProblemDetails) -> VersionCondition {
    var excluded: [Int] = []
    switch try request.ifNoneMatchOfWrite {
    case .any?: return .oneOf([])
    case .tags(let tags)?: excluded = tags.compactMap(version)
    case nil: break
    }
    guard case .tags(let tags)? = try request.ifMatch else { return .noneOf(excluded) }
    // If-Match compares strongly (RFC 9110, section 13.1.1).
    let wanted = tags.filter { !$0.isWeak }.compactMap(version)
    return .oneOf(wanted.filter { !excluded.contains($0) })
  }

  /// Returns the version that a tag names, also the tag of a compressed document; `nil` if the tag has another
  /// epoch.
  private func version(_ tag: EntityTag) -> Int? {
    let text = tag.uncoded
    guard let dash = text.lastIndex(of: "-"), let version = Int(text[dash...].dropFirst()),
      JSONValue.interoperableIntegers.contains(version),
      self.tag(of: version).opaque == Text(text)
    else { return nil }
    return version
  }

  /// Returns the reply with a value that is encoded for each request, or 304 if the client has it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - request: The request to answer.
  ///   - version: The number of the last write that changed the value.
  /// - Throws: A 406 problem if the client does not accept JSON, a 412 problem if its If-Match is not met, and a 400
  ///   problem if that is malformed.
  public func reply(
    _ value: JSONValue, to request: Request, version: Int
  ) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    return try request.conditionalReply(coded: .identity) { _ in
      .json(
        value,
        fields: [.eTag: tag(of: version).text, .cacheControl: Caching.revalidate.rawValue])
    }
  }

  /// Returns the reply with a resource.
  ///
  /// - Parameter hasTag: Whether the reply has an entity tag: not if the client has sent other content for the
  ///   resource (RFC 9110, section 9.3.4).
  func reply(
    _ resource: Versioned<some Resource>, status: HTTPResponse.Status = .ok,
    location: String? = nil, hasTag: Bool = true
  ) -> Response {
    var fields: HTTPFields = [.cacheControl: Caching.revalidate.rawValue]
    if hasTag { fields[.eTag] = tag(of: resource.version).text }
    fields[.location] = location
    return .json(resource.resource.json, status: status, fields: fields)
  }

  /// Returns the reply with a document that is encoded once for each version and all clients, or 304 if the client has
  /// it. Unless the document is kept, the reply is made on a thread of its own, after those before it, so a long one
  /// holds up no other connection and no input. It is not made if the client has left by then.
  ///
  /// - Parameters:
  ///   - target: The path and query of the document, the same for all requests for it.
  ///   - version: The number of the last write that changed the document.
  ///   - encode: Makes the document, and further fields. A thrown problem becomes the reply, and is not kept.
  func document(
    to request: Request, at target: String, version: Int,
    _ encode: @escaping @Sendable () throws(ProblemDetails) -> (body: [UInt8], fields: HTTPFields)
  ) throws(ProblemDetails) -> Reply {
    let content = { @Sendable [self] (representation: Representation) -> Response in
      cache.reply(on: .document(target: target, version: version), as: representation) { _ in
        var (body, fields): ([UInt8], HTTPFields)
        do throws(ProblemDetails) {
          (body, fields) = try encode()
        } catch {
          // The next client may spell the path in another way.
          return error.response(instance: target.split(separator: "?").first.map(String.init))
        }
        fields[.eTag] = tag(of: version).text
        fields[.cacheControl] = Caching.revalidate.rawValue
        fields[.vary] = "Accept, Accept-Encoding"
        return .json(encoded: body, fields: fields)
      }
    }
    let wanted = Representation(format: .json, coding: request.contentCoding)
    if let kept = cache.known(.document(target: target, version: version), as: wanted) {
      return .now(try request.conditionalReply(as: wanted) { $0 == wanted ? kept : content($0) })
    }
    return unsized.reply(to: request) { [large] () throws(ProblemDetails) in
      // Small documents do not wait for the compression of large ones.
      let byteCount = wanted.coding == .identity ? 0 : content(.json).bodySize
      return try large.reply(to: request, as: wanted, upTo: byteCount) {
        representation throws(ProblemDetails) in
        .now(try request.conditionalReply(as: representation, content))
      }
    }
  }

  /// Returns the reply with a page of a collection and a link to the next page, or 304 if the client has it.
  ///
  /// The page is encoded once for each version and all clients. Unless it is kept, the reply is made on a thread of its
  /// own, so it holds up no other connection and no input, and small replies do not wait until a large one is
  /// compressed.
  ///
  /// ```swift
  /// router.route(.get, "/v1/titles") { (request) throws(ProblemDetails) in
  ///   let (range, books) = (try CollectionRange(request), store.value)
  ///   return try replies.page(to: request, at: "/v1/titles", range, version: books.version) {
  ///     () throws(ProblemDetails) in
  ///     guard let page = books.page(range) else { throw .afterGone }
  ///     let elements = page.elements
  ///     let titles = elements.map { JSONValue.string($0.title) }
  ///     return (JSONValue.array(titles).canonicalBytes(), page.hasMore ? elements.last?.id : nil)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request to answer.
  ///   - path: The path of the collection.
  ///   - range: The page.
  ///   - version: The number of the last write that changed the collection.
  ///   - encode: Encodes the document, and returns it with the id of its last element if more elements follow. A thrown
  ///     problem becomes the reply.
  /// - Throws: A 406 problem if the client does not accept JSON, a 412 problem if its If-Match is not met, and a 400
  ///   problem if that is malformed. If the reply is made on another thread, the last two become the reply.
  public func page(
    to request: Request, at path: String, _ range: CollectionRange, version: Int,
    _ encode: @escaping @Sendable () throws(ProblemDetails) -> (body: [UInt8], last: ResourceID?)
  ) throws(ProblemDetails) -> Reply {
    try request.requireJSONAccepted()
    return try document(to: request, at: range.target(at: path), version: version) {
      () throws(ProblemDetails) in
      let (body, last) = try encode()
      guard let last else { return (body, [:]) }
      let next = CollectionRange(after: last, limit: range.limit)
      return (body, [.link: "<\(next.target(at: path))>; rel=\"next\""])
    }
  }
}
