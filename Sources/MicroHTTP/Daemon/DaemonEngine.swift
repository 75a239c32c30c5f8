import CMicroHTTPD
import Glibc
import HTTPTypes
import Logging
import Synchronization

/// Implements libmicrohttpd's callbacks. One engine belongs to one daemon, which retains it.
///
/// Its methods run on the daemon's serving thread unless they say otherwise. They never block,
/// throw or trap, whatever a client sends.
///
/// `@unchecked Sendable`: only the serving thread, once it runs, touches the members that are not
/// constant, not atomic and not a ``ResumeQueue``.
final class DaemonEngine: @unchecked Sendable {
  let configuration: ServerConfiguration
  let limits: ConnectionDeadline.Limits
  let router: Router
  /// Receives the faults of replies, and as debug messages each reply and those of libmicrohttpd.
  let logger: Logger
  /// The share of the server's connection limit.
  let connectionLimit: Int
  let resumes: ResumeQueue
  let connections = ConnectionTable()
  let standing: StandingReplies
  /// The clock of the deadlines, advanced at the beginning of each turn.
  var clock: ServiceClock
  /// Whether a connection was closed since the daemon last ran.
  var hasClosed = false
  /// The number of runs of the daemon since libmicrohttpd last called a callback.
  var idleRuns = 0
  /// The numbers of complete requests in this turn of the thread and in the one before.
  private var turn = (requests: 0, requestsBefore: 0)
  /// The target of the last request whose target differed from the one before on its connection.
  private var latestTarget: Target?
  /// The number of open connections. Any thread can read this and the other counters, but only the
  /// serving thread changes them, so that it needs no atomic addition.
  let open = Atomic<Int>(0)
  /// The memory of request bodies, shared by all engines of a server.
  let bodies: BodyBudget
  /// The memory of replies, shared by all engines of a server.
  let replies: ReplyBudget
  /// The memory of connections, shared by all engines of a server.
  let memory: ConnectionMemory
  let siteGuard: SiteGuard
  /// The number of requests from their request line to the end of their reply.
  let inFlight = Atomic<Int>(0)
  /// The number of connections that are suspended, or resumed but not handled yet.
  let suspended = Atomic<Int>(0)
  /// The numbers of the replies that were sent, or were about to be when their client left.
  let replied = ReplyCounts()
  /// The durations of writes. Reads are not measured: reading the clock twice costs a percent of the time of a read.
  let writes = Mutex(DurationHistogram())
  /// Whether messages of the level debug are logged. Asking the logger costs more than a read has to spare.
  let logsDetails: Bool
  /// Whether new requests are refused and every reply closes its connection.
  let isDraining = Atomic<Bool>(false)

  /// Creates an engine with a capacity for standing replies.
  init(
    configuration: ServerConfiguration, router: Router, logger: Logger, connectionLimit: Int,
    bodies: BodyBudget, replies: ReplyBudget, memory: ConnectionMemory, standingPlaces: Int
  ) throws(ServerError) {
    self.configuration = configuration
    self.limits = ConnectionDeadline.Limits(configuration)
    self.siteGuard = SiteGuard(configuration)
    self.bodies = bodies
    self.replies = replies
    self.memory = memory
    self.router = router
    self.logger = logger
    logsDetails = logger.logLevel <= .debug
    self.connectionLimit = connectionLimit
    standing = StandingReplies(places: standingPlaces)
    clock = ServiceClock(longestStep: 2 * UInt64(configuration.pause) * 1_000_000)
    resumes = try ResumeQueue()
  }

  /// Notes that the thread has waited for work.
  func beginTurn() { turn = (0, turn.requests) }

  /// Creates the record of an accepted connection.
  func opened(_ connection: OpaquePointer) -> ConnectionRecord {
    let record = ConnectionRecord(
      descriptor: viewdelta_connection_descriptor(connection), resumes: resumes)
    updateDeadline(record, .opened)
    connections.insert(record)
    open.change(by: 1)
    memory.opened()
    idleRuns = 0
    return record
  }

  /// Removes the record of a connection that is about to be closed.
  func closed(_ record: ConnectionRecord) {
    record.discardUnread(within: configuration.replyDeadline)
    connections.remove(record)
    open.change(by: -1)
    memory.closed()
    hasClosed = true
    idleRuns = 0
  }

