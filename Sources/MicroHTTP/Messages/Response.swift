import CMicroHTTPD
public import HTTPTypes
import Synchronization

/// An immutable reply. It is encoded once and can be sent to any number of requests, on any thread.
///
/// Copies share one reference-counted reply of libmicrohttpd, which owns the bytes. Sending a reply
/// copies and allocates nothing, so cache a reply that you send often.
///
/// ```swift
/// let fields: HTTPFields = [.contentType: "application/json", .eTag: "\"1\""]
/// let response = Response(status: .ok, fields: fields, body: Array("{}".utf8))
/// response.notModified.status  // 304 Not Modified
/// ```
///
/// A field value cannot split a reply: HTTPTypes replaces CR, LF and NUL in it by spaces. A handler
/// that wants to refuse such a value checks it with `HTTPField.isValidValue(_:)`. A reply whose
/// fields exceed ``fieldSizeLimit`` becomes a 500 problem, `reply-fields-too-large`.
///
/// Fields with an empty value are omitted, and so are `Content-Length` and `Transfer-Encoding`,
/// which the server writes itself. A 304 omits `Content-Type`, `Content-Encoding` and
/// `Content-Language`, which describe content that it does not have. The server adds `Date` (RFC 9110, section 6.6.1),
/// `X-Content-Type-Options: nosniff` and `Cross-Origin-Resource-Policy: same-origin` if the reply
/// does not have them.
public struct Response: Sendable {
  /// The maximum total size of the names and values of a reply's fields, in bytes.
  public static let fieldSizeLimit = 8 * 1024

  /// The shared reply.
  let storage: ResponseStorage

  /// Encodes a reply.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - fields: The header fields, sent in this order.
  ///   - body: The body. It is copied once, by this initializer.
  ///   - fault: The reason why the request failed, for the log of the server; it is not sent.
  /// - Precondition: `status` is in 200...599, and `body` is empty if it is 204 or 304.
  /// - Complexity: O(n), where n is the size of the body.
  public init(
    status: HTTPResponse.Status, fields: HTTPFields = [:], body: [UInt8] = [],
    fault: String? = nil
  ) {
    self.init(status: status, fields: fields, body: body, fault: fault, problem: nil)
  }

  /// Encodes a reply.
  ///
  /// - Parameter problem: The code of the problem that the reply reports; `nil` if it reports none.
  init(
    status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8], fault: String? = nil,
    problem: String?
  ) {
    precondition((200...599).contains(status.code), "a reply needs a final status, 200 to 599")
    precondition(
      status != .noContent && status != .notModified || body.isEmpty, "a 204 or 304 has no body")
    if !Self.accepts(fields) {
      self = ProblemDetails.replyTooLarge(
        "the fields of the reply exceed \(Self.fieldSizeLimit) bytes"
      ).response()
    } else {
      self.storage = ResponseStorage(
        status: status, fields: fields, body: body, fault: fault, problem: problem)
    }
  }

  /// Returns whether the header fields are within the limit.
  static func accepts(_ fields: HTTPFields) -> Bool {
    var size = 0
    for field in fields { size += field.name.rawName.utf8.count + field.value.utf8.count + 4 }
    return size <= fieldSizeLimit
  }

  private init(storage: ResponseStorage) {
    self.storage = storage
  }

  /// The 304 reply to a client that already has this representation: the same fields without those
  /// that describe the content, and no content (RFC 9110, section 15.4.5).
  ///
  /// - Complexity: O(1); it is encoded once.
  public var notModified: Response { Response(storage: storage.notModified) }

  /// Returns a reply with the same status and fields, and another body. It costs half of what the initializer does.
  ///
  /// - Parameter body: The body. It is copied once.
  /// - Precondition: The status is neither 204 nor 304.
  /// - Complexity: O(n), where n is the size of the fields and the body.
  package func with(body: [UInt8]) -> Response {
    precondition(status != .noContent && status != .notModified, "a 204 or 304 has no body")
    return Response(
      storage: ResponseStorage(
        status: status, fields: fields, body: body, fault: fault, like: storage))
  }

  /// The same reply with `Connection: close`.
  ///
  /// - Complexity: O(n), where n is the size of the fields; the body is shared.
  var closing: Response {
    var fields = fields
    fields[.connection] = "close"
    return with(fields: fields)
  }

  /// Returns a reply with the same status, another set of fields, and the same body, which is shared.
  ///
  /// - Complexity: O(n), where n is the size of the fields.
  func with(fields: HTTPFields) -> Response {
    Response(storage: ResponseStorage(sharing: storage, fields: fields))
  }

  /// Lets libmicrohttpd send the reply on a connection, of which this is the serving thread.
  func queue(on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, storage.code, storage.native)
  }

  /// The status.
  public var status: HTTPResponse.Status { storage.status }

  /// The reason why the request failed, which the server logs each time it sends the reply.
  package var fault: String? { storage.fault }

  /// The code of the problem that it reports; `nil` if it reports none.
  package var problem: String? { storage.problem }

  /// The header fields as passed to the initializer, without `Content-Type`, `Content-Encoding` and
  /// `Content-Language` if the status is 304.
  public var fields: HTTPFields { storage.fields }

  /// A copy of the body.
  ///
  /// - Complexity: O(n), where n is the size of the body.
  public var body: [UInt8] { Array(storage.bytes) }

  /// The size of the body in bytes.
  public var bodySize: Int { storage.bytes.count }

  /// The estimated memory of the reply in bytes: its body plus a measured constant for its objects
  /// and fields.
  package var memorySize: Int { storage.bytes.count + 2048 }

  /// Returns whether both replies share one encoding.
  package func isIdentical(to other: Response) -> Bool { storage === other.storage }
}

