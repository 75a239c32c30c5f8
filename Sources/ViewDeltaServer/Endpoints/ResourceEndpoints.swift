public import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// Reads and writes one resource of a store in answer to GET, PUT, PATCH and DELETE. See
/// ``CollectionEndpoints`` for an example.
///
/// - If-Match and If-None-Match compare the version of the resource.
/// - PATCH applies a JSON merge patch (RFC 7396), and applies it again if another write comes in between.
/// - PUT and PATCH do not change the id.
public struct ResourceEndpoints<Resource: StoredResource, Missing: MissingResource>: Sendable {
  /// The reason for which the store refuses a read or a write.
  public typealias Failure = StoreError<Missing>
  /// Reads the resource that a path names.
  public typealias Read = @Sendable (Request) throws(Failure) -> Versioned<Resource>
  /// Reads a body that replaces a resource.
  public typealias Parse =
    @Sendable (JSONReader, _ current: Resource) throws(JSONShapeError) -> Resource
  /// Replaces a resource; if a version is given, only this version.
  public typealias Replace =
    @Sendable (Request, Resource, _ version: Int?) async throws(Failure) -> Versioned<Resource>
  /// Deletes the resource that a path names; if a version is given, only this version.
  public typealias Delete = @Sendable (Request, _ version: Int?) async throws(Failure) -> Void

  private let read: Read
  private let parse: Parse
  private let replace: Replace
  private let delete: Delete
  private let aliases: [Text: Text]
  private let isLarge: Bool

  /// Creates the endpoints.
  ///
  /// - Parameters:
  ///   - read: Reads the resource that a path names.
  ///   - parse: Reads a body that replaces a resource. A body without an id gets that of the resource.
  ///   - replace: Replaces a resource; if a version is given, only this version.
  ///   - delete: Deletes the resource that a path names; if a version is given, only this version.
  ///   - aliases: Other names of members in a body, each with the name that the resource is written with.
  ///   - isLarge: Whether documents may be large. Large ones are encoded outside the threads that serve
  ///     connections, and once for all clients.
  public init(
    read: @escaping Read, parse: @escaping Parse, replace: @escaping Replace,
    delete: @escaping Delete, aliases: [Text: Text] = [:], isLarge: Bool = false
  ) {
    self.read = read
    self.parse = parse
    self.replace = replace
    self.delete = delete
    self.aliases = aliases
    self.isLarge = isLarge
  }

  /// Creates the endpoints of a resource that reads bodies by its fields.
  ///
  /// - Parameters:
  ///   - read: Reads the resource that a path names.
  ///   - replace: Replaces a resource; if a version is given, only this version.
  ///   - delete: Deletes the resource that a path names; if a version is given, only this version.
  ///   - isLarge: Whether documents may be large, as above.
  public init(
    read: @escaping Read, replace: @escaping Replace, delete: @escaping Delete,
    isLarge: Bool = false
  ) where Resource: ViewState.Resource {
    self.init(
      read: read,
      parse: { (body, current) throws(JSONShapeError) in
        try Resource(body, assigned: current.id)
      }, replace: replace, delete: delete, aliases: Resource.aliases, isLarge: isLarge)
  }

  /// The number of attempts to apply a patch while other writes come in between.
  private static var patchAttempts: Int { 8 }

  func register(in router: inout Router, path: String, replies: ResourceReplies) {
    if isLarge {
      router.on(.get, path) { (request) async throws(ProblemDetails) in
        try request.requireJSONAccepted()
        let current = try current(request)
        return try replies.document(
          to: request, at: request.path(path), version: current.version
        ) { () throws(JSONShapeError) in (try current.resource.json.checkedBytes(), [:]) }
      }
    } else {
      router.get(path) { (request) throws(ProblemDetails) in
        try request.requireJSONAccepted()
        let current = try current(request)
        return try request.conditionalReply(coded: .identity) { _ in replies.reply(current) }
      }
    }
    router.on(.put, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (current, version) = try writable(request, replies)
      let body = try request.json()
      let resource = try parsed(body, replacing: current.resource)
      let written = try await replaced(request, resource, version)
      // With a tag the client may take the content that it sent for the kept one (RFC 9110, section 9.3.4).
      return replies.reply(written, hasTag: body.value == written.resource.json)
    }
    router.on(.patch, path) { (request) async throws(ProblemDetails) in
      replies.reply(try await patched(request, replies))
    }
    router.on(.delete, path) { (request) async throws(ProblemDetails) in
      let (_, version) = try writable(request, replies)
      do throws(Failure) {
        try await delete(request, version)
      } catch {
        throw ProblemDetails(error)
      }
      return .done
    }
  }

