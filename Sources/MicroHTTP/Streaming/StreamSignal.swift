import Synchronization

/// Says that a ``StreamSource`` that waited has something to send.
///
/// `@unchecked Sendable`: the state is behind a lock, and the connection, a constant, is only passed to
/// libmicrohttpd while it is suspended, which keeps it alive, and from one thread at a time, because
/// the state allows one resume for each suspend.
public final class StreamSignal: @unchecked Sendable {
  private let state = Mutex(StreamState())
  /// The connection to resume, and by whom; nil for a stream without one.
  private let connection: OpaquePointer?
  private let resumes: ResumeQueue?

  init(connection: OpaquePointer?, resumes: ResumeQueue?) {
    self.connection = connection
    self.resumes = resumes
  }

  /// Has the source asked again.
  ///
  /// It may be called on any thread, at any time, under any lock but one that ``StreamSource/next()``
  /// takes, and costs little. Every raise is followed by a call of ``StreamSource/next()`` that began
  /// after it, unless the stream is over; several raises may be followed by one call. After the end it
  /// does nothing.
  public func raise() { _ = perform(.raised) }

  /// Takes an event and returns what the server's thread must do. Resuming is done here.
  func perform(_ event: StreamState.Event) -> StreamState.Action {
    // The lock only decides; libmicrohttpd is called without it.
    let action = state.withLock { $0.event(event) }
    if action == .resume, let connection { resumes?.resume(connection) }
    return action
  }
}
