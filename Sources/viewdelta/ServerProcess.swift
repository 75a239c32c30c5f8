import ArgumentParser
import CanonicalJSON
import Glibc
import Logging
import MicroHTTP
import Screens
import UnixSignals
import ViewDeltaServer
import ViewState

/// Runs the server process: starts it, announces its address, waits for a signal, and shuts down.
struct ServerProcess {
  private let options: Serve
  private let logger: Logger

  /// The time for completing replies in flight after the first signal.
  private static let grace = Duration.seconds(10)

  init(_ options: Serve) {
    self.options = options
    let level = options.logLevel.level
    logger = Logger(label: "viewdelta") { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
  }

  /// Serves until a signal ends the process.
  ///
  /// - Throws: `StartError` if the server cannot be started.
  func run() async throws {
    var configuration = ServerConfiguration(host: options.host, port: options.port)
    configuration.hostNames = options.hostNames
    options.limits.apply(to: &configuration)
    let publicFiles = try PublicDirectory(option: options.publicDirectory)
      .map { directory throws(StartError) in try directory.load(logger: logger) }
    let application = try application(
      with: publicFiles,
      waiting: options.limits.waiting(connectionLimit: configuration.connectionLimit))
    StandardError.dropLinesIfFull()
    // The server keeps running after its terminal is closed.
    signal(SIGHUP, SIG_IGN)
    // Signals are trapped before the address is announced, so that a script can send one at once.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let (server, address) = try start(application, configuration)
    announce(address, hasPage: publicFiles?.paths.contains("/") ?? false)

    var shutdown: Task<Void, Never>?
    for await signal in signals {
      if shutdown != nil {
        logger.notice("a second signal ends the server at once")
        exit(128 + signal.rawValue)
      }
      logger.notice("shutting down")
      // This comes first, so that the replies to waiting polls get `Connection: close`.
      server.beginDraining()
      application.beginDraining()
      shutdown = Task {
        await server.shutdown(grace: Self.grace)
        exit(EXIT_SUCCESS)
      }
    }
  }

  private func application(
    with publicFiles: PublicFiles?, waiting: WaitingLimits
  ) throws(StartError) -> Application {
    let environment = ScreenEnvironment(
      scheduler: ClockScheduler(), loadTimeout: options.loadTimeout.duration,
      record: { [logger] incident in Self.log(incident, logger) }, freed: FreedMemory.note)
    var configuration = try configuration(environment)
    options.limits.apply(to: &configuration)
    configuration.publicFiles = publicFiles
    configuration.allowsFaults = options.faults
    configuration.refreshPolicy = options.refresh
    configuration.waitingLimits = waiting
    configuration.latency = LatencyOption.latencies(options.latency)
    configuration.podcastsLatency = LatencyOption.podcasts(options.latency)
    configuration.formLatency = LatencyOption.form(options.latency)
    return Application(configuration)
  }

  private static func log(_ incident: ScreenIncident, _ logger: Logger) {
    switch incident.kind {
    case .loadFailure(let source, let code):
      logger.notice(
        "a load failed",
        metadata: ["code": "\(code)", "key": "\(incident.screen)", "source": "\(source)"])
    case .assembly(let fault):
      logger.error("a screen failed", metadata: ["fault": "\(fault)", "key": "\(incident.screen)"])
    case .overdue(let position):
      logger.error(
        "an input takes longer than 1 s",
        metadata: ["key": "\(incident.screen)", "position": "\(position)"])
    case .transition:
      logger.debug(
        "an incident was ignored",
        metadata: ["incident": "\(incident.kind)", "screen": "\(incident.screen)"])
    }
  }

  /// Returns the configuration with the content of the data file, or with demo data.
  private func configuration(
    _ environment: ScreenEnvironment
  ) throws(StartError) -> ApplicationConfiguration {
    guard let path = options.data else {
      return ApplicationConfiguration(data: .demo(), environment: environment)
    }
    let unknownMembers = UnknownMembers()
    let configuration = try DataFile(path: path).load { file throws(JSONShapeError) in
      try ApplicationConfiguration(
        dataFile: file, environment: environment, noting: unknownMembers)
    }
    if !unknownMembers.isEmpty {
      logger.warning(
        "the data file has members that are ignored", metadata: ["members": "\(unknownMembers)"])
    }
    return configuration
  }

  private func start(
    _ application: Application, _ configuration: ServerConfiguration
  ) throws(StartError) -> (Server, BoundAddress) {
    do throws(ServerError) {
      let server = try Server(
        configuration: configuration, router: application.router, logger: logger)
      return (server, try server.start())
    } catch {
      throw .unavailable("--\(error)")
    }
  }

  private func announce(_ address: BoundAddress, hasPage: Bool) {
    print(
      """
      ViewDelta listens on \(address.url). \(hasPage ? "Open it in a browser, or try:" : "Try:")
        curl \(address.url)/v1/view-models/profile/1
        curl --json '{"type":"appear"}' \(address.url)/v1/view-models/profile/1/commands
        curl "\(address.url)/v1/view-models/profile/1/diff?since=REVISION"
      """)
    // A reader of a pipe waits for these lines.
    fflush(nil)
  }
}

/// The standard error stream, to which the log is written.
private enum StandardError {
  /// Drops log lines if standard error is a full pipe, so that the server never blocks until they
  /// are read.
  ///
  /// A terminal or a file is left unchanged: its mode is shared with other processes, and it does
  /// not stay full.
  static func dropLinesIfFull() {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    _ = fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK)
  }
}
