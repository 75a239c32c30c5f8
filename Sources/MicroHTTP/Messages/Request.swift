public import HTTPTypes
import Synchronization

/// A request as a handler receives it. It is immutable.
///
/// Copies are cheap: they share the data that was read from the connection. A handler can keep a
/// request for any time.
///
/// ```swift
/// let request = Request(
///   method: .post, target: "/users/7?notify=yes", fields: [.contentType: "application/json"],
///   body: Array("{}".utf8))
/// request.path  // "/users/7"
/// try request.query.single("notify")  // "yes"
/// request.mediaType?.essence  // "application/json"
/// ```
public struct Request: Sendable {
  /// The data that was read from the connection.
  let storage: RequestStorage
  /// The body; nil if there is none. It is freed with the last copy of this request, possibly long
  /// before the connection has finished the request.
  private let content: RequestBody?
  /// The parameter names of the matched pattern.
  private let names: [ParameterName]

  init(storage: RequestStorage, content: RequestBody? = nil, names: [ParameterName] = []) {
    self.storage = storage
    self.content = content
    self.names = names
  }

  /// Creates a request without a connection, to test a handler or a ``Router``.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - target: The raw target. ``Router/respond(to:)`` answers a malformed one with a 400
  ///     problem.
  ///   - fields: The header fields.
  ///   - body: The body.
  public init(
    method: HTTPRequest.Method, target: String, fields: HTTPFields = [:], body: [UInt8] = []
  ) {
    let storage = RequestStorage(
      target: Target(Array(target.utf8)), source: .detached(DetachedFields(fields: fields)))
    storage.method = RequestMethod(method)
    storage.otherMethod = storage.method == nil ? method : nil
    self.init(storage: storage, content: RequestBody(body))
  }

  /// Returns this request with the parameter names of a pattern.
  func with(names: [ParameterName]) -> Request {
    Request(storage: storage, content: content, names: names)
  }

  /// The method.
  public var method: HTTPRequest.Method {
    storage.method?.method ?? storage.otherMethod ?? .get
  }

  /// The target as sent by the client.
  public var target: String { String(decoding: storage.target.bytes, as: UTF8.self) }

  /// The path as sent by the client: without the query, and still escaped.
  public var path: String { storage.path }

  /// The path parameters of the matched route.
  public var parameters: Parameters { Parameters(names: names, target: storage.target) }

  /// The parameters of the query.
  public var query: Query { Query(of: storage.target) }

  /// The value of a header field; several values are joined with `, ` (RFC 9110, section 5.3).
  /// Bytes that are not UTF-8 are replaced by U+FFFD.
  ///
  /// - Returns: nil if the request has no such field.
  /// - Complexity: O(n), where n is the number of fields.
  public subscript(_ name: HTTPField.Name) -> String? {
    let values = storage.values(for: name.canonicalName)
    return values.count <= 1 ? values.first : values.joined(separator: ", ")
  }

  /// Returns the values of a header field in the order of the request; an empty array if there are
  /// none.
  ///
  /// - Complexity: O(n), where n is the number of fields.
  public func values(for name: HTTPField.Name) -> [String] {
    storage.values(for: name.canonicalName)
  }

  /// A copy of all header fields. Access to a single field is cheaper.
  ///
  /// - Complexity: O(n), where n is the size of the fields.
  public var fields: HTTPFields { storage.snapshot().fields }

  /// The body, at most 1 MiB.
  public var body: [UInt8] { content?.bytes ?? [] }

  /// The media type of the body; nil if Content-Type is absent, repeated or malformed.
  public var mediaType: MediaType? {
    let values = values(for: .contentType)
    return values.count == 1 ? MediaType(values[0]) : nil
  }

  /// Whether a standing reply to the request would be kept, because an equal one came before. Otherwise a handler need
  /// not make the condition of one.
  package var wantsStandingReply: Bool { storage.wantsStandingReply }

  /// Notes that the request changes nothing although its method may: the client sends a query in the body. So a 503
  /// may take the place of the reply; see `ServerConfiguration.replyMemoryLimit`.
  ///
  /// - Precondition: The handler was called on this thread and has not returned.
  package func noteQuery() { storage.isQuery = true }

