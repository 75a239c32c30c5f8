public import HTTPTypes

/// The decision of a handler: a reply now, a reply later, or a reply in pieces.
///
/// ```swift
/// router.route(.get, "/news") { request throws(ProblemDetails) in
///   if let news = newsroom.latest { return .now(news) }
///   return .later { responder in newsroom.addReader(responder) }
/// }
/// ```
public enum Reply: Sendable {
  /// Sends a reply that is ready.
  case now(Response)

  /// Sends a reply that is ready as a standing reply: the server sends it again for every equal
  /// request as long as a condition holds, without calling the handler.
  ///
  /// Two requests are equal if their methods, targets, versions and all header fields are equal,
  /// byte for byte. The reply may depend on these, but on nothing else that the condition does not
  /// cover, such as the time or the address of the client. The condition must have held since
  /// before the handler read the data of the reply.
  ///
  /// The server asks for the condition before each use of the reply, on the thread that serves the
  /// connection. It must not block, and must be much cheaper than the handler.
  case standing(Response, while: @Sendable () -> Bool)

  /// Sends a reply later. The request is parked, without a thread, until the responder is used. If the closure uses
  /// it, the reply is sent at once.
  ///
  /// The server calls the closure once, immediately after the handler. The closure stores
  /// the responder for the code that will answer, and must not block.
  case later(@Sendable (Responder) -> Void)

  /// Sends a 200 reply in pieces, each requested from a source when the client has room for it.
  ///
  /// The server calls the closure once, on the thread that called the handler. The closure creates
  /// the source for this client and must not block. The source raises its signal if it has new
  /// content.
  ///
  /// - HTTP/1.1 clients get chunked content and can send further requests on the connection after
  ///   its end. For HTTP/1.0 clients the content ends with the connection.
  /// - HEAD gets the same fields and no content; the closure is not called. `Content-Length` is 0,
  ///   because libmicrohttpd can only omit it if it closes the connection.
  /// - Fields that exceed ``Response/fieldSizeLimit`` become a 500 problem,
  ///   `reply-fields-too-large`. While the server shuts down clients get a 503 problem,
  ///   `shutting-down`. The closure is not called in either case.
  /// - A stream counts as a request in flight, and also as a parked one while its source waits.
  ///   Waiting has no deadline. The client must read each piece within 30 s for each started MiB of it; otherwise the
  ///   connection is closed in the middle of the content.
  /// - If the client disconnects or closes its sending side while the source waits, the server
  ///   notices that within a second; otherwise when it sends the next piece.
  /// - A shutdown ends the content properly after the current piece, if the grace period is long
  ///   enough.
  case stream(fields: HTTPFields, @Sendable (StreamSignal) -> any StreamSource)
}
