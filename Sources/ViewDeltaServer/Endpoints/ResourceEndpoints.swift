import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// Reads and writes one resource of a store in answer to GET, PUT, PATCH and DELETE. See
/// ``CollectionEndpoints`` for an example.
///
/// - If-Match and If-None-Match compare the version of the resource, when the store applies the write.
/// - PATCH applies a JSON Merge Patch (RFC 7396) to the resource as it is when the store applies the write.
/// - PUT and PATCH do not change the id.
public struct ResourceEndpoints<Resource: StoredResource>: Sendable {
  /// Reads the resource that a path names.
  public typealias Read = @Sendable (Request) throws(StoreError) -> Versioned<Resource>
  /// Changes the resource that a path names, and returns it as it is afterwards, or was before its deletion.
  public typealias Change =
    @Sendable (Request, ResourceChange) async throws(StoreError) -> Versioned<Resource>

  private let read: Read
  private let change: Change
  private let isLarge: @Sendable (Resource) -> Bool

  /// Creates the endpoints.
  ///
  /// - Parameters:
  ///   - read: Reads the resource that a path names.
  ///   - change: Changes the resource that a path names. The store decides on the change in its `apply`: see
  ///     `ResourceChange.applied(to:read:)`.
  ///   - isLarge: Returns whether the document of a resource may be large. A large one is encoded outside the
  ///     threads that serve connections, and once for all clients. By default no document is.
  public init(
    read: @escaping Read, change: @escaping Change,
    isLarge: @escaping @Sendable (Resource) -> Bool = { _ in false }
  ) {
    self.read = read
    self.change = change
    self.isLarge = isLarge
  }

  func register(in router: inout Router, path: String, replies: ResourceReplies) {
    router.route(.get, path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let current = try current(request)
      guard isLarge(current.resource) else {
        return .now(
          try request.conditionalReply(coded: .identity) { _ in replies.reply(current) })
      }
      return request.replyInTask { () throws(ProblemDetails) in
        .now(
          try replies.document(to: request, at: request.path(path), version: current.version) {
            () throws(JSONShapeError) in (try current.resource.json.checkedBytes(), [:])
          })
      }
    }
    router.write(.put, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let body = try request.json().value
      let written = try await changed(request, .replace(body), replies)
      // With a tag the client may take the content that it sent for the kept one (RFC 9110, section 9.3.4).
      return replies.reply(written, hasTag: body == written.resource.json)
    }
    router.write(.patch, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let patch = try request.json(["application/json", "application/merge-patch+json"]).value
      return replies.reply(try await changed(request, .patch(patch), replies))
    }
    router.write(.delete, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      _ = try await changed(request, .delete, replies)
      return .done
    }
  }

  private func current(_ request: Request) throws(ProblemDetails) -> Versioned<Resource> {
    do { return try read(request) } catch { throw ProblemDetails(error) }
  }

  private func changed(
    _ request: Request, _ kind: ResourceChange.Kind, _ replies: ResourceReplies
  ) async throws(ProblemDetails) -> Versioned<Resource> {
    let condition = try replies.condition(of: request)
    do {
      return try await change(request, ResourceChange(kind, if: condition))
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

  /// Returns the path that a template has with the parameters of this request, with an id, if given, as one more
  /// segment. Only characters that need it are percent-encoded.
  public func path(_ template: String, of id: ResourceID? = nil) -> String {
    let segments = template.split(separator: "/").map { segment in
      segment.first == "{"
        ? self.id(String(segment.dropFirst().dropLast())).pathSegment : String(segment)
    }
    return "/" + (segments + (id.map { [$0.pathSegment] } ?? [])).joined(separator: "/")
  }
}
