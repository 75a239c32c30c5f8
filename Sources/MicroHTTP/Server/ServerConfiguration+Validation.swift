extension ServerConfiguration {
  /// Throws ``ServerError/invalidConfiguration(option:reason:)`` for the first value that no server
  /// could work with.
  func validate() throws(ServerError) {
    let counts = [
      ("threads", threads, 1...64),
      ("connectionLimit", connectionLimit, 1...1_000_000),
      ("perAddressConnectionLimit", perAddressConnectionLimit, 0...1_000_000),
      ("targetLimit", targetLimit, 1...(64 * 1024)),
      ("headerSizeLimit", headerSizeLimit, 1...(64 * 1024)),
      ("headerCountLimit", headerCountLimit, 1...1_000),
      ("bodySizeLimit", bodySizeLimit, 0...(1 << 30)),
      ("bodyMemoryLimit", bodyMemoryLimit, 0...(1 << 40)),
      ("connectionMemory", connectionMemory, 2_048...(128 * 1024)),
    ]
    for (option, value, range) in counts where !range.contains(value) {
      throw .invalidConfiguration(
        option: option, reason: "\(value) is not within \(range.lowerBound)...\(range.upperBound)")
    }
    for name in hostNames where !Self.isHostName(name) {
      throw .invalidConfiguration(
        option: "hostNames", reason: "\"\(name)\" is no host without a port")
    }
    let durations = [
      ("idleTimeout", idleTimeout), ("headerDeadline", headerDeadline),
      ("bodyDeadline", bodyDeadline), ("replyDeadline", replyDeadline),
      ("abandonmentSweep", abandonmentSweep),
    ]
    for (option, value) in durations
    where value < .milliseconds(1) || value > .seconds(24 * 3600) {
      throw .invalidConfiguration(
        option: option, reason: "\(value) is not within one millisecond and one day")
    }
  }

  /// How long a thread may leave connections alone, in milliseconds, to notice deadlines soon enough:
  /// an eighth of the shortest one, within 5 and 250.
  var pause: Int32 {
    let shortest = min(
      idleTimeout, headerDeadline, bodyDeadline, replyDeadline, abandonmentSweep)
    return Int32(min(250, max(5, shortest.wholeNanoseconds / 8_000_000)))
  }
}
