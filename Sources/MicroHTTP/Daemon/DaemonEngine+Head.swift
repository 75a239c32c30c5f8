import CMicroHTTPD
import Glibc

extension DaemonEngine {
  /// Handles a complete head: refuses the request, or prepares for its body and its handler.
  ///
  /// A reply that is queued here closes the connection, so that the bytes after a refused head are
  /// never parsed as a request. All other replies are sent after the body, to keep the connection
  /// open.
  func head(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
  ) -> MHD_Result {
    guard let method, let version else { return .NO }
    let line = RequestLine(
      method: ConnectionFields.bytes(method, strlen(method)),
      target: exchange.target.bytes.count,
      version: ConnectionFields.bytes(version, strlen(version)))
    exchange.method = RequestMethod(name: line.method)
    if recall(exchange, line) { return completeWithoutBody(exchange) }
    let isHTTP10 = strcmp(version, "HTTP/1.0") == 0
    let head = inspect(exchange, line)
    if let problem = refusal(of: exchange, head, isHTTP10: isHTTP10) {
      return refuse(exchange, with: problem.response(instance: exchange.path))
    }
    if !head.hasBody { return completeWithoutBody(exchange) }
    let request = Request(storage: exchange)
    if let refusal = router.refusal(of: request) { return refuse(exchange, with: refusal) }
    if head.isChunked, !ConnectionFields.close(exchange.connection) {
      return refuse(
        exchange,
        with: ProblemDetails.fieldsTooLarge(configuration).response(instance: exchange.path))
    }
    let largest = head.isChunked ? configuration.bodySizeLimit : head.declaredBodySize
    exchange.body = RequestBody(largest: largest, budget: bodies)
    if head.isChunked { exchange.record.receiving = exchange }
    // A request with a body is never answered by a standing reply.
    exchange.wantsStandingReply = false
    exchange.stage = .body
    updateDeadline(exchange.record, .head)
    return .YES
  }

  /// Handles a request without a body: the handler is called next.
  private func completeWithoutBody(_ exchange: Exchange) -> MHD_Result {
    exchange.stage = .complete
    return .YES
  }

  /// Queues a reply that closes the connection.
  private func refuse(_ exchange: Exchange, with response: Response) -> MHD_Result {
    exchange.refusal = response
    return queue(response, exchange)
  }

  private func refusal(
    of exchange: Exchange, _ head: HeadInspector, isHTTP10: Bool
  ) -> ProblemDetails? {
    if exchange.target.bytes.count > ServerConfiguration.targetLimit { return .targetTooLong() }
    if let problem = head.problem(isHTTP10: isHTTP10, configuration: configuration) {
      return problem
    }
    if !exchange.changesNothing, !leavesRoom(head, target: exchange.target) {
      return .fieldsTooLarge(configuration)
    }
    let problem = head.siteProblem(
      method: exchange.method, target: exchange.target, siteGuard, router)
    if let problem { return problem }
    if !bodies.hasRoom(for: head.declaredBodySize) { return .tooManyBodies() }
    return nil
  }

  /// Returns whether a head leaves memory for that of the reply, as far as this can be known before: what a
  /// request does must not happen if the reply cannot say so.
  ///
  /// libmicrohttpd keeps the head in the memory of the connection, with 64 bytes for each field and each
  /// argument of the target.
  private func leavesRoom(_ head: HeadInspector, target: Target) -> Bool {
    let arguments = target.bytes.count { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
    let taken = target.bytes.count + head.size + 64 * (head.count + arguments)
    return taken + Self.replyHead + siteGuard.sharedSize <= configuration.connectionMemory
  }

  /// The size of the head of a reply to a change in bytes, with that of the request line but for its target: more
  /// than the reply to a POST has whose `Location` names two ids of the greatest length, each byte escaped.
  private static let replyHead = 1536

  /// Inspects the fields once, in place.
  private func inspect(_ exchange: Exchange, _ line: RequestLine) -> HeadInspector {
    var inspector = HeadInspector(firstLine: line.end)
    withUnsafeMutablePointer(to: &inspector) { inspector in
      _ = MHD_get_connection_values_n(
        exchange.connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          // The context is the inspector above, which outlives this call.
          context?.assumingMemoryBound(to: HeadInspector.self).pointee.field(
            name: ConnectionFields.bytes(name, nameSize),
            value: ConnectionFields.bytes(value, valueSize))
          return .YES
        }, inspector)
    }
    if exchange.method == nil { inspector.unknownMethod(line.method) }
    if let end = endOfHead(exchange, line) { inspector.end(at: end) }
    return inspector
  }

