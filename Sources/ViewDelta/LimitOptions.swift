import ArgumentParser
import Glibc
import MicroHTTP
import ViewDeltaServer
import ViewState

/// The options that limit the number of clients and their memory.
struct LimitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of threads that serve connections.",
      discussion: "The default is the number of processors, at most 64.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "The number of open connections. Further clients wait until one closes.", valueName: "n"))
  var connectionLimit = 10_240

  @Option(
    help: ArgumentHelp(
      "The memory of each connection for the head of a request, in KiB, 4 to 128.",
      discussion: """
        A head that does not fit is refused with 414 or 431. If a head leaves too little memory \
        for the head of the reply, the request is refused, too. With 4 KiB a waiting request costs \
        about 5.3 KiB in total, with the default up to 34 KiB.
        """, valueName: "KiB"))
  var connectionMemory = 32

  @Option(
    help: ArgumentHelp(
      "The number of polls and streams that may wait for a change. Further ones get a 503.",
      discussion: "The default is nine tenths of the connections.", valueName: "n"))
  var waiterLimit: Int?

  @Option(
    help: ArgumentHelp(
      "The number of these polls and streams from one address. Further ones get a 429.",
      discussion: "Behind a proxy all clients have the address of the proxy.", valueName: "n"))
  var waiterLimitPerAddress = WaitingLimits().perAddress

  @Option(
    help: ArgumentHelp(
      "The estimated memory for data that is kept for returning clients, in MiB.",
      discussion: """
        Two thirds are for the histories of all screens, a sixth for screens that were only read, \
        and a sixth for encoded replies. Beyond each share, the oldest data is dropped: a client \
        whose revision was dropped gets a reset with the reason history-expired; replies are \
        encoded again. Screens that have changed take another two thirds without their histories; \
        beyond that, screens that were not read for a while keep only their states.
        """, valueName: "MiB"))
  var keptMemory = 384

  @Option(
    help: ArgumentHelp(
      "The estimated memory of the states that commands have given to view models, in MiB.",
      discussion: "A command that would exceed this memory is refused with 409.", valueName: "MiB"))
  var stateMemory = Settings().stateByteCount / (1024 * 1024)

  private static let threadRange = 1...64

  /// The number of processors that are online, within the allowed range.
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
      ("--state-memory", stateMemory, 1...1_000_000),
    ]
    for (option, value, range) in values where !range.contains(value) {
      throw ValidationError(
        "\(option) is \(value), but must be \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// Sets the connection limits, no higher than the process may have file descriptors.
  ///
  /// - Throws: `StartError` if it may not have those for a single connection.
  func apply(to configuration: inout ServerConfiguration) throws(StartError) {
    let threads = threads ?? Self.cores
    configuration.threads = threads
    configuration.connectionLimit = try DescriptorLimit.connections(
      atMost: connectionLimit, threads: threads)
    configuration.connectionMemory = connectionMemory * 1024
  }

  /// Sets the limits of the memory that is kept for returning clients.
  func apply(to configuration: inout ApplicationConfiguration) {
    let share = keptMemory * 1024 * 1024 / 6
    configuration.environment.logLimits.totalByteCount = 4 * share
    configuration.environment.touchedByteCount = 4 * share
    configuration.environment.untouchedByteCount = share
    configuration.replyCacheByteLimit = share
  }

  /// Returns the limits for waiting requests. By default a tenth of the connections is left for
  /// other requests; otherwise no client could make the change that the others wait for.
  func waiting(connectionLimit: Int) -> WaitingLimits {
    WaitingLimits(
      total: waiterLimit ?? max(1, connectionLimit * 9 / 10), perAddress: waiterLimitPerAddress)
  }
}

/// The limit of open files and connections of the process (`RLIMIT_NOFILE`).
private enum DescriptorLimit {
  /// Returns the number of descriptors that are not for clients: the listening socket, files read
  /// at the start, the standard streams, and two for each serving thread.
  private static func reserve(threads: Int) -> Int { 32 + 2 * threads }

  /// Raises the limit as far as the process may and returns the number of connections that fit.
  /// Further clients wait in the backlog, so that the process does not run out of descriptors.
  ///
  /// - Throws: `StartError` if none fits.
  static func connections(atMost wanted: Int, threads: Int) throws(StartError) -> Int {
    let reserve = reserve(threads: threads)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    let needed = min(rlim_t(wanted + reserve), limit.rlim_max)
    if limit.rlim_cur < needed {
      var raised = limit
      raised.rlim_cur = needed
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    let allowed = Int(clamping: limit.rlim_cur)
    guard allowed > reserve else {
      throw .unavailable(
        "the limit of open files is \(allowed), but the server needs \(reserve + 1) (ulimit -n)")
    }
    return min(wanted, allowed - reserve)
  }
}
