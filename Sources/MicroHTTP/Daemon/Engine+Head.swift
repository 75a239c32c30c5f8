import CMicroHTTPD
import Glibc
import HTTPTypes

extension Engine {
  /// Handles a complete head: refuses the request, or prepares for its body and its handler.
  ///
  /// A reply that is queued here closes the connection, so that the bytes after a refused head are
  /// never parsed as a request. All other replies are sent after the body, to keep the connection
  /// open.
  func head(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
  ) -> MHD_Result {
    if let method {
      exchange.method = RequestMethod(name: ConnectionFields.bytes(method, strlen(method)))
    }
    if recall(exchange, method: method, version: version) { return completeWithoutBody(exchange) }
    let isHTTP10 = version.map { strcmp($0, "HTTP/1.0") == 0 } ?? true
    let head = inspect(exchange, method: method, version: version)
    if let problem = refusal(of: exchange, head, isHTTP10: isHTTP10) {
      return refuse(exchange, with: problem.response(instance: exchange.path))
    }
    if head.hasBody {
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
    }
    if !head.hasBody { return completeWithoutBody(exchange) }
    // A request with a body is never answered by a standing reply.
    exchange.recall = .unknown
    exchange.stage = .body
    updateDeadline(exchange.record, .head(hasBody: true))
    return .YES
  }

  /// Handles a request without a body: the handler is called next.
  private func completeWithoutBody(_ exchange: Exchange) -> MHD_Result {
    exchange.stage = .complete
    updateDeadline(exchange.record, .head(hasBody: false))
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
    if exchange.target.bytes.count > configuration.targetLimit {
      return .targetTooLong(limit: configuration.targetLimit)
    }
    if let problem = head.problem(isHTTP10: isHTTP10, configuration: configuration) {
      return problem
    }
    let problem = head.siteProblem(
      method: exchange.method, target: exchange.target, siteGuard)
    if let problem { return problem }
    if !bodies.hasRoom(for: head.declaredBodySize) { return .tooManyBodies() }
    return nil
  }

  /// Inspects the fields once, in place.
  private func inspect(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
  ) -> HeadInspector {
    var inspector = HeadInspector(
      firstLine: firstLine(exchange, method: method, version: version))
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
    if let method, exchange.method == nil {
      inspector.unknownMethod(ConnectionFields.bytes(method, strlen(method)))
    }
    if let end = endOfHead(exchange, method: method) { inspector.end(at: end) }
    return inspector
  }

  /// Returns the address of the first field if the request line has the expected form: the method,
  /// the target and the version with one space between them. For any other form it returns an
  /// address at which no field can begin; nil if the parser moves lines.
  private func firstLine(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
  ) -> UnsafePointer<UInt8>? {
    guard !movesLines, let method, let version else { return nil }
    let target = exchange.target.bytes.count
    let start = ConnectionFields.bytes(method, strlen(method) + target + 2)
    let line = ConnectionFields.bytes(version, strlen(version) + 2)
    guard let first = start.baseAddress, let second = line.baseAddress,
      first + start.count == second
    else { return start.baseAddress }
    return second + line.count
  }

  /// Returns the address at which the head ends according to the parser.
  private func endOfHead(
    _ exchange: Exchange, method: UnsafePointer<CChar>?
  ) -> UnsafePointer<UInt8>? {
    let size = viewdelta_head_size(exchange.connection)
    return ConnectionFields.bytes(method, size).baseAddress.map { $0 + size }
  }
}

extension Engine {
  /// Looks up a standing reply for a request with a complete head, and stores the result in the
  /// exchange.
  ///
  /// A head with the same image as an earlier one would pass the same checks with the same result,
  /// so they are skipped. The image does not cover the position of the lines in memory, which is
  /// checked each time.
  ///
  /// - Returns: Whether there is a standing reply.
  func recall(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
  ) -> Bool {
    guard exchange.method == .get || exchange.method == .head, let method, let version else {
      return false
    }
    return withUnsafeTemporaryAllocation(
      byteCount: RequestImage.capacity, alignment: MemoryLayout<UInt64>.alignment
    ) { memory in
      var reading = HeadReading(
        image: RequestImage(in: memory),
        lines: HeadLines(first: firstLine(exchange, method: method, version: version)))
      reading.image.append(ConnectionFields.bytes(method, strlen(method)))
      reading.image.append(ConnectionFields.bytes(version, strlen(version)))
      exchange.target.bytes.withUnsafeBufferPointer { reading.image.append($0) }
      withUnsafeMutablePointer(to: &reading) { reading in
        _ = MHD_get_connection_values_n(
          exchange.connection, .HEADER_KIND,
          { context, _, name, nameSize, value, valueSize in
            // The context is the reading above, which outlives this call.
            context?.assumingMemoryBound(to: HeadReading.self).pointee.field(
              name: ConnectionFields.bytes(name, nameSize),
              value: ConnectionFields.bytes(value, valueSize))
            return .YES
          }, reading)
      }
      if let end = endOfHead(exchange, method: method) { reading.lines.end(at: end) }
      guard !reading.lines.hasGap, let image = reading.image.bytes else { return false }
      exchange.recall = standing.recall(image)
      if case .reply = exchange.recall { return true }
      return false
    }
  }

  /// Returns the standing reply to a request if its condition still holds.
  func standingReply(to exchange: Exchange) -> Response? {
    guard case .reply(let known) = exchange.recall else { return nil }
    if known.condition.holds { return known.response }
    standing.forget(known)
    // The next reply to an equal request replaces it.
    exchange.recall = .wanted(known.image)
    return nil
  }

  /// Stores a standing reply to a request that came more than once.
  func keep(_ response: Response, while condition: any ReplyCondition, for exchange: Exchange) {
    guard case .wanted(let image) = exchange.recall else { return }
    standing.keep(StandingReply(response, while: condition, image: image))
  }
}

/// The data collected in one iteration over the fields.
private struct HeadReading {
  var image: RequestImage
  var lines: HeadLines

  mutating func field(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    if ConnectionFields.isOwn(name) { return }
    lines.field(name: name, value: value)
    image.append(name)
    image.append(value)
  }
}