/// Owns one reply of libmicrohttpd and the bytes of its body.
///
/// `@unchecked Sendable`: the compiler cannot see that the C reply is immutable. Its fields are
/// added before it is shared, its reference count is atomic, and the bytes are written once and
/// freed by a callback of libmicrohttpd after the last use.
final class ResponseStorage: @unchecked Sendable {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  /// The reason for the log why the request failed.
  let fault: String?
  /// The code of the problem that the reply reports.
  let problem: String?
  /// The body; empty for 304. The memory belongs to ``native``, which lives as long as this object.
  let bytes: UnsafeBufferPointer<UInt8>
  /// The C reply. libmicrohttpd holds further references while connections send it.
  let native: OpaquePointer
  /// The status code in the type that libmicrohttpd takes.
  let code: UInt32
  /// The size of the representation: of the body, or of the client's copy if this is a 304.
  private let length: Int
  /// Whether the body is freed with this reply, and not with another that has it, too.
  private let ownsBytes: Bool
  /// The 304 of this representation, created on the first request for it.
  private let known304 = Mutex<ResponseStorage?>(nil)

  /// Creates a reply with a copy of a body.
  ///
  /// - Parameter other: A reply with the same fields, to share them; `nil` if there is none.
  convenience init(
    status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8], fault: String? = nil,
    problem: String? = nil, like other: ResponseStorage? = nil
  ) {
    if status == .notModified {
      self.init(notModified: 0, fields: fields)
      return
    }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(body.count, 1))
    _ = memory.initialize(from: body)
    self.init(
      status: status, fields: fields, bytes: UnsafeBufferPointer(rebasing: memory[..<body.count]),
      context: memory.baseAddress, release: { $0?.deallocate() }, fault: fault, problem: problem,
      like: other)
  }

  /// Creates a copy with other fields that shares and retains the body of `other`.
  convenience init(sharing other: ResponseStorage, fields: HTTPFields) {
    if other.status == .notModified {
      self.init(notModified: other.length, fields: fields)
      return
    }
    self.init(
      status: other.status, fields: fields, bytes: other.bytes,
      context: Unmanaged.passRetained(other).toOpaque(),
      release: { context in
        guard let context else { return }
        Unmanaged<ResponseStorage>.fromOpaque(context).release()
      }, ownsBytes: false)
  }

  /// Creates a 304 without the fields that describe content (RFC 9110, section 15.4.5).
  ///
  /// libmicrohttpd 0.9 always writes Content-Length, so it gets that of the representation (RFC
  /// 9110, section 8.6). It never reads the content of a 304.
  private convenience init(notModified length: Int, fields: HTTPFields) {
    var fields = fields
    fields[.contentType] = nil
    fields[.contentEncoding] = nil
    fields[.contentLanguage] = nil
    let native =
      Daemon.isOld ? viewdelta_create_304(length, 0) : viewdelta_create_304(0, 1)
    guard let native else { fatalError("out of memory for a 304") }
    self.init(
      status: .notModified, fields: fields,
      bytes: UnsafeBufferPointer(start: nil, count: 0), native: native, length: length)
  }

  /// Creates a reply with a body.
  ///
  /// - Parameters:
  ///   - bytes: The body. It must not change until `release` is called.
  ///   - context: The argument of `release`.
  ///   - release: Called once, on any thread, when the body is no longer used.
  private convenience init(
    status: HTTPResponse.Status, fields: HTTPFields, bytes: UnsafeBufferPointer<UInt8>,
    context: UnsafeMutableRawPointer?, release: MHD_ContentReaderFreeCallback,
    fault: String? = nil, problem: String? = nil, like other: ResponseStorage? = nil,
    ownsBytes: Bool = true
  ) {
    // C declares the pointer mutable, but only reads from it.
    let native = MHD_create_response_from_buffer_with_free_callback_cls(
      bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), release, context)
    guard let native else { fatalError("out of memory for a reply of \(bytes.count) bytes") }
    self.init(
      status: status, fields: fields, bytes: bytes, native: native, length: bytes.count,
      fault: fault, problem: problem, like: other, ownsBytes: ownsBytes)
  }

  private init(
    status: HTTPResponse.Status, fields: HTTPFields, bytes: UnsafeBufferPointer<UInt8>,
    native: OpaquePointer, length: Int, fault: String? = nil, problem: String? = nil,
    like other: ResponseStorage? = nil, ownsBytes: Bool = true
  ) {
    self.status = status
    self.fields = fields
    self.bytes = bytes
    self.native = native
    self.length = length
    self.fault = fault
    self.problem = problem
    self.ownsBytes = ownsBytes
    code = UInt32(status.code)
    if let other { other.copyFields(to: native) } else { Self.add(fields, to: native) }
  }

  deinit {
    MHD_destroy_response(native)
    if ownsBytes, bytes.count > ReplyBudget.uncounted { FreedMemory.note(bytes.count) }
  }

  /// The 304 of this representation.
  var notModified: ResponseStorage {
    if status == .notModified { return self }
    return known304.withLock { known in
      if let known { return known }
      let made = ResponseStorage(notModified: length, fields: fields)
      known = made
      return made
    }
  }

  /// The default fields for browsers: do not guess another media type from the bytes, and do not
  /// let pages of other origins read the reply (WHATWG Fetch Standard).
  private static let browserFields: HTTPFields = [
    .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
  ]

  /// Calls a closure for each field that is sent: the given fields and the defaults.
  static func forEachSent(_ fields: HTTPFields, _ body: (HTTPField) -> Void) {
    for field in fields where !field.value.isEmpty && !isWrittenByServer(field.name) { body(field) }
    for field in browserFields where !fields.contains(where: { $0.name == field.name }) {
      body(field)
    }
  }

  /// Adds the fields to a reply that is not shared yet.
  static func add(_ fields: HTTPFields, to native: OpaquePointer) {
    forEachSent(fields) { field in
      // It refuses a value only if it has CR or LF, which HTTPTypes has replaced, or if memory is
      // exhausted. In that case the reply is sent without the field.
      field.name.rawName.withCString { name in
        field.value.withCString { value in _ = MHD_add_response_header(native, name, value) }
      }
    }
  }

  /// Adds the fields of this reply to one that is not shared yet. They are in the form that libmicrohttpd wants.
  private func copyFields(to other: OpaquePointer) {
    _ = MHD_get_response_headers(
      native,
      { other, _, name, value in
        // The context is the other reply. A field is only refused if memory is exhausted.
        _ = MHD_add_response_header(other.map { OpaquePointer($0) }, name, value)
        return .YES
      }, UnsafeMutableRawPointer(other))
  }

  /// Returns whether the server writes this field itself, because it describes the framing of the
  /// message.
  private static func isWrittenByServer(_ name: HTTPField.Name) -> Bool {
    name == .contentLength || name == .transferEncoding
  }
}
