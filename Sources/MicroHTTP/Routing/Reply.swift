public import HTTPTypes

/// What a handler decides: a reply at once, one that will come, or one that comes in pieces.
public enum Reply: Sendable {
  /// The reply is ready. It is queued by the thread that called the handler.
  case now(Response)

  /// The reply is ready, and stands for all requests that say the same as this one, as long as a
  /// condition holds: then the handler need not be asked again.
  ///
  /// Two requests say the same if their methods, targets, versions and all their fields are equal, byte
  /// for byte. So it may depend on any of these, but on nothing that the condition does not cover, such
  /// as the time or the address of the client. The condition must have held since before the handler
  /// began to look.
  case standing(Response, while: any ReplyCondition)

  /// The reply will come. The request is parked, without a thread, until the responder is used.
  ///
  /// The closure is called once, right after the request was parked, and must not block; it puts
  /// the responder where the one who will have the answer finds it.
  case later(@Sendable (Responder) -> Void)

  /// A 200 reply whose content is asked for piece by piece, whenever the client has room for it.
  ///
  /// The closure is called once, on the thread that called the handler, and makes the source for this
  /// client; it must not block. The signal that it gets is how the source, or who feeds it, says that
  /// there is something new.
  ///
  /// - HTTP/1.1 clients get the content chunked, and may send further requests on the connection after
  ///   the end. HTTP/1.0 clients get it up to the close of the connection.
  /// - HEAD gets the same fields and no content, and the closure is not called. `Content-Length` is 0,
  ///   because libmicrohttpd cannot leave it out without closing the connection.
  /// - Fields beyond ``Response/fieldSizeLimit`` become a 500 problem, `reply-fields-too-large`, and
  ///   the closure is not called; nor while the server is shutting down, when clients get a 503 problem,
  ///   `shutting-down`.
  /// - A stream counts as a request in flight, and as a parked one while its source waits. It has no
  ///   deadline then; otherwise a client must take each piece within
  ///   ``ServerConfiguration/replyDeadline`` for each started MiB of it, or the connection is closed in
  ///   the middle of the content.
  /// - A client that leaves while the source waits, also if it only closes its sending side, is noticed
  ///   within ``ServerConfiguration/abandonmentSweep``; one that leaves otherwise, by the next piece.
  /// - A shutdown ends the content properly after the piece on its way, if the grace suffices for that.
  case stream(fields: HTTPFields, @Sendable (StreamSignal) -> any StreamSource)
}
