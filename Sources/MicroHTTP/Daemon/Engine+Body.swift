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
    guard let body = exchange.body,
      body.bytes.count + upload.count <= configuration.bodySizeLimit
    else {
      return refuseBody(exchange, .bodyTooLarge(limit: configuration.bodySizeLimit), remaining)
    }
    guard body.append(upload) else { return refuseBody(exchange, .tooManyBodies(), remaining) }
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

  /// A body cannot be taken as far as it came. libmicrohttpd takes no reply in the middle of a body, so it
  /// is written to the socket directly. Then the sending side is closed, and the connection when the client
  /// is done.
  private func refuseBody(
    _ exchange: Exchange, _ problem: ProblemDetails, _ remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    let response = problem.response(instance: exchange.path)
    guard write(response, to: exchange) else { return .NO }
    shutdown(exchange.record.descriptor, Int32(SHUT_WR))
    exchange.body = nil
    exchange.stage = .discarding
    watch(exchange.record, .replying(bytes: response.bodySize))
    remaining.pointee = 0
    return .YES
  }

  /// A request ended with an error after its reply was queued. Either the connection is broken, or
  /// libmicrohttpd had no memory left to write the head of the reply, has sent nothing, and is about to
  /// close the connection: then a problem is written to the socket directly.
  func answerUnanswered(_ exchange: Exchange) {
    guard exchange.stage == .answered, exchange.stream == nil else { return }
    let isSafe = exchange.method == .get || exchange.method == .head
    let problem: ProblemDetails =
      isSafe
      ? .fieldsTooLarge(configuration)
      : .replyTooLarge("the head of the request left no room for that of the reply")
    let response = exchange.refusal ?? problem.response(instance: exchange.path)
    guard write(response, to: exchange) else { return }
    dropReceived(exchange)
  }

  /// Refuses a request that libmicrohttpd does not read on.
  func refuseStuck(_ exchange: Exchange) {
    let problem = ProblemDetails.badFraming("a line before a chunk or a trailer is too long")
    if write(problem.response(instance: exchange.path), to: exchange) { dropReceived(exchange) }
    shutdown(exchange.record.descriptor, Int32(SHUT_RDWR))
  }

  /// Throws away what a client has sent so far. Closing with unread bytes would reset the connection,
  /// and the client might lose the reply.
  private func dropReceived(_ exchange: Exchange) {
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    var rest = Self.discardLimit
    while rest > 0 {
      let count = recv(exchange.record.descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return }
      rest -= count
    }
  }

  /// Writes a closing reply to the socket: every earlier reply was sent completely before this request was
  /// parsed.
  ///
  /// - Returns: Whether it was taken. A socket that does not take these few bytes at once belongs to a
  ///   client that does not read.
  private func write(_ response: Response, to exchange: Exchange) -> Bool {
    let message = Self.message(response, hasContent: exchange.method != .head)
    return message.withUnsafeBytes {
      send(
        exchange.record.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    } == message.count
  }

  /// A closing reply as it is sent (RFC 9112, section 2.1).
  private static func message(_ response: Response, hasContent: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
    ResponseStorage.forEachSent(response.fields) { field in
      head += "\(field.name.rawName): \(field.value)\r\n"
    }
    head += "Date: \(date())\r\nContent-Length: \(response.bodySize)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + (hasContent ? response.body : [])
  }

  /// The present as a field's value (RFC 9110, section 5.6.7).
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
