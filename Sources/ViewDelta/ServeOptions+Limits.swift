import ArgumentParser
import Glibc
import MicroHTTP
import ViewDeltaServer
import ViewState

/// The limits of the number of clients, of their memory, and of the journal.
extension ServeOptions {
  private static let threadRange = 1...64

  /// The number of processors that are online, within the allowed range.
  private static var cores: Int {
    min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), threadRange.lowerBound), threadRange.upperBound)
  }

  /// Checks that each number is in its range.
  func validateLimits() throws {
    let values = [
      ("--threads", threads ?? Self.cores, Self.threadRange),
      ("--connection-limit", connectionLimit, 1...1_000_000),
      ("--connection-memory", connectionMemory, 4...128),
      ("--waiter-limit", waiterLimit ?? 0, 0...1_000_000),
      ("--waiter-limit-per-address", waiterLimitPerAddress, 0...1_000_000),
      ("--kept-memory", keptMemory, 6...1_000_000),
      ("--state-memory", stateMemory, 1...1_000_000),
      ("--journal-limit", journalLimit ?? Self.defaultJournalLimit, 1...1_000_000),
    ]
    for (option, value, range) in values where !range.contains(value) {
      throw ValidationError(
        "\(option) is \(value), but must be \(range.lowerBound) to \(range.upperBound)")
    }
    let latencies = latency.map { ("--latency", $0.duration) }
    for (option, time) in latencies + [("--load-timeout", loadTimeout.duration)]
    where time > .seconds(3600) {
      throw ValidationError("\(option) is more than an hour")
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

  static let defaultJournalLimit = JournalRetention().byteCount / (1024 * 1024)

  /// The name of a given option that needs a journal; `nil` if none is given.
  var givenRetention: String? {
    if journalKeep.duration > .zero { return "--journal-keep" }
    return journalLimit == nil ? nil : "--journal-limit"
  }

  /// How long the journal is kept.
  var retention: JournalRetention {
    JournalRetention(
      age: journalKeep.duration,
      byteCount: (journalLimit ?? Self.defaultJournalLimit) * 1024 * 1024)
  }
}

/// The limit of open files and connections of the process (`RLIMIT_NOFILE`).
private enum DescriptorLimit {
  /// Returns the number of descriptors that are not for clients: the listening socket, files read
  /// at the start, the standard streams, and two for each serving thread.
  private static func reserve(threads: Int) -> Int { 32 + 2 * threads }

  /// The most descriptors that are left for the files and connections of sources. If there is none at all, Dispatch
  /// ends the process: each second it reads a file of the system for each of its threads.
  private static let sources = 256

  /// Raises the limit as far as the process may and returns the number of connections that fit.
  /// Further clients wait in the backlog, so that the process does not run out of descriptors.
  ///
  /// - Throws: `StartError` if none fits.
  static func connections(atMost wanted: Int, threads: Int) throws(StartError) -> Int {
    let reserve = reserve(threads: threads)
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    let needed = min(rlim_t(wanted + reserve + sources), limit.rlim_max)
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
    let rest = allowed - reserve
    return min(wanted, rest - min(sources, rest / 2))
  }
}
