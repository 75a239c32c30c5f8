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
  /// Makes what is mostly small, though that is not known before: it waits for no large reply.
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

  /// Returns the reply with a document that is encoded once for each version, or 304 if the client has it. A large
  /// document is compressed on a thread of its own.
  ///
  /// - Parameters:
  ///   - target: The path and query of the document, the same for all requests for it.
  ///   - version: The number of the last write that changed the document.
  ///   - encode: Makes the document, and further fields.
  func document(
    to request: Request, at target: String, version: Int,
    _ encode: @escaping @Sendable () throws(JSONShapeError) -> (body: [UInt8], fields: HTTPFields)
  ) throws(ProblemDetails) -> Reply {
    let content = { @Sendable [self] (representation: Representation) -> Response in
      cache.reply(on: .document(target: target, version: version), as: representation) { _ in
        var (body, fields): ([UInt8], HTTPFields)
        do throws(JSONShapeError) {
          (body, fields) = try encode()
        } catch {
          return .unwritable(error)
        }
        fields[.eTag] = tag(of: version).text
        fields[.cacheControl] = Caching.revalidate.rawValue
        fields[.vary] = "Accept, Accept-Encoding"
        return .json(encoded: body, fields: fields)
      }
    }
    let wanted = Representation(format: .json, coding: request.contentCoding)
    let isKept = cache.known(.document(target: target, version: version), as: wanted) != nil
    // Plain content is made here, and only its compression takes long.
    let byteCount = isKept || wanted.coding == .identity ? 0 : content(.json).bodySize
    return try large.reply(to: request, as: wanted, upTo: byteCount) {
      representation throws(ProblemDetails) in
      .now(try request.conditionalReply(as: representation, content))
    }
  }

  /// Returns the reply with a document that is encoded once for each version, which takes long unless it is kept.
  func largeDocument(
    to request: Request, at target: String, version: Int,
    _ encode: @escaping @Sendable () throws(JSONShapeError) -> (body: [UInt8], fields: HTTPFields)
  ) throws(ProblemDetails) -> Reply {
    let make = { @Sendable () throws(ProblemDetails) -> Reply in
      try document(to: request, at: target, version: version, encode)
    }
    let wanted = Representation(format: .json, coding: request.contentCoding)
    let isKept = cache.known(.document(target: target, version: version), as: wanted) != nil
    return isKept ? try make() : later(request, make)
  }

  /// Returns a reply that may take long to make, such as a ``page(to:at:_:version:_:)``: it is made on a thread of its
  /// own, after those before it, unless the client has left by then. So it holds up no other connection and no input.
  ///
  /// ```swift
  /// router.route(.get, "/v1/notes") { request in
  ///   replies.later(request) { () throws(ProblemDetails) in try notes(request) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - request: The request to answer.
  ///   - make: Makes the reply. A thrown problem becomes the reply.
  public func later(
    _ request: Request, _ make: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) -> Reply {
    unsized.reply(to: request, make)
  }

  /// Returns the reply with a part of a collection and a link to the next part, or 304 if the client has it.
  /// The part is encoded once for all clients. A large one is compressed on another thread, so that small ones do not
  /// wait for it.
  ///
  /// - Parameters:
  ///   - request: The request to answer.
  ///   - path: The path of the collection.
  ///   - range: The part.
  ///   - version: The number of the last write that changed the collection.
  ///   - encode: Encodes the document, and returns it with the id of its last element if more elements follow. If it
  ///     throws, because of a number that JSON cannot represent, the reply is a 500 problem.
  /// - Throws: A 406 problem if the client does not accept JSON, a 412 problem if its If-Match is not met, and a 400
  ///   problem if that is malformed.
  public func page(
    to request: Request, at path: String, _ range: CollectionRange, version: Int,
    _ encode: @escaping @Sendable () throws(JSONShapeError) -> (body: [UInt8], last: ResourceID?)
  ) throws(ProblemDetails) -> Reply {
    try request.requireJSONAccepted()
    return try document(to: request, at: range.target(at: path), version: version) {
      () throws(JSONShapeError) in
      let (body, last) = try encode()
      guard let last else { return (body, [:]) }
      let next = CollectionRange(after: last, limit: range.limit)
      return (body, [.link: "<\(next.target(at: path))>; rel=\"next\""])
    }
  }
}