  /// The IP address of the client as a literal; empty for a request without a connection.
  public var remoteAddress: String { storage.remoteAddress }
}

/// The path parameters of a request: the segments that the pattern of its route names.
///
/// They are decoded on access. A value is never empty, and can contain `/` (from `%2F`). The
/// handler must validate it.
///
/// ```swift
/// router.get("/users/{id}") { request in
///   Response(status: .ok, body: Array((request.parameters["id"] ?? "").utf8))
/// }
/// ```
public struct Parameters: Sendable {
  /// The names in the pattern; empty if no pattern was matched.
  let names: [ParameterName]
  let target: Target

  /// Returns the decoded value of a parameter; nil if the pattern has no parameter of this name.
  ///
  /// - Complexity: O(n), where n is the length of the path.
  public subscript(_ name: String) -> String? {
    guard let parameter = names.first(where: { $0.name == name }) else { return nil }
    var segments = PathSegments(target)
    let bytes = target.bytes
    for _ in 0..<parameter.segment { _ = segments.next(in: bytes) }
    guard let range = segments.next(in: bytes) else { return nil }
    return PercentDecoding.string(of: bytes.span.extracting(range), plusIsSpace: false)
  }
}

/// The name of a path parameter and the index of its segment, counted from 0.
struct ParameterName: Sendable {
  let name: String
  let segment: Int
}

/// The data of a request that was read from the connection.
///
/// `@unchecked Sendable`: only an initializer and the serving thread write the variables, the thread not after the
/// handler has returned. The fields are behind a lock, because their source changes if the request outlives its
/// exchange on the connection.
class RequestStorage: @unchecked Sendable {
  /// The validated target.
  let target: Target
  /// The method; nil if it is unknown.
  var method: RequestMethod?
  /// Whether the thread that serves the connection had no other request at hand.
  var isAlone = false
  /// Whether a standing reply to the request would be kept.
  var wantsStandingReply = true
  /// Whether the handler has said that the request changes nothing, whatever its method.
  var isQuery = false
  /// A method that the server does not know. Only requests of tests have one.
  fileprivate var otherMethod: HTTPRequest.Method?
  private let source: Mutex<FieldSource>

  init(target: Target, source: FieldSource) {
    self.target = target
    self.source = Mutex(source)
  }

  /// The raw path. If the target is malformed, all before its first question mark.
  final var path: String {
    let isPath = target.fault == nil
    let bytes = isPath ? target.bytes[target.path] : target.bytes.prefix { $0 != UInt8(ascii: "?") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the values of a field. The name must be in lower case.
  final func values(for name: String) -> [String] {
    source.withLock { $0.values(for: name) }
  }

  /// Whether the request changes nothing, so that it can be refused after its handler has answered.
  final var changesNothing: Bool { isQuery || method == .get || method == .head }

  /// The address of the client; empty if there is no connection.
  final var remoteAddress: String { source.withLock { $0.remoteAddress } }

  /// Returns a copy of the fields and the address.
  final func snapshot() -> DetachedFields {
    source.withLock { $0.snapshot() }
  }

  /// Copies the fields out of the connection, before libmicrohttpd frees them.
  final func detach() {
    source.withLock { $0 = .detached($0.snapshot()) }
  }
}

/// The source of a request's header fields.
enum FieldSource: Sendable {
  /// The memory of libmicrohttpd, valid until the request is completed.
  case live(ConnectionFields)
  /// A copy.
  case detached(DetachedFields)

  func values(for name: String) -> [String] {
    switch self {
    case .live(let connection): connection.values(for: name)
    case .detached(let copy):
      copy.fields.lazy.filter { $0.name.canonicalName == name }.map(\.value)
    }
  }

  var remoteAddress: String {
    switch self {
    case .live(let connection): connection.remoteAddress
    case .detached(let copy): copy.remoteAddress
    }
  }

  func snapshot() -> DetachedFields {
    switch self {
    case .live(let connection): connection.snapshot()
    case .detached(let copy): copy
    }
  }
}

/// A copy of a request's header fields and of its client's address.
struct DetachedFields: Sendable {
  let fields: HTTPFields
  var remoteAddress = ""
}
