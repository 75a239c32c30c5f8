import CMicroHTTPD
import Glibc
import HTTPTypes
import Logging
import Synchronization

/// What libmicrohttpd's callbacks do. One engine belongs to one daemon, which holds a reference.
///
/// Its methods run on the daemon's serving thread unless they say otherwise. They never block, throw or
/// trap, whatever a peer sends.
///
/// `@unchecked Sendable`: all that is no constant, no atomic value and no ``ResumeQueue`` is touched by
/// the serving thread only, from the moment when it runs.
final class Engine: @unchecked Sendable {
  let configuration: ServerConfiguration
  let limits: ConnectionWatch.Limits
  let router: Router
  let logger: Logger
  /// This engine's share of the connections that the server may have.
  let connectionLimit: Int
  /// Counts the connections of each address, if they are limited.
  let addresses: AddressLimit?
  let resumes: ResumeQueue
  let connections = ConnectionTable()
  let standing: StandingReplies
  /// The time that deadlines go by, as of the beginning of the turn.
  var clock: ServiceClock
  /// Whether parked requests and streams are ended as soon as they begin.
  var isSettling = false
  /// Whether a connection was closed since the daemon was last run.
  var hasClosed = false
  /// Whether libmicrohttpd has called since the daemon was last run: whether that did anything.
  var wasCalled = false
  /// The address of a client that was let in and whose connection is about to be made.
  private var arriving: AddressLimit.Address?
  // Counters that any thread may read. Only the serving thread changes them, so it need not lock the
  // processor's bus for that.
  /// The number of open connections.
  let open = Atomic<Int>(0)
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
  /// Whether new requests are refused, and every reply is its connection's last.
  let isDraining = Atomic<Bool>(false)

  /// - Parameters:
  ///   - connectionLimit: See ``connectionLimit``.
  ///   - addresses: See ``addresses``; shared by all engines of a server.
  ///   - bodies: See ``bodies``.
  ///   - standingPlaces: The number of places for standing replies.
  init(
    configuration: ServerConfiguration, router: Router, logger: Logger, connectionLimit: Int,
    addresses: AddressLimit?, bodies: BodyBudget, standingPlaces: Int
  ) throws(ServerError) {
    self.configuration = configuration
    self.limits = ConnectionWatch.Limits(configuration)
    self.siteGuard = SiteGuard(configuration)
    self.bodies = bodies
    self.router = router
    self.logger = logger
    self.connectionLimit = connectionLimit
    self.addresses = addresses
    standing = StandingReplies(places: standingPlaces)
    clock = ServiceClock(longestStep: 2 * UInt64(configuration.pause) * 1_000_000)
    resumes = try ResumeQueue()
  }

  /// A client connects: whether it may.
  func admits(_ address: UnsafePointer<sockaddr>?) -> Bool {
    // Left behind by a connection that could not be made.
    if let arriving { addresses?.release(arriving) }
    arriving = nil
    guard let addresses, let address = AddressLimit.Address(address) else { return true }
    guard addresses.take(address) else { return false }
    arriving = address
    return true
  }

  /// A connection was accepted.
  func opened(_ connection: OpaquePointer) -> ConnectionRecord {
    let record = ConnectionRecord(
      descriptor: viewdelta_connection_descriptor(connection), address: arriving)
    arriving = nil
    watch(record, .opened)
    connections.insert(record)
    open.change(by: 1)
    wasCalled = true
    return record
  }

  /// A connection is about to be closed.
  func closed(_ record: ConnectionRecord) {
    if let address = record.address { addresses?.release(address) }
    record.discardUnread(within: configuration.replyDeadline)
    connections.remove(record)
    open.change(by: -1)
    hasClosed = true
    wasCalled = true
  }

  /// Moves a connection's deadline.
  func watch(_ record: ConnectionRecord, _ event: ConnectionWatch.Event) {
    record.event(event, at: clock.now, limits)
  }

  /// A request line is there, its target not yet touched by libmicrohttpd.
  func received(
    target: UnsafeBufferPointer<UInt8>, connection: OpaquePointer, record: ConnectionRecord
  ) -> Exchange {
    inFlight.change(by: 1)
    wasCalled = true
    watch(record, .requestLine)
    return Exchange(
      target: record.target(target), connection: connection, record: record, resumes: resumes)
  }

  /// A request is over, whatever became of it.
  ///
  /// - Parameter withError: Whether it ended with an error of the connection or of the library's own.
  func completed(_ exchange: Exchange, withError: Bool) {
    if withError { answerUnanswered(exchange) }
    if exchange.stage == .parked { unpark(exchange) }
    if let stream = exchange.stream {
      exchange.record.parked = nil
      stream.completed()
    }
    exchange.record.receiving = nil
    watch(exchange.record, .replied)
    inFlight.change(by: -1)
    wasCalled = true
    // Its reply was queued before the draining began, and did not say that it is the last. What the
    // client has sent by now is still read.
    if isDraining.load(ordering: .relaxed) { shutdown(exchange.record.descriptor, Int32(SHUT_RD)) }
  }

  /// libmicrohttpd's access handler: called for the head, for each piece of the body, and then until
  /// there is a reply.
  func handle(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    upload: UnsafeBufferPointer<UInt8>, remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    wasCalled = true
    switch exchange.stage {
    case .received where isDraining.load(ordering: .relaxed):
      return refuse(exchange)
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
    watch(exchange.record, .replying(bytes: response.bodySize))
    let reply = isDraining.load(ordering: .relaxed) ? response.closing : response
    return MHD_queue_response(exchange.connection, reply.storage.code, reply.storage.native)
  }

  /// Refuses a request because the server goes down.
  ///
  /// One for an event stream gets no reply, but a closed connection: a browser's EventSource gives up
  /// for good after any status but 200 (HTML Living Standard, section 9.2.3), and comes back after a
  /// connection that broke.
  func refuse(_ exchange: Exchange) -> MHD_Result {
    let accepted = Request(storage: exchange, names: [])[.accept] ?? ""
    if accepted.lowercased().contains("text/event-stream") { return .NO }
    return queue(ProblemDetails.shuttingDown().response(instance: exchange.path), exchange)
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
    watch(exchange.record, .parked)
    suspended.change(by: 1)
    exchange.record.parked = exchange
    // From here on anybody may resume it: a resume before the suspend would be lost.
    MHD_suspend_connection(exchange.connection)
    park(Responder(exchange))
    if isSettling { exchange.shutDown() }
    return .YES
  }

  /// The connection was resumed, or libmicrohttpd looks at it for another reason.
  private func resumed(_ exchange: Exchange) -> MHD_Result {
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
      // A client that closed its sending side only might read what is written for want of a reply.
      exchange.stage = .discarding
      return .NO
    }
  }

  private func unpark(_ exchange: Exchange) {
    exchange.record.parked = nil
    suspended.change(by: -1)
  }
}

extension Atomic<Int> {
  /// Adds to a value that no other thread changes at the same time.
  func change(by amount: Int) {
    store(load(ordering: .relaxed) &+ amount, ordering: .releasing)
  }
}
