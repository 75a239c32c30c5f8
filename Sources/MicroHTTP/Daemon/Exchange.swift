import Synchronization

/// A request on a connection, from its request line until it is completed.
///
/// libmicrohttpd owns one reference, which the completion callback releases. `@unchecked Sendable`:
/// only the connection's serving thread touches the variables; the parking space is behind a lock.
final class Exchange: RequestStorage, Parking, @unchecked Sendable {
  /// The stage of the exchange, which decides the meaning of libmicrohttpd's next call.
  enum Stage {
    /// The request line was received.
    case received
    /// The head was received; the body is being collected.
    case body
    /// The request is complete; the handler is called next.
    case complete
    /// The handler answers later; the connection is suspended.
    case parked
    /// A reply or a stream was queued.
    case answered
    /// The reply was written directly to the socket; the rest of the body is discarded.
    case discarding
  }

  /// libmicrohttpd's connection. It outlives the exchange; suspending keeps it alive.
  let connection: OpaquePointer
  /// The record of the connection.
  let record: ConnectionRecord
  var stage = Stage.received
  /// The collected body; nil if there is none, or if a handler has it.
  var body: RequestBody?
  /// The number of bytes of the body that were discarded after a refusal.
  var discarded = 0
  /// The reply to a head that was refused.
  var refusal: Response?
  /// The reply that the connection sends, if the ``ReplyBudget`` counts it.
  var countedReply: Response?
  /// The time at which the handler was called; `nil` if the method cannot change anything.
  var began: MonotonicTime?
  /// The standing reply that answers the request if its condition still holds.
  var standingReply: StandingReply?
  /// The image under which a standing reply to the request can be kept; `nil` if none can. It is valid until a
  /// reply is queued.
  var image: RequestImage?
  /// The stream, if the reply is one. Set once, before the exchange is in the connection table.
  var stream: OpenStream?
  private let parking = Mutex(ParkingSpace())

  init(target: Target, connection: OpaquePointer, record: ConnectionRecord) {
    self.connection = connection
    self.record = record
    super.init(target: target, source: .live(ConnectionFields(connection: connection)))
  }

  var isWaiting: Bool { parking.withLock { $0.isWaiting } }

  func settle(with response: Response, in batch: ResumeBatch?) -> Bool {
    perform(.answer(response), in: batch)
  }

  func onAbandonment(_ action: @escaping @Sendable () -> Void) {
    _ = perform(.onAbandonment(action))
  }

  /// Abandons the request because its client has disconnected, and closes the connection.
  func clientLeft() {
    if let stream { stream.clientLeft() } else { _ = perform(.abandon(nil)) }
  }

  /// Abandons the request because the server is shutting down.
  func shutDown() {
    if let stream { return stream.finish() }
    _ = perform(.abandon(ProblemDetails.shuttingDown().response(instance: path)))
  }

  /// Returns whether the connection must be suspended; not if the request is settled already.
  func suspends() -> Bool {
    if case .suspend = parking.withLock({ $0.event(.suspend) }) { true } else { false }
  }

  /// Returns the reply that the connection sends once the request is settled.
  func takeReply() -> ParkingSpace.Result {
    parking.withLock { $0.take() }
  }

  /// Handles an event; returns whether it settled the request.
  private func perform(_ event: ParkingSpace.Event, in batch: ResumeBatch? = nil) -> Bool {
    // The lock only guards the decision; actions run without it.
    switch parking.withLock({ $0.event(event) }) {
    case .none, .suspend:
      return false
    case .settled:
      return true
    case .resume:
      // The parking space returns this action once, so there is one resume for each suspend.
      record.resumes.resume(connection, in: batch)
      return true
    case .resumeAndRun(let action):
      record.resumes.resume(connection)
      action()
      return true
    case .run(let action):
      action()
      return false
    }
  }
}
