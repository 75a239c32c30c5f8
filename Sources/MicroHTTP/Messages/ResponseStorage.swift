import CMicroHTTPD
import Glibc
import HTTPTypes
import Synchronization

/// Owns one reply of libmicrohttpd and the bytes of its body.
///
/// `@unchecked Sendable` because the compiler cannot see that C's reply is immutable once made
/// here: its fields are added before anybody else has it, its reference count is atomic, and the
/// bytes are written once and freed by libmicrohttpd's callback after the last reader.
final class ResponseStorage: @unchecked Sendable {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  /// The body; empty for 304. The memory belongs to ``native``, which lives as long as this object.
  let bytes: UnsafeBufferPointer<UInt8>
  /// The reply. libmicrohttpd holds further references while connections send it.
  let native: OpaquePointer
  /// The status as libmicrohttpd takes it.
  let code: UInt32
  /// The size of the representation: of the body, or for 304 of what the client has.
  private let length: Int
  /// The 304 of this representation, made at the first request for it.
  private let known304 = Mutex<ResponseStorage?>(nil)

  convenience init(status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8]) {
    if status == .notModified {
      self.init(notModified: 0, fields: fields)
      return
    }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(body.count, 1))
    _ = memory.initialize(from: body)
    self.init(
      status: status, fields: fields, bytes: UnsafeBufferPointer(rebasing: memory[..<body.count]),
      context: memory.baseAddress, release: { $0?.deallocate() })
  }

  /// The same reply with a field that says that it is the last on its connection. It shares the body,
  /// which it keeps.
  convenience init(closing other: ResponseStorage) {
    var fields = other.fields
    fields[.connection] = "close"
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
      })
  }

  /// A 304, without the fields that describe content that it does not have (RFC 9110, section 15.4.5).
  ///
  /// libmicrohttpd 0.9 writes Content-Length all the same, so it gets that of the representation (RFC
  /// 9110, section 8.6). It never looks at the content of a 304.
  private convenience init(notModified length: Int, fields: HTTPFields) {
    var fields = fields
    fields[.contentType] = nil
    fields[.contentEncoding] = nil
    let native =
      Self.writesLength ? viewdelta_create_304(length, 0) : viewdelta_create_304(0, 1)
    guard let native else { fatalError("out of memory for a 304") }
    self.init(
      status: .notModified, fields: fields,
      bytes: UnsafeBufferPointer(start: nil, count: 0), native: native, length: length)
  }

  /// - Parameters:
  ///   - bytes: The body. It must stay as it is until it is released.
  ///   - context: What `release` gets.
  ///   - release: Called once, on any thread, when the body is not needed any longer.
  private convenience init(
    status: HTTPResponse.Status, fields: HTTPFields, bytes: UnsafeBufferPointer<UInt8>,
    context: UnsafeMutableRawPointer?, release: MHD_ContentReaderFreeCallback
  ) {
    // C takes a pointer to variable memory, but only reads it.
    let native = MHD_create_response_from_buffer_with_free_callback_cls(
      bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), release, context)
    guard let native else { fatalError("out of memory for a reply of \(bytes.count) bytes") }
    self.init(status: status, fields: fields, bytes: bytes, native: native, length: bytes.count)
  }

  private init(
    status: HTTPResponse.Status, fields: HTTPFields, bytes: UnsafeBufferPointer<UInt8>,
    native: OpaquePointer, length: Int
  ) {
    self.status = status
    self.fields = fields
    self.bytes = bytes
    self.native = native
    self.length = length
    code = UInt32(status.code)
    Self.add(fields, to: native)
  }

  deinit {
    MHD_destroy_response(native)
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

  /// Whether libmicrohttpd writes a Content-Length into each 304, as it does before version 1.0.
  private static let writesLength = strncmp(MHD_get_version(), "0.9.", 4) == 0

  /// What every reply says to browsers: its type is what it says, not what its bytes look like, and pages of
  /// other origins get nothing of it (WHATWG Fetch Standard).
  private static let browserFields: HTTPFields = [
    .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "same-origin",
  ]

  /// Passes on the fields to send for those that are given.
  static func forEachSent(_ fields: HTTPFields, _ body: (HTTPField) -> Void) {
    for field in fields where !field.value.isEmpty && !isWrittenByServer(field.name) { body(field) }
    for field in browserFields where !fields.contains(where: { $0.name == field.name }) {
      body(field)
    }
  }

  /// Adds the fields to a reply that nobody else has yet.
  static func add(_ fields: HTTPFields, to native: OpaquePointer) {
    forEachSent(fields) { field in
      // It can refuse a value only for CR and LF, which HTTPTypes has replaced, and for want of
      // memory. A field that it refuses all the same is better missing than fatal.
      _ = MHD_add_response_header(native, field.name.rawName, field.value)
    }
  }

  /// The framing of a message is for the one who sends it.
  private static func isWrittenByServer(_ name: HTTPField.Name) -> Bool {
    name == .contentLength || name == .transferEncoding
  }
}
