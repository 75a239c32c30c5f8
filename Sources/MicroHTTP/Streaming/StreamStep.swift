/// What a ``StreamSource`` has when it is asked.
public enum StreamStep: Sendable {
  /// The body of this reply is the next piece; its status and fields are not looked at.
  ///
  /// The bytes are sent from where the reply keeps them: one reply may be the piece of any number of
  /// streams, and none keeps a copy. A piece of any size is sent, in parts, before the source is asked
  /// again. An empty one is skipped.
  case send(Response)

  /// There is nothing now. The source is asked again after its ``StreamSignal`` was raised.
  case wait

  /// The content is complete. The connection is kept open for further requests if the client speaks
  /// HTTP/1.1, and otherwise closed.
  case end
}
