public import HTTPTypes

/// An immutable reply, encoded once and then queued to any number of requests, on any thread.
///
/// It is a small value: copies share one reference-counted reply of libmicrohttpd, which owns the
/// bytes. Queuing a reply copies and allocates nothing, so a reply worth keeping should be kept.
///
/// No value of a peer can split a reply: HTTPTypes turns CR, LF and NUL in a field's value into
/// spaces. A handler that would rather refuse such a value asks `HTTPField.isValidValue(_:)` first.
/// Fields of more than ``fieldSizeLimit`` bytes become a 500 problem, `reply-fields-too-large`.
/// Fields with an empty value are left out, and so are `Content-Length` and `Transfer-Encoding`,
/// which the server writes itself, and of a 304 `Content-Type` and `Content-Encoding`, which describe
/// content that it does not have. So are `Date` (RFC 9110, section 6.6.1),
/// `X-Content-Type-Options: nosniff` and `Cross-Origin-Resource-Policy: same-origin` unless they are given.
public struct Response: Sendable {
  /// The largest sum of the names and values of a reply's fields, in bytes.
  public static let fieldSizeLimit = 8 * 1024

  /// The shared reply.
  let storage: ResponseStorage

  /// Encodes a reply.
  ///
  /// - Parameters:
  ///   - status: The status, 200 to 599. Another one is a programmer's error.
  ///   - fields: The fields, sent in this order.
  ///   - body: The content. It is copied once, here. It must be empty for 204 and 304.
  /// - Complexity: O(n) in the size of the body.
  public init(status: HTTPResponse.Status, fields: HTTPFields = [:], body: [UInt8] = []) {
    precondition((200...599).contains(status.code), "a reply needs a final status, 200 to 599")
    precondition(
      status != .noContent && status != .notModified || body.isEmpty, "a 204 or 304 has no body")
    if !Self.accepts(fields) {
      self = ProblemDetails.replyTooLarge(
        "the fields of the reply exceed \(Self.fieldSizeLimit) bytes"
      ).response()
    } else {
      self.storage = ResponseStorage(status: status, fields: fields, body: body)
    }
  }

  /// Whether the fields of a reply keep the limit.
  static func accepts(_ fields: HTTPFields) -> Bool {
    var size = 0
    for field in fields { size += field.name.rawName.utf8.count + field.value.utf8.count + 4 }
    return size <= fieldSizeLimit
  }

  private init(storage: ResponseStorage) {
    self.storage = storage
  }

  /// The 304 that says that the client has this representation already: the same fields but those that
  /// describe the content, and no content (RFC 9110, section 15.4.5).
  ///
  /// - Complexity: O(1); it is encoded once.
  public var notModified: Response { Response(storage: storage.notModified) }

  /// The same reply, which says that it is the last on its connection.
  ///
  /// - Complexity: O(n) in the size of the fields; the body is shared.
  var closing: Response { Response(storage: ResponseStorage(closing: storage)) }

  /// The status.
  public var status: HTTPResponse.Status { storage.status }

  /// The fields as they were given, without `Content-Type` and `Content-Encoding` for 304.
  public var fields: HTTPFields { storage.fields }

  /// The content.
  ///
  /// - Complexity: O(n) in the size of the body, which is copied.
  public var body: [UInt8] { Array(storage.bytes) }

  /// The size of the content in bytes.
  public var bodySize: Int { storage.bytes.count }

  /// What the reply takes in memory, in bytes, estimated: its body, and what the objects and a few fields
  /// take, as measured.
  public var memorySize: Int { storage.bytes.count + 2048 }

  /// Whether two replies share one encoding, so that nothing was encoded twice.
  public func isIdentical(to other: Response) -> Bool { storage === other.storage }
}
