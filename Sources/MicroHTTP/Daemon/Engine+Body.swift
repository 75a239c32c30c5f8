import CMicroHTTPD
import Glibc
import HTTPTypes

extension Engine {
  /// How much of a refused body is thrown away before the connection is closed, in bytes. Closing at
  /// once, with unread bytes, would reset the connection, and the client might lose the reply.
  static let discardLimit = 256 * 1024

  /// Takes a piece of the body.
  func collect(
    _ exchange: Exchange, _ upload: UnsafeBufferPointer<UInt8>,
    _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    guard exchange.body.count + upload.count <= configuration.bodySizeLimit else {
      return refuseBody(exchange, remaining)
    }
    exchange.body.append(contentsOf: upload)
    remaining.pointee = 0
    return .YES
  }

  /// Throws a piece of a refused body away; closes the connection at its end.
  func discard(
    _ exchange: Exchange, _ upload: UnsafeBufferPointer<UInt8>,
    _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    exchange.discarded += upload.count
    remaining.pointee = 0
    return upload.isEmpty || exchange.discarded > Self.discardLimit ? .NO : .YES
  }

  /// A chunked body passed the limit. libmicrohttpd takes no reply in the middle of a body, so it is
  /// written to the socket directly: every earlier reply was sent completely before this request was
  /// parsed. Then the sending side is closed, and the connection when the client is done.
  private func refuseBody(
    _ exchange: Exchange, _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    let problem = ProblemDetails.bodyTooLarge(limit: configuration.bodySizeLimit)
    let message = Self.message(problem.response(instance: exchange.path))
    let descriptor = exchange.record.descriptor
    // A socket that does not take these few bytes at once belongs to a client that does not read.
    let sent = message.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    guard sent == message.count else { return .NO }
    shutdown(descriptor, Int32(SHUT_WR))
    exchange.body = []
    exchange.stage = .discarding
    watch(exchange.record, .replying(bytes: message.count))
    remaining.pointee = 0
    return .YES
  }

  /// A closing reply as it is sent (RFC 9112, section 2.1).
  static func message(_ response: Response) -> [UInt8] {
    var head = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
    for field in response.fields { head += "\(field.name.rawName): \(field.value)\r\n" }
    head += "Content-Length: \(response.bodySize)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + response.body
  }
}