  /// Updates the deadline of a connection after an event.
  func updateDeadline(_ record: ConnectionRecord, _ event: ConnectionDeadline.Event) {
    record.deadline.event(event, at: clock.now, limits)
  }

  /// Creates the exchange for a received request line, before libmicrohttpd modifies the target.
  func received(
    target: UnsafeBufferPointer<UInt8>, connection: OpaquePointer, record: ConnectionRecord
  ) -> Exchange {
    inFlight.change(by: 1)
    idleRuns = 0
    updateDeadline(record, .requestLine)
    return Exchange(
      target: validated(target, on: record), connection: connection, record: record)
  }

  /// Returns the validated copy of a raw target. A target that equals the last one of its connection
  /// or of the thread is neither copied nor validated again: a polling client repeats its target, and
  /// all clients of one revision send the same.
  private func validated(
    _ bytes: UnsafeBufferPointer<UInt8>, on record: ConnectionRecord
  ) -> Target {
    if let last = record.lastTarget, last.equals(bytes) { return last }
    let target = latestTarget.flatMap { $0.equals(bytes) ? $0 : nil } ?? Target(Array(bytes))
    (record.lastTarget, latestTarget) = (target, target)
    return target
  }

  /// Completes a request, whether it succeeded or failed.
  ///
  /// - Parameter withError: Whether it ended with an error of the connection or of the library.
  func completed(_ exchange: Exchange, withError: Bool) {
    if withError { answerUnanswered(exchange) }
    if exchange.stage == .parked { unpark(exchange) }
    if let stream = exchange.stream {
      exchange.record.parked = nil
      stream.completed()
    }
    if let reply = exchange.countedReply.take() { replies.end(reply) }
    exchange.record.receiving = nil
    updateDeadline(exchange.record, .replied)
    inFlight.change(by: -1)
    idleRuns = 0
    // The reply was queued before draining began, without `Connection: close`. Input that was
    // already received is still read.
    if isDraining.load(ordering: .relaxed) { shutdown(exchange.record.descriptor, Int32(SHUT_RD)) }
  }

