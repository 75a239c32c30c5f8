/// What a handler decides: a reply at once, or one that will come.
public enum Reply: Sendable {
  /// The reply is ready. It is queued by the thread that called the handler.
  case now(Response)

  /// The reply will come. The request is parked, without a thread, until the responder is used.
  ///
  /// The closure is called once, right after the request was parked, and must not block; it puts
  /// the responder where the one who will have the answer finds it.
  case later(@Sendable (Responder) -> Void)
}
