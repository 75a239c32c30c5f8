import Glibc
import HTTPTypes
import MicroHTTP
import Synchronization
import ViewState

/// Answers `GET /metrics` with the numbers of the process, of its server and of its engine, in the text format of
/// Prometheus, version 0.0.4. Its labels have a fixed set of values, whatever clients send.
struct MetricsEndpoint: Sendable {
  let registry: ScreenRegistry
  let room: WaitingRoom
  let observed: ObservedServer

  func register(in router: inout Router) {
    // In a task, because it reads files.
    router.on(.get, "/metrics") { _ in
      Response(
        status: .ok,
        fields: [
          .contentType: "text/plain; version=0.0.4; charset=utf-8",
          .cacheControl: Caching.never.rawValue,
        ], body: Array(text().utf8))
    }
  }

  private func text() -> String {
    var page = MetricsPage()
    addProcess(to: &page)
    if let server = observed.server?.statistics { Self.add(server, to: &page) }
    page.gauge(
      "viewdelta_clients_waiting", "Polls and event streams that wait for a change.", room.count)
    add(registry.engine.statistics, to: &page)
    return page.text
  }

  private func addProcess(to page: inout MetricsPage) {
    let process = ProcessStatistics()
    page.counter(
      "process_cpu_seconds_total", "The CPU time of the process, of user and system.",
      process.cpuSeconds)
    if let bytes = process.residentByteCount {
      page.gauge("process_resident_memory_bytes", "The resident memory of the process.", bytes)
    }
    if let count = process.openFileCount {
      page.gauge("process_open_fds", "The open file descriptors.", count)
    }
    if let limit = process.openFileLimit {
      page.gauge("process_max_fds", "The limit of open file descriptors.", limit)
    }
  }

  private static func add(_ server: ServerStatistics, to page: inout MetricsPage) {
    page.gauge("viewdelta_http_connections", "The open connections.", server.connections)
    page.gauge(
      "viewdelta_http_requests_in_flight",
      "Requests from their first line to the end of their reply, with event streams.",
      server.requestsInFlight)
    page.gauge(
      "viewdelta_http_requests_parked",
      "Requests that wait for their handler, and event streams that wait for an event.",
      server.requestsParked)
    page.counter(
      "viewdelta_http_replies_total",
      "Replies by the class of their status, without those of libmicrohttpd to malformed requests.",
      server.replies.sorted { $0.key < $1.key }.map { ("status=\"\($0.key)xx\"", $0.value) })
    page.counter(
      "viewdelta_http_problems_total",
      "Replies with a problem, by its code; other counts codes beyond 128 and those that are no short words.",
      server.problems.sorted { $0.key < $1.key }.map { ("code=\"\($0.key)\"", $0.value) })
    page.histogram(
      "viewdelta_http_write_duration_seconds",
      "The time from the last byte of a POST, PUT, PATCH or DELETE to its reply, except polls, differences of lists and requests refused before their body.",
      server.writes)
  }

  private func add(_ engine: EngineStatistics, to page: inout MetricsPage) {
    page.counter(
      "viewdelta_inputs_total",
      "The position of the last input: a command, a write, or the end of a load.",
      engine.position)
    page.gauge(
      "viewdelta_state_bytes", "The states that commands have given to view models, estimated.",
      engine.stateByteCount)
    let kept = registry.kept
    page.gauge(
      "viewdelta_view_models", "The view models in memory that an input has touched.", kept.count)
    page.gauge(
      "viewdelta_history_bytes", "The histories of view models, estimated.", kept.byteCount)
    page.counter(
      "viewdelta_incidents_total",
      "What failed, came too late or could not be shown, in this run of the process.",
      ScreenIncident.Kind.Name.allCases.map { kind in
        ("kind=\"\(kind.rawValue)\"", engine.incidents[kind] ?? 0)
      })
    guard engine.hasJournal else { return }
    page.gauge(
      "viewdelta_journal_up", "1 if the journal records and confirms changes, 0 if they get a 503.",
      registry.engine.journalFailure == nil ? 1 : 0)
    page.gauge(
      "viewdelta_journal_current",
      "1 if the state follows the journal, or the journal does not answer; 0 if /readyz says behind or differs.",
      registry.engine.journalDoubt == nil ? 1 : 0)
    if let byteCount = engine.journalByteCount {
      page.gauge("viewdelta_journal_size_bytes", "The size of the files of the journal.", byteCount)
    }
    if let checkpoint = engine.checkpoint {
      page.gauge(
        "viewdelta_journal_checkpoint_position", "The last input in the newest checkpoint.",
        checkpoint)
    }
  }
}

/// The server whose numbers are shown, once there is one.
final class ObservedServer: Sendable {
  private struct Reference: Sendable {
    weak var server: Server?
  }

  private let reference = Mutex(Reference())

  var server: Server? { reference.withLock { $0.server } }

  func observe(_ server: Server) { reference.withLock { $0.server = server } }
}

/// A text in the format of Prometheus, which grows metric by metric.
private struct MetricsPage {
  private(set) var text = ""

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    begin(name, "gauge", help)
    text += "\(name) \(value)\n"
  }

  mutating func counter(_ name: String, _ help: String, _ value: some Numeric) {
    begin(name, "counter", help)
    text += "\(name) \(value)\n"
  }

  /// Adds a counter with a label.
  mutating func counter(
    _ name: String, _ help: String, _ samples: [(label: String, value: Int)]
  ) {
    begin(name, "counter", help)
    for (label, value) in samples { text += "\(name){\(label)} \(value)\n" }
  }

  mutating func histogram(_ name: String, _ help: String, _ histogram: DurationHistogram) {
    begin(name, "histogram", help)
    let bounds = DurationHistogram.bounds.map { "\($0 / .seconds(1))" } + ["+Inf"]
    var count = 0
    for (bound, number) in zip(bounds, histogram.counts) {
      count += number
      text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
    }
    text += "\(name)_sum \(histogram.sum / .seconds(1))\n\(name)_count \(count)\n"
  }

  private mutating func begin(_ name: String, _ type: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }
}

/// What the system says of this process.
private struct ProcessStatistics {
  /// The CPU time of the process in seconds.
  let cpuSeconds: Double
  /// The resident memory in bytes; `nil` without `/proc`, as is the number of open files.
  let residentByteCount: Int?
  let openFileCount: Int?
  let openFileLimit: Int?

  init() {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    cpuSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000
    }
    residentByteCount = Self.residentPageCount.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    openFileCount = Self.openFileCount
    var limit = rlimit()
    openFileLimit =
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
      ? Int(clamping: limit.rlim_cur) : nil
  }

  /// The second number of `/proc/self/statm` (proc_pid_statm(5)).
  private static var residentPageCount: Int? {
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let numbers = String(
      decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    )
    .split(separator: " ")
    return numbers.count > 1 ? Int(numbers[1]) : nil
  }

  /// The number of entries of `/proc/self/fd`, without the one that reads them.
  private static var openFileCount: Int? {
    guard let directory = opendir("/proc/self/fd") else { return nil }
    defer { closedir(directory) }
    var count = -3
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
