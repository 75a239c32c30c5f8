/// What can go wrong with a ``SocketClient``.
public enum SocketFailure: Error, Equatable {
  /// The deadline passed first. What was read until then is told.
  case deadline(read: String)
  /// The server closed the connection first. What was read until then is told.
  case closed(read: String)
  /// The server reset the connection.
  case reset
  /// A system call failed with this `errno`.
  case systemCall(String, errno: Int32)
  /// What came is no reply.
  case malformed(String)
}
