import CMicroHTTPD
import Glibc

extension Engine {
  /// Looks for a standing reply to a request whose head is there, and notes on the exchange what is
  /// known.
  ///
  /// A head with the image of an earlier one would pass the same checks with the same result, so they
  /// are not done again. What an image does not tell is how the lines lie in memory; that is looked at
  /// each time.
  ///
  /// - Returns: Whether there is one.
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

  /// The reply that was found for a request, unless its condition has ceased to hold.
  func standingReply(to exchange: Exchange) -> Response? {
    guard case .reply(let known) = exchange.recall else { return nil }
    if known.condition.holds { return known.response }
    standing.forget(known)
    // The next reply to the same request is as welcome as this one was.
    exchange.recall = .wanted(known.image)
    return nil
  }

  /// Keeps the reply to a request that came more than once.
  func keep(_ response: Response, while condition: any ReplyCondition, for exchange: Exchange) {
    guard case .wanted(let image) = exchange.recall else { return }
    standing.keep(StandingReply(response, while: condition, image: image))
  }
}

/// What one run over the fields collects.
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
