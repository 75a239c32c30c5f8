import CMicroHTTPD
import Glibc
import HTTPTypes
import Logging
import Synchronization

/// What libmicrohttpd's callbacks do. One engine belongs to one daemon, which holds a reference.
///
/// Its methods run on libmicrohttpd's threads unless they say otherwise. They never block, throw or
/// trap, whatever a peer sends.
final class Engine: Sendable {
  let configuration: ServerConfiguration
  let limits: ConnectionWatch.Limits
  let router: Router
  let logger: Logger
  let connections = ConnectionTable()
  let resumes = ResumeQueue()
  let standing = StandingReplies()
  /// Shared by all engines of a server.
  let bodies: BodyBudget
  let siteGuard: SiteGuard
  /// The number of requests between their first line and the end of their reply.
  let inFlight = Atomic<Int>(0)
  /// The number of suspended connections, and those resumed that had no turn yet.
  let suspended = Atomic<Int>(0)
  /// Whether the library's parser joins folded lines and trims values, as it does since version 1.0.
  /// Version 0.9 leaves every line where it was received.
  let movesLines = strncmp(MHD_get_version(), "0.9.", 4) != 0
  /// Whether new requests are refused.
  let isDraining = Atomic<Bool>(false)

  init(
    configuration: ServerConfiguration, router: Router, logger: Logger, bodies: BodyBudget
  ) {
    self.configuration = configuration
    self.limits = ConnectionWatch.Limits(configuration)
    self.siteGuard = SiteGuard(configuration)
    self.bodies = bodies
    self.router = router
    self.logger = logger
  }

  /// A connection was accepted.
  func opened(_ connection: OpaquePointer) -> ConnectionRecord {
    let record = ConnectionRecord(descriptor: viewdelta_connection_descriptor(connection))
    record.event(.opened, limits)
    connections.insert(record)
    return record
  }

  /// A connection is about to be closed.
  func closed(_ record: ConnectionRecord) {
    connections.remove(record)
  }

  /// A request line is there, its target not yet touched by libmicrohttpd.
  func received(
    target: UnsafeBufferPointer<UInt8>, connection: OpaquePointer, record: ConnectionRecord
  ) -> Exchange {
    inFlight.wrappingAdd(1, ordering: .relaxed)
    record.event(.requestLine, limits)
    return Exchange(
      target: record.target(target), connection: connection, record: record, resumes: resumes)
  }

  /// A request is over, whatever became of it.
  ///
  /// - Parameter withError: Whether it ended with an error of the connection or of the library's own.
  func completed(_ exchange: Exchange, withError: Bool) {
    if withError { answerUnanswered(exchange) }
    if exchange.stage == .parked {
      unpark(exchange)
      resumes.empty()
    }
    if let stream = exchange.stream {
      connections.unpark(exchange)
      stream.completed()
    }
    exchange.record.event(.replied, limits)
    inFlight.wrappingSubtract(1, ordering: .releasing)
  }

  /// libmicrohttpd's access handler: called for the head, for each piece of the body, and then until
  /// there is a reply.
  func handle(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    upload: UnsafeBufferPointer<UInt8>, remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    switch exchange.stage {
    case .received:
      return head(exchange, method: method, version: version)
    case .body where !upload.isEmpty:
      return collect(exchange, upload, remaining)
    case .discarding:
      return discard(exchange, upload, remaining)
    case .body, .complete:
      return respond(exchange, version: version)
    case .parked:
      return resumed(exchange)
    case .answered:
      remaining.pointee = 0
      return .YES
    }
  }

  /// Queues a reply.
  func queue(_ response: Response, _ exchange: Exchange) -> MHD_Result {
    exchange.stage = .answered
    exchange.record.event(.replying(bytes: response.bodySize), limits)
    let code = response.status == .notModified ? 304 : response.storage.code
    return MHD_queue_response(exchange.connection, code, response.storage.native)
  }

  /// The handler's turn.
  private func respond(_ exchange: Exchange, version: UnsafePointer<CChar>?) -> MHD_Result {
    if let response = standingReply(to: exchange) { return queue(response, exchange) }
    // From here on only those who keep the request keep its body.
    let request = Request(storage: exchange, content: exchange.body)
    exchange.body = nil
    switch router.reply(to: request) {
    case .now(let response):
      return queue(response, exchange)
    case .standing(let response, let condition):
      keep(response, while: condition, for: exchange)
      return queue(response, exchange)
    case .later(let park):
      return suspend(exchange, park)
    case .stream(let fields, let open):
      return stream(exchange, version: version, fields, open)
    }
  }

  /// Suspends the connection until the responder is used.
  private func suspend(_ exchange: Exchange, _ park: (Responder) -> Void) -> MHD_Result {
    exchange.stage = .parked
    exchange.record.event(.parked, limits)
    suspended.wrappingAdd(1, ordering: .sequentiallyConsistent)
    connections.park(exchange)
    // From here on anybody may resume it: a resume before the suspend would be lost.
    MHD_suspend_connection(exchange.connection)
    park(Responder(exchange))
    // Draining sets the flag first and then settles the table's requests; parking goes into the
    // table first and then looks at the flag. So one of the two sees the other.
    if isDraining.load(ordering: .sequentiallyConsistent) {
      exchange.shutDown()
    }
    return .YES
  }

  /// The connection was resumed, or libmicrohttpd looks at it for another reason.
  private func resumed(_ exchange: Exchange) -> MHD_Result {
    resumes.empty()
    switch exchange.takeReply() {
    case .waiting:
      // Not settled, so a resume is still to come, and libmicrohttpd must not call in vain.
      MHD_suspend_connection(exchange.connection)
      return .YES
    case .reply(let response):
      unpark(exchange)
      return queue(response, exchange)
    case .nobodyThere:
      unpark(exchange)
      exchange.stage = .answered
      return .NO
    }
  }

  private func unpark(_ exchange: Exchange) {
    connections.unpark(exchange)
    suspended.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }
}
