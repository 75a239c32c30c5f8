import ArgumentParser
import CanonicalJSON
import Glibc
import Logging
import MicroHTTP
import Screens
import UnixSignals
import ViewDeltaServer
import ViewState

/// The life of the serving process: start, say where, wait for a signal, end in order.
struct ServerProcess {
  private let options: Serve
  private let logger: Logger

  /// How long replies on their way may take after the first signal.
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

  /// - Throws: `StartError` where the server cannot be started.
  func run() async throws {
    var configuration = ServerConfiguration(host: options.host, port: options.port)
    configuration.hostNames = options.hostNames
    options.limits.apply(to: &configuration)
    let publicFiles = try PublicDirectory(option: options.publicDirectory)
      .map { directory throws(StartError) in try directory.load(logger: logger) }
    let application = try application(
      with: publicFiles,
      waiting: options.limits.waiting(connectionLimit: configuration.connectionLimit))
    StandardError.loseWhatDoesNotFit()
    // A server outlives the terminal that it was started from.
    signal(SIGHUP, SIG_IGN)
    // Signals are caught before anybody can have been told that the server is up.
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
      // First, so that the answers of polls that waited say that they are the last.
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
    case .transition, .assembly:
      logger.debug(
        "ignored", metadata: ["incident": "\(incident.kind)", "screen": "\(incident.screen)"])
    }
  }

  /// What the stores start with: what the data file holds, or else demo data.
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
    // Whoever reads through a pipe waits for these lines.
    fflush(nil)
  }
}

/// Where the log goes.
private enum StandardError {
  /// Makes a full pipe lose log lines instead of stopping the server until somebody reads it.
  ///
  /// A terminal or a file is left as it is: its mode is shared with other processes, and it does not
  /// fill up for good.
  static func loseWhatDoesNotFit() {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    _ = fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK)
  }
}
