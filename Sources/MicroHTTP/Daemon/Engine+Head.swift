import CMicroHTTPD
import Glibc
import HTTPTypes

extension Engine {
  /// The head is there: refuses what must not be read on, otherwise lets the body come.
  ///
  /// A reply that is queued here closes the connection, so that what follows a refused head is never
  /// taken for a request. Everything else is answered later, to keep the connection.
  func head(
    _ exchange: Exchange, method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
  ) -> MHD_Result {
    if let method {
      exchange.method = RequestMethod(name: ConnectionFields.bytes(method, strlen(method)))
    }
    if recall(exchange, method: method, version: version) { return takeWhole(exchange) }
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
    if !head.hasBody { return takeWhole(exchange) }
    // It says more than its head, so no other request says the same.
    exchange.recall = .unknown
    exchange.stage = .body
    watch(exchange.record, .head(hasBody: true))
    return .YES
  }

  /// The request has no body: the handler comes next.
  private func takeWhole(_ exchange: Exchange) -> MHD_Result {
    exchange.stage = .complete
    watch(exchange.record, .head(hasBody: false))
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

  /// Runs over the fields once, where they are.
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

  /// Where the first field begins if the request line was what it seems: the method, the target and
  /// the version with one space between them. Anything else gets a place where no field can begin. Nil
  /// if the parser moves lines.
  func firstLine(
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

  /// Where the parser says that the head ends.
  func endOfHead(
    _ exchange: Exchange, method: UnsafePointer<CChar>?
  ) -> UnsafePointer<UInt8>? {
    let size = viewdelta_head_size(exchange.connection)
    return ConnectionFields.bytes(method, size).baseAddress.map { $0 + size }
  }
}
