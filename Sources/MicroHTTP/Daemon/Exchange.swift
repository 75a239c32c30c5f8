import CMicroHTTPD
import Synchronization

/// One request on a connection, from its first line until it is completed.
///
/// libmicrohttpd holds one reference, released in the completion callback. `@unchecked Sendable`:
/// `stage` is touched by libmicrohttpd's thread of this connection only; the parking space is behind
/// a lock.
final class Exchange: RequestStorage, Parking, @unchecked Sendable {
  /// Where the exchange is; it says what libmicrohttpd's next call means.
  enum Stage {
    /// The request line is there.
    case received
    /// The head is there, the body is being collected.
    case body
    /// Everything is there, the handler comes next.
    case complete
    /// The handler will answer later; the connection is suspended.
    case parked
    /// A reply was queued, maybe a stream.
    case answered
    /// The reply was written past libmicrohttpd; the rest of the body is thrown away.
    case discarding
  }

  /// libmicrohttpd's connection. It outlives the exchange, and suspending keeps it alive.
  let connection: OpaquePointer
  /// The connection's record.
  let record: ConnectionRecord
  var stage = Stage.received
  /// The content as far as it came; nil if none is to come, or a handler has it.
  var body: RequestBody?
  /// How much of the body was thrown away after a refusal, in bytes.
  var discarded = 0
  /// The reply to a head that was refused.
  var refusal: Response?
  /// What earlier requests that said the same have left.
  var recall = StandingReplies.Recall.unknown
  /// The reply, if it is a stream. Written once, before the exchange is in the connection table.
  var stream: OpenStream?
  private let parking = Mutex(ParkingSpace())
  private let resumes: ResumeQueue

  init(
    target: Target, connection: OpaquePointer, record: ConnectionRecord, resumes: ResumeQueue
  ) {
    self.connection = connection
    self.record = record
    self.resumes = resumes
    super.init(target: target, source: .live(ConnectionFields(connection: connection)))
  }

  func settle(with response: Response) -> Bool {
    perform(.answer(response))
  }

  func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    _ = perform(.onAbandonment(action))
  }

  /// The client was seen to be gone: nobody waits for the handler, the connection is closed.
  func clientLeft() {
    if let stream { stream.clientLeft() } else { _ = perform(.abandon(nil)) }
  }

  /// The server goes down: the handler is not waited for any longer.
  func shutDown() {
    if let stream { return stream.finish() }
    _ = perform(.abandon(ProblemDetails.shuttingDown().response(instance: path)))
  }

  /// The reply that the resumed connection is to send.
  func takeReply() -> ParkingSpace.Result {
    parking.withLock { $0.take() }
  }

  /// Returns whether the event settled the request.
  private func perform(_ event: ParkingSpace.Event) -> Bool {
    // The lock only decides; nothing that could call back runs under it.
    switch parking.withLock({ $0.event(event) }) {
    case .none:
      return false
    case .resume:
      // The space says so once, so there is one resume for each suspend.
      resumes.resume(connection)
      return true
    case .resumeAndRun(let action):
      resumes.resume(connection)
      action()
      return true
    case .run(let action):
      action()
      return false
    }
  }
}