  /// Returns the address at which the head ends according to the parser.
  private func endOfHead(_ exchange: Exchange, _ line: RequestLine) -> UnsafePointer<UInt8>? {
    line.method.baseAddress.map { $0 + viewdelta_head_size(exchange.connection) }
  }
}

/// The request line of a head, as the parser has split it.
private struct RequestLine {
  let method: UnsafeBufferPointer<UInt8>
  /// The size of the target.
  let target: Int
  let version: UnsafeBufferPointer<UInt8>

  /// The address of the first field if the line has the expected form: the method, the target and the
  /// version with one space between them. For any other form an address at which no field can begin.
  /// `nil` if the parser may have moved the fields: since version 1.0 it joins folded lines and trims values.
  ///
  /// The pointers are only compared.
  var end: UnsafePointer<UInt8>? {
    guard Daemon.isOld else { return nil }
    guard let start = method.baseAddress, let last = version.baseAddress,
      start + method.count + target + 2 == last
    else { return method.baseAddress }
    return last + version.count + 2
  }
}

extension DaemonEngine {
  /// Looks up a standing reply for a request with a complete head, and stores the result in the exchange.
  ///
  /// A request with the same image as an earlier one would pass the same checks with the same result,
  /// so they are skipped. The image does not say where the lines begin, which is checked each time.
  ///
  /// - Returns: Whether there is a standing reply.
  private func recall(_ exchange: Exchange, _ line: RequestLine) -> Bool {
    exchange.wantsStandingReply = false
    guard exchange.method == .get || exchange.method == .head,
      let image = RequestImage(head: line.method.baseAddress, of: exchange.connection),
      !hasGap(exchange, line)
    else { return false }
    exchange.image = image
    switch standing.recall(image, exchange.target) {
    case .reply(let reply): exchange.standingReply = reply
    case .wanted: exchange.wantsStandingReply = true
    case .unknown: break
    }
    return exchange.standingReply != nil
  }

  /// Returns whether the lines of a head do not follow each other in memory.
  private func hasGap(_ exchange: Exchange, _ line: RequestLine) -> Bool {
    guard let first = line.end else { return false }
    var lines = HeadLines(first: first)
    withUnsafeMutablePointer(to: &lines) { lines in
      _ = MHD_get_connection_values_n(
        exchange.connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          let name = ConnectionFields.bytes(name, nameSize)
          if ConnectionFields.isOwn(name) { return .YES }
          // The context is the lines above, which outlive this call.
          context?.assumingMemoryBound(to: HeadLines.self).pointee.field(
            name: name, value: ConnectionFields.bytes(value, valueSize))
          return .YES
        }, lines)
    }
    if let end = endOfHead(exchange, line) { lines.end(at: end) }
    return lines.hasGap
  }

  /// Queues the standing reply to a request if its condition still holds.
  ///
  /// - Returns: nil if there is none.
  func queueStandingReply(_ exchange: Exchange) -> MHD_Result? {
    guard let known = exchange.standingReply.take() else { return nil }
    if known.condition() { return queue(known.response, exchange) }
    standing.forget(known)
    // The next reply to an equal request replaces it.
    exchange.wantsStandingReply = true
    return nil
  }

  /// Stores a standing reply to a request that came more than once.
  func keep(
    _ response: Response, while condition: @escaping @Sendable () -> Bool, for exchange: Exchange
  ) {
    guard exchange.wantsStandingReply, let image = exchange.image else { return }
    standing.keep(StandingReply(response, while: condition, to: image, exchange.target))
  }
}
