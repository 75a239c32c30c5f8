import Synchronization

/// The source of one streaming reply's content.
///
/// The server pulls from it: it asks for the next piece only after the client has taken the
/// previous one. So a slow client causes no queue in the server, and the source decides what a late
/// client gets, for example the latest state instead of every intermediate one. A client that does
/// not read at all holds one piece and the socket's send buffer, until the deadline of a reply, 30 s for each started MiB,
/// ends the stream.
///
/// ```swift
/// final class Ticks: StreamSource {
///   private let remaining = Mutex(3)
///   func next() -> StreamStep {
///     remaining.withLock { count in
///       count -= 1
///       return count < 0 ? .end : .send(Response(status: .ok, body: Array("tick\n".utf8)))
///     }
///   }
///   func ended() {}
/// }
/// router.route(.get, "/ticks") { _ in .stream(fields: [.contentType: "text/plain"]) { _ in Ticks() } }
/// ```
public protocol StreamSource: Sendable {
  /// Returns the next piece of the content.
  ///
  /// The server calls it on the thread that serves the connection together with many others, so it
  /// must be fast and must not block. Calls never overlap. The server can call it more often than
  /// the signal was raised; it then returns ``StreamStep/wait``.
  func next() -> StreamStep

  /// Called once when the stream is over, whether the source, the client, a deadline or a shutdown
  /// ended it.
  ///
  /// It can run on any thread, without a lock held, and must not block. No call of ``next()``
  /// overlaps or follows it. After ``StreamStep/end`` it is called when the client has read the
  /// rest or its deadline has passed.
  func ended()
}

/// The result of asking a ``StreamSource`` for content.
public enum StreamStep: Sendable {
  /// Sends the body of a reply as the next piece; its status and fields are ignored.
  ///
  /// The bytes are not copied, so that many streams can send one reply. A piece of any size is sent
  /// completely before the source is asked again. An empty piece is skipped.
  case send(Response)

  /// Waits. The source is asked again after its ``StreamSignal`` is raised.
  case wait

  /// Ends the content. The connection stays open for further requests if the client speaks
  /// HTTP/1.1, and is closed otherwise.
  case end
}

/// Resumes a stream whose ``StreamSource`` waits.
///
/// `@unchecked Sendable`: the state is behind a lock. The connection is a constant that is passed
/// to libmicrohttpd only while it is suspended, which keeps it alive, and from one thread at a
/// time, because the state allows one resume for each suspend.
public final class StreamSignal: @unchecked Sendable {
  private let state = Mutex(StreamState())
  /// The connection to resume and the queue that resumes it; nil for a stream without a connection.
  private let connection: OpaquePointer?
  private let resumes: ResumeQueue?

  init(connection: OpaquePointer?, resumes: ResumeQueue?) {
    self.connection = connection
    self.resumes = resumes
  }

  /// Makes the server ask the source again.
  ///
  /// You can call it on any thread, at any time, and under any lock that ``StreamSource/next()``
  /// does not take. It is cheap. A call of ``StreamSource/next()`` that begins later follows each
  /// raise, unless the stream is over; several raises can share one call. After the end it has no
  /// effect.
  public func raise() { _ = perform(.raised) }

  /// Makes the server ask the source again when the batch is resumed.
  package func raise(in batch: ResumeBatch) { _ = perform(.raised, in: batch) }

  /// Handles an event, resumes the connection if needed, and returns the action for the server's
  /// thread.
  func perform(_ event: StreamState.Event, in batch: ResumeBatch? = nil) -> StreamState.Action {
    // libmicrohttpd must not be called under the lock.
    let action = state.withLock { $0.event(event) }
    if action == .resume, let connection { resumes?.resume(connection, in: batch) }
    return action
  }
}
