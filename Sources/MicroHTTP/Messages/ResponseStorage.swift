import CMicroHTTPD
import HTTPTypes

/// Owns one reply of libmicrohttpd and the bytes of its body.
///
/// `@unchecked Sendable` because the compiler cannot see that C's reply is immutable once made
/// here: its fields are added before anybody else has it, its reference count is atomic, and the
/// bytes are written once and freed by libmicrohttpd's callback after the last reader.
final class ResponseStorage: @unchecked Sendable {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  /// The body. The memory belongs to ``native``, which lives as long as this object.
  let bytes: UnsafeBufferPointer<UInt8>
  /// The reply. libmicrohttpd holds further references while connections send it.
  let native: OpaquePointer
  /// The status as libmicrohttpd takes it.
  let code: UInt32

  init(status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8]) {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(body.count, 1))
    _ = memory.initialize(from: body)
    let native = MHD_create_response_from_buffer_with_free_callback_cls(
      body.count, memory.baseAddress, { context in context?.deallocate() }, memory.baseAddress)
    guard let native else { fatalError("out of memory for a reply of \(body.count) bytes") }
    Self.add(fields, to: native)
    self.status = status
    self.fields = fields
    self.bytes = UnsafeBufferPointer(start: memory.baseAddress, count: body.count)
    self.native = native
    self.code = UInt32(status.code)
  }

  deinit {
    MHD_destroy_response(native)
  }

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
