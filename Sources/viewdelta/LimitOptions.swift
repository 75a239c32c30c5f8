import ArgumentParser
import Glibc
import MicroHTTP
import ViewDeltaServer
import ViewState

/// How many clients the server takes, and what each may cost.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many threads serve connections.",
      discussion: "Without it as many as the machine has cores, at most 64.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "The number of open connections; more clients wait until one closes.", valueName: "n"))
  var connectionLimit = 10_240

  @Option(
    help: ArgumentHelp(
      "How much memory each connection has for a request's head, in KiB, 4 to 128.",
      discussion: """
        A head that does not fit is refused with 414 or 431; where only the reply's does not fit \
        beside it, the connection is closed. With 4 a request that waits costs about 5.5 KiB in \
        all, with the default up to 34.
        """, valueName: "KiB"))
  var connectionMemory = 32

  @Option(
    help: ArgumentHelp(
      "How many polls and streams may wait for a change; one more gets a 503.",
      discussion: "Without it nine tenths of the connections.", valueName: "n"))
  var waiterLimit: Int?

  @Option(
    help: ArgumentHelp(
      "How many of them may come from one address; one more gets a 429.",
      discussion: "Behind a proxy all clients have its address.", valueName: "n"))
  var waiterLimitPerAddress = WaitingLimits().perAddress

  @Option(
    help: ArgumentHelp(
      "How much memory may be kept for clients that come back, in MiB, estimated.",
      discussion: """
        Two thirds for the histories of all screens, a sixth for screens that were only read, and a \
        sixth for encoded replies. Beyond that clients get a reset with the reason history-expired, \
        or what was given back is made anew.
        """, valueName: "MiB"))
  var keptMemory = 384

  private static let threadRange = 1...64

  /// How many processors are on.
  private static var cores: Int {
    min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), threadRange.lowerBound), threadRange.upperBound)
  }

  func validate() throws {
    let values = [
      ("--threads", threads ?? Self.cores, Self.threadRange),
      ("--connection-limit", connectionLimit, 1...1_000_000),
      ("--connection-memory", connectionMemory, 4...128),
      ("--waiter-limit", waiterLimit ?? 0, 0...1_000_000),
      ("--waiter-limit-per-address", waiterLimitPerAddress, 0...1_000_000),
      ("--kept-memory", keptMemory, 6...1_000_000),
    ]
    for (option, value, range) in values where !range.contains(value) {
      throw ValidationError(
        "\(option) is \(value), but must be \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// Puts the limits of connections in, as far as the process may have as many descriptors.
  func apply(to configuration: inout ServerConfiguration) {
    let threads = threads ?? Self.cores
    configuration.threads = threads
    configuration.connectionLimit = DescriptorLimit.connections(
      atMost: connectionLimit, threads: threads)
    configuration.connectionMemory = connectionMemory * 1024
  }

  /// Puts the limits of what is kept for clients that come back in.
  func apply(to configuration: inout ApplicationConfiguration) {
    let share = keptMemory * 1024 * 1024 / 6
    configuration.environment.logLimits.totalByteCount = 4 * share
    configuration.environment.untouchedByteCount = share
    configuration.replyCacheByteLimit = share
  }

  /// The limits of requests that wait. By default they leave a tenth of the connections to those
  /// that do not: otherwise nobody could make the change that all wait for.
  func waiting(connectionLimit: Int) -> WaitingLimits {
    WaitingLimits(
      total: waiterLimit ?? connectionLimit / 10 * 9, perAddress: waiterLimitPerAddress)
  }
}