  /// Handles a call of libmicrohttpd's access handler, which it calls for the head, for each piece
  /// of the body, and until there is a reply.
  func handle(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?,
    upload: UnsafeBufferPointer<UInt8>, remaining: UnsafeMutablePointer<Int>
  ) -> MHD_Result {
    idleRuns = 0
    switch exchange.stage {
    case .received where isDraining.load(ordering: .relaxed):
      return refuse(exchange)
    case .received:
      return head(exchange, method: method, version: version)
    case .body where !upload.isEmpty:
      return collect(exchange, upload, remaining)
    case .discarding:
      return discard(exchange, upload, remaining)
    // After a 100 libmicrohttpd offers the next request as a body, also if this one has none, and accepts no reply
    // before it has called again without one.
    case .complete where upload.baseAddress != nil:
      return .YES
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
    if ReplyBudget.counts(response) {
      guard replies.begin(response, isDue: !exchange.changesNothing) else {
        if exchange.changesNothing {
          return queue(ProblemDetails.tooManyReplies().response(instance: exchange.path), exchange)
        }
        // A refusal would say that nothing was done. A lost reply says nothing.
        exchange.stage = .discarding
        return .NO
      }
      exchange.countedReply = response
    }
    exchange.stage = .answered
    note(response, exchange)
    if let began = exchange.began, !exchange.changesNothing {
      let nanoseconds = MonotonicTime.exact().nanoseconds - began.nanoseconds
      writes.withLock { $0.add(.nanoseconds(nanoseconds)) }
    }
    updateDeadline(exchange.record, .replying(bytes: response.bodySize))
    if let fault = response.fault {
      let path = exchange.path.withoutSession
      logger.error("a request failed", metadata: ["fault": "\(fault)", "path": "\(path)"])
    }
    let sent = shared(response, exchange)
    return isDraining.load(ordering: .relaxed)
      ? sent.closing.queue(on: exchange.connection) : sent.queue(on: exchange.connection)
  }

  /// Returns a reply with the fields that let a page of an allowed origin read it.
  func shared(_ response: Response, _ exchange: Exchange) -> Response {
    guard siteGuard.sharesReplies else { return response }
    return response.with(fields: siteGuard.shared(response.fields, with: exchange))
  }

  /// Refuses a request because the server is shutting down.
  ///
  /// A request for an event stream gets no reply; its connection is closed. A browser's EventSource
  /// gives up permanently after any status but 200 (HTML Living Standard, section 9.2.3), but
  /// reconnects after a lost connection.
  func refuse(_ exchange: Exchange) -> MHD_Result {
    let accepted = Request(storage: exchange)[.accept] ?? ""
    if accepted.lowercased().contains("text/event-stream") { return .NO }
    return queue(ProblemDetails.shuttingDown().response(instance: exchange.path), exchange)
  }

  /// Answers a complete request with a standing reply or by its handler.
  private func respond(_ exchange: Exchange, version: UnsafePointer<CChar>?) -> MHD_Result {
    // Its head came before draining began. Nothing was done yet.
    if isDraining.load(ordering: .relaxed) { return refuse(exchange) }
    turn.requests += 1
    if let result = queueStandingReply(exchange) { return result }
    if exchange.method?.isWrite == true { exchange.began = .exact() }
    exchange.isAlone = turn.requests == 1 && turn.requestsBefore <= 1
    // From here on only a handler that keeps the request keeps its body.
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

  /// Suspends the connection until the responder is used, unless it is used at once.
  private func suspend(_ exchange: Exchange, _ park: (Responder) -> Void) -> MHD_Result {
    park(Responder(exchange))
    // From here on another thread may queue the connection to be resumed, which this thread does later.
    let isWaiting = exchange.suspends()
    exchange.stage = .parked
    suspended.change(by: 1)
    exchange.record.parked = exchange
    guard isWaiting else { return resumed(exchange) }
    updateDeadline(exchange.record, .parked)
    MHD_suspend_connection(exchange.connection)
    return .YES
  }

  /// Handles a connection whose request is settled, or that libmicrohttpd checks for another reason.
  private func resumed(_ exchange: Exchange) -> MHD_Result {
    switch exchange.takeReply() {
    case .waiting:
      // It is not settled, so a resume will follow; libmicrohttpd must not call again before that.
      MHD_suspend_connection(exchange.connection)
      return .YES
    case .reply(let response):
      unpark(exchange)
      return queue(response, exchange)
    case .noReply:
      unpark(exchange)
      // A client that closed only its sending side would still read an error reply.
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

extension DaemonEngine {
  /// Opens a stream, or sends an ordinary reply if there is no content to stream.
  func stream(
    _ exchange: Exchange, version: UnsafePointer<CChar>?, _ fields: HTTPFields,
    _ open: (StreamSignal) -> any StreamSource
  ) -> MHD_Result {
    // After HEAD libmicrohttpd would send the end of the chunks as content. A reply without content
    // has the same fields, and reports fields that are too large.
    if exchange.method == .head || !Response.accepts(fields) {
      return queue(Response(status: .ok, fields: fields), exchange)
    }
    let stream = OpenStream(exchange, self, open)
    exchange.stream = stream
    exchange.stage = .answered
    replied.addStream()
    if logsDetails { log(200, nil, exchange) }
    updateDeadline(exchange.record, .replying(bytes: 0))
    exchange.record.parked = exchange
    return stream.queue(
      fields: siteGuard.shared(fields, with: exchange),
      isChunked: version.map { strcmp($0, "HTTP/1.1") == 0 } ?? false)
  }
}

extension DaemonEngine {
  /// Counts and logs a reply.
  func note(_ response: Response, _ exchange: Exchange) {
    replied.add(response)
    if logsDetails { log(Int(response.storage.code), response.problem, exchange) }
  }

  /// Logs the status of a reply to a request without its session, and the code of the problem that it reports.
  private func log(_ status: Int, _ problem: String?, _ exchange: Exchange) {
    let method = exchange.method.map { $0.method.rawValue } ?? "a request with another method"
    let target = exchange.target.text?.withoutSession ?? "a malformed target"
    let metadata = problem.map { ["code": Logger.MetadataValue.string($0)] }
    logger.debug("\(method) \(target): \(status)", metadata: metadata)
  }
}
