public import HTTPTypes

/// A request, immutable once a handler has it.
///
/// It is a small value that shares what was read from the connection. It stays valid however long a
/// handler keeps it.
public struct Request: Sendable {
  /// What was read from the connection.
  let storage: RequestStorage
  /// The content; nil if there is none. It is freed with the last copy of this request, which may be long
  /// before the connection is done with it.
  private let content: RequestBody?
  /// The names of the matched pattern's parameters.
  private let names: [ParameterName]

  init(storage: RequestStorage, content: RequestBody? = nil, names: [ParameterName] = []) {
    self.storage = storage
    self.content = content
    self.names = names
  }

  /// A request without a connection, for tests of handlers and of a ``Router``.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - target: The raw target. A malformed one gets a 400 problem from ``Router/respond(to:)``.
  ///   - fields: The header fields.
  ///   - body: The content.
  public init(
    method: HTTPRequest.Method, target: String, fields: HTTPFields = [:], body: [UInt8] = []
  ) {
    let storage = RequestStorage(
      target: Target(Array(target.utf8)), source: .detached(.init(fields)))
    storage.method = RequestMethod(method)
    storage.otherMethod = storage.method == nil ? method : nil
    self.init(storage: storage, content: RequestBody(body))
  }

  /// The same request with the parameters of a pattern.
  func with(names: [ParameterName]) -> Request {
    Request(storage: storage, content: content, names: names)
  }

  /// The method.
  public var method: HTTPRequest.Method {
    storage.method?.method ?? storage.otherMethod ?? .get
  }

  /// The target as the client sent it.
  public var target: String { String(decoding: storage.target.bytes, as: UTF8.self) }

  /// The path as the client sent it, without the query, still escaped.
  public var path: String { storage.path }

  /// The values that the route's pattern took out of the path.
  public var parameters: Parameters { Parameters(names: names, target: storage.target) }

  /// The parameters of the query.
  public var query: Query {
    guard let range = storage.target.query else { return .none }
    return Query(storage.target.bytes, range: range)
  }

  /// The value of a field; several are joined by `, ` (RFC 9110, section 5.3). Bytes that are not
  /// UTF-8 read as U+FFFD.
  ///
  /// - Returns: nil if the request has no such field.
  /// - Complexity: O(n) in the number of fields.
  public subscript(_ name: HTTPField.Name) -> String? {
    let values = storage.values(for: name.canonicalName)
    return values.count <= 1 ? values.first : values.joined(separator: ", ")
  }

  /// The values of a field in the order they came in; empty if the request has no such field.
  ///
  /// - Complexity: O(n) in the number of fields.
  public func values(for name: HTTPField.Name) -> [String] {
    storage.values(for: name.canonicalName)
  }

  /// All fields. Asking for a single one is cheaper.
  ///
  /// - Complexity: O(n) in the size of the fields, which are copied.
  public var fields: HTTPFields { storage.snapshot().fields }

  /// The content, at most ``ServerConfiguration/bodySizeLimit`` bytes.
  public var body: [UInt8] { content?.bytes ?? [] }

  /// What kind of content the body is; nil if Content-Type is absent, given twice or malformed.
  public var mediaType: MediaType? {
    let values = values(for: .contentType)
    return values.count == 1 ? MediaType(values[0]) : nil
  }

  /// The IP address of the client as a literal; empty for a request without a connection.
  public var remoteAddress: String { storage.remoteAddress }
}