  /// Applies a JSON merge patch (RFC 7396).
  private func patched(
    _ request: Request, _ replies: ResourceReplies
  ) async throws(ProblemDetails) -> Versioned<Resource> {
    try request.requireJSONAccepted()
    let body = try request.json(["application/json", "application/merge-patch+json"])
    for _ in 0..<Self.patchAttempts {
      let (current, version) = try writable(request, replies)
      let patched = current.resource.json.mergePatched(with: withOwnNames(body.value))
      let resource = try parsed(JSONReader(patched), replacing: current.resource)
      do throws(Failure) {
        return try await replace(request, resource, current.version)
      } catch {
        // If the client has no condition, another write in between is no reason to refuse the patch.
        guard version == nil, error == .changedMeanwhile else { throw ProblemDetails(error) }
      }
    }
    throw ProblemDetails(
      status: .conflict, code: "conflict", detail: "other writes came first each time; try again")
  }

  /// Returns the patch with the names that the resource is written with, so that it patches these members.
  private func withOwnNames(_ patch: JSONValue) -> JSONValue {
    guard case .object(var members) = patch else { return patch }
    for (alias, name) in aliases where members[name] == nil {
      members[name] = members.removeValue(forKey: alias)
    }
    return .object(members)
  }

  private func current(_ request: Request) throws(ProblemDetails) -> Versioned<Resource> {
    do { return try read(request) } catch { throw ProblemDetails(error) }
  }

  /// Returns the current resource, and the version that a write must find; `nil` if it may find any.
  ///
  /// - Throws: A 412 problem if If-Match or If-None-Match forbids the write.
  private func writable(
    _ request: Request, _ replies: ResourceReplies
  ) throws(ProblemDetails) -> (Versioned<Resource>, version: Int?) {
    let current = try current(request)
    let tag = replies.tag(of: current.version)
    let ifMatch = try request.ifMatch
    // The tag of a compressed document names the same version.
    let tags = [tag, tag.coded(.gzip)]
    if let ifMatch, !tags.contains(where: ifMatch.matchesStrongly) {
      throw .preconditionFailed("the resource is not the one in If-Match")
    }
    if let ifNoneMatch = request.ifNoneMatch, tags.contains(where: ifNoneMatch.matchesWeakly) {
      throw .preconditionFailed("the resource is one that If-None-Match excludes")
    }
    return (current, ifMatch == nil ? nil : current.version)
  }

  /// Reads a body.
  ///
  /// - Throws: A 422 problem for an invalid body, and if its id is not the one in the path.
  private func parsed(
    _ body: JSONReader, replacing current: Resource
  ) throws(ProblemDetails) -> Resource {
    do throws(JSONShapeError) {
      let resource = try parse(withID(of: current, body), current)
      guard resource.id == current.id else {
        throw JSONShapeError(
          pointer: body.pointer.appending("id"), message: "expected the id in the path")
      }
      return resource
    } catch {
      throw ProblemDetails(error)
    }
  }

  /// Returns the body with the id of the resource: `6` and `"6"` are one id, and a write does not change
  /// which of the two it is.
  private func withID(of current: Resource, _ body: JSONReader) -> JSONReader {
    guard case .object(var members) = body.value, let id = members["id"], id != current.id.json,
      (try? ResourceID(JSONReader(id))) == current.id
    else { return body }
    members["id"] = current.id.json
    return JSONReader(.object(members))
  }

  private func replaced(
    _ request: Request, _ resource: Resource, _ version: Int?
  ) async throws(ProblemDetails) -> Versioned<Resource> {
    do {
      return try await replace(request, resource, version)
    } catch {
      throw ProblemDetails(error)
    }
  }
}

extension ResourceID {
  /// The id as a segment of a path, percent-encoded (RFC 3986, section 3.3).
  package var pathSegment: String {
    var segment = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        segment.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        segment += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return segment
  }
}

extension Request {
  /// Returns the id in the path, by the parameter of its template.
  public func id(_ parameter: String = "id") -> ResourceID {
    ResourceID(named: Text(parameters[parameter] ?? ""))
  }

  /// Returns the path of this request by its template, with an id as one more segment if there is one. It
  /// percent-encodes only the characters that need it.
  public func path(_ template: String, of id: ResourceID? = nil) -> String {
    let segments = template.split(separator: "/").map { segment in
      segment.first == "{"
        ? self.id(String(segment.dropFirst().dropLast())).pathSegment : String(segment)
    }
    return "/" + (segments + (id.map { [$0.pathSegment] } ?? [])).joined(separator: "/")
  }
}
