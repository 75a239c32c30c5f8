import CMicroHTTPD
import Glibc
import HTTPTypes

extension DaemonEngine {
  /// The number of bytes of a refused body that are read and discarded before the connection is
  /// closed. Closing with unread bytes would reset the connection, and the client might lose the
  /// reply.
  private static let discardLimit = 256 * 1024

  /// Collects a piece of the body, or refuses the request if the body is too large.
  func collect(
    _ exchange: Exchange, _ upload: UnsafeBufferPointer<UInt8>,
    _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    guard let body = exchange.body,
      body.bytes.count + upload.count <= configuration.bodySizeLimit
    else {
      return refuseBody(exchange, .bodyTooLarge(limit: configuration.bodySizeLimit), remaining)
    }
    guard body.append(upload) else { return refuseBody(exchange, .tooManyBodies(), remaining) }
    remaining.pointee = 0
    return .YES
  }

  /// Discards a piece of a refused body. Closes the connection at the end of the body or at the
  /// limit.
  func discard(
    _ exchange: Exchange, _ upload: UnsafeBufferPointer<UInt8>,
    _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    exchange.discarded += upload.count
    remaining.pointee = 0
    return upload.isEmpty || exchange.discarded > Self.discardLimit ? .NO : .YES
  }

  /// Refuses a request in the middle of its body. libmicrohttpd accepts no reply at that point, so
  /// the reply is written directly to the socket. Then the sending side is closed, and the
  /// connection when the client has finished.
  private func refuseBody(
    _ exchange: Exchange, _ problem: ProblemDetails, _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    let response = problem.response(instance: exchange.path)
    guard write(response, to: exchange) else { return .NO }
    note(response, exchange)
    shutdown(exchange.record.descriptor, Int32(SHUT_WR))
    exchange.body = nil
    exchange.stage = .discarding
    updateDeadline(exchange.record, .replying(bytes: response.bodySize))
    remaining.pointee = 0
    return .YES
  }

  /// Answers a request that ended with an error after its reply was queued. Either the connection
  /// is broken, or libmicrohttpd had no memory for the head of the reply, has sent nothing, and is
  /// about to close the connection; then a problem is written directly to the socket.
  func answerUnanswered(_ exchange: Exchange) {
    guard exchange.stage == .answered, exchange.stream?.hasBegun != true else { return }
    let problem: ProblemDetails =
      exchange.changesNothing
      ? .fieldsTooLarge(configuration)
      : .replyTooLarge("the head of the request leaves no memory for the head of the reply")
    let response = exchange.refusal ?? problem.response(instance: exchange.path)
    if write(response, to: exchange) { note(response, exchange) }
  }

  /// Refuses a request that libmicrohttpd has stopped reading.
  func refuseStuck(_ exchange: Exchange) {
    let problem = ProblemDetails.badFraming("a line before a chunk or a trailer is too long")
    let response = problem.response(instance: exchange.path)
    // A request whose body is discarded has its reply.
    if exchange.stage == .body, write(response, to: exchange) { note(response, exchange) }
    shutdown(exchange.record.descriptor, Int32(SHUT_RDWR))
  }

  /// Writes a reply with `Connection: close` to the socket. Every earlier reply was sent completely
  /// before this request was parsed.
  ///
  /// - Returns: Whether the socket accepted the reply. A socket that does not accept these few
  ///   bytes at once belongs to a client that does not read.
  private func write(_ response: Response, to exchange: Exchange) -> Bool {
    let message = Self.message(shared(response, exchange), hasContent: exchange.method != .head)
    return message.withUnsafeBytes {
      send(
        exchange.record.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    } == message.count
  }

  /// Encodes a reply with `Connection: close` (RFC 9112, section 2.1).
  private static func message(_ response: Response, hasContent: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
    ResponseStorage.forEachSent(response.fields) { field in
      head += "\(field.name.rawName): \(field.value)\r\n"
    }
    head += "Date: \(date())\r\nContent-Length: \(response.bodySize)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + (hasContent ? response.body : [])
  }

  /// Returns the current time as a field value (RFC 9110, section 5.6.7).
  private static func date() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      let count = strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
      return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
