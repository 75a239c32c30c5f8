import ArgumentParser
import CanonicalJSON
import Foundation
import Glibc
import HTTPTypes
import Logging
import MicroHTTP
import Synchronization
import UnixSignals
import ViewDeltaServer
import ViewState

/// Runs the server process: starts it, announces its address, waits for a signal, and shuts down.
struct ServerProcess {
  private let options: ServeOptions
  private let logger: Logger

  /// The application, until the process ends, also if it cannot listen: entries of a shared journal may still come, and
  /// need its stores.
  private static let served = Mutex<Application?>(nil)

  /// The time for completing replies in flight after the first signal.
  private static let grace = Duration.seconds(10)

  init(_ options: ServeOptions) {
    self.options = options
    let level = options.logLevel.level
    logger = Logger(label: ProgramName.current) { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
  }

  /// Combines the features.
  ///
  /// - Throws: `StartError` if a file or an option cannot be used, if a feature cannot start or if features contradict
  ///   each other.
  func application(
    _ journal: () throws(JournalError) -> (any Journal)?, _ latencies: Latencies,
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) throws -> Application {
    // First, because the start logs, and its handler of SIGTERM writes a line.
    StandardError.dropLinesIfFull()
    ProgramStart.begin()
    let publicFiles = try PublicFiles.load(
      option: options.publicDirectory, imageHosts: Set(options.imageHosts), logger: logger)
    var configuration = ApplicationConfiguration(
      environment: ScreenEnvironment(
        settings: options.settings,
        record: { [logger] incident in incident.log(to: logger) },
        recordJournal: { [logger] incident in incident.handle(logging: logger) },
        freed: FreedMemory.note))
    if options.takesOver { configuration.environment.takesOver = ProgramStart.isNewer(than:) }
    let server = try serverConfiguration
    try ThreadLimit.check(server.threads + ThreadLimit.reserve)
    let file = options.data.map(DataFile.init)
    configuration.data = try file?.load()
    options.apply(to: &configuration)
    configuration.publicFiles = publicFiles
    configuration.allowsFaults = options.faults
    configuration.waitingLimits = options.waiting(
      connectionLimit: server.connectionLimit)
    configuration.latencies = latencies
    LatencyOption.apply(options.latency, to: &configuration.latencies)
    configuration.retention = options.retention
    // Before the inputs of the journal are applied, which may take minutes.
    try Self.told { () throws(ServerError) in try server.checkAddress() }
    do {
      configuration.journal = try journal()
      if configuration.journal == nil, let option = options.givenRetention {
        throw StartError.invalid("\(option) needs a journal")
      }
      if options.takesOver, !(configuration.journal is any SharedJournal) {
        throw StartError.invalid("--take-over needs a journal that servers share")
      }
      configuration.program = ProgramStart.build
      return try Application(configuration, features: features)
    } catch JournalError.replaced(let reason) {
      // Such as of several servers of a new build that start together, of which one begins with a checkpoint.
      logger.notice(
        "the journal has changed during the start, so the server starts again",
        metadata: ["reason": "\(reason)"])
      ProgramStart.again()
    } catch JournalError.unavailable(let reason) where ProgramStart.isRestart {
      // As a server that runs does, it outlasts a time without Redis: nothing may be there that starts it.
      let wait = ProgramStart.countRestart()
      logger.error(
        "the journal cannot be used, so the server starts again",
        metadata: ["reason": "\(reason)", "wait": "\(wait) s"])
      Thread.sleep(forTimeInterval: Double(wait))
      ProgramStart.again()
    } catch let error as ApplicationError {
      guard case .unknownSource(let source, _) = error else { throw StartError(error) }
      // Otherwise the program names the source.
      guard options.latency.contains(where: { $0.source == source }) else {
        throw StartError.contradiction("the latencies of the program: \(error)")
      }
      throw StartError.invalid("--latency: \(error)")
    } catch let error as JSONShapeError {
      throw file?.error(error) ?? StartError(error)
    } catch {
      throw StartError(error)
    }
  }

  private var serverConfiguration: ServerConfiguration {
    get throws(StartError) {
      var configuration = ServerConfiguration(host: options.host, port: options.port)
      configuration.hostNames = options.hostNames
      configuration.allowedOrigins = options.allowedOrigins
      try options.apply(to: &configuration)
      return configuration
    }
  }

  /// Serves an application until a signal ends the process.
  ///
  /// - Throws: `StartError` if the server cannot listen.
  nonisolated(nonsending) func run(_ application: Application) async throws {
    Self.served.withLock { $0 = application }
    if application.isRestored, options.data != nil {
      logger.notice("the journal has data, so the data file is not used")
    }
    if !application.ignoredData.isEmpty {
      logger.warning(
        "the data file has members that are ignored",
        metadata: ["members": "\(application.ignoredData.line(upTo: StartError.longest))"])
    }
    let example = await ExampleRequests(application)
    // Signals are trapped before the address is announced, so that a script can send one at once.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let position = application.journalPosition
    let (server, address) = try start(application)
    if let position { logJournal(application, at: position) }
    if try serverConfiguration.acceptsAnyHost {
      logger.warning(
        """
        without --host-name requests for any host are accepted, so that pages of other sites can reach \
        the server through the browser of a user
        """)
    }
    announce(address, example, hasPage: application.hasPage)
    let tasks = Task { [logger] in
      await application.runTasks { name, error in
        logger.error("a task failed", metadata: ["reason": "\(error)", "task": "\(name)"])
      }
    }

    var shutdown: Task<Void, Never>?
    for await signal in signals {
      if shutdown != nil {
        if ProgramStart.takeOwnSignal() { continue }
        logger.notice("a second signal ends the server at once")
        exit(128 + signal.rawValue)
      }
      logger.notice("shutting down")
      ProgramStart.end()
      tasks.cancel()
      // This comes first, so that the replies to waiting polls get `Connection: close`.
      server.beginDraining()
      application.beginDraining()
      shutdown = Task {
        await server.shutdown(grace: Self.grace)
        application.close()
        exit(ProgramStart.exitCode)
      }
    }
  }

  /// Logs whether a new journal begins or a journal goes on, and whether clients keep their revisions.
  private func logJournal(_ application: Application, at position: Int) {
    if application.isRestored {
      let revisions = application.hasNewRevisions ? "new" : "kept"
      logger.notice(
        "the journal goes on", metadata: ["position": "\(position)", "revisions": "\(revisions)"])
    } else {
      logger.notice("a new journal begins, with the initial data")
    }
  }

  private func start(
    _ application: Application
  ) throws(StartError) -> (Server, BoundAddress) {
    let configuration = try serverConfiguration
    return try Self.told { () throws(ServerError) in
      let server = try Server(
        configuration: configuration, router: application.router, logger: logger)
      let address = try server.start()
      application.observe(server)
      ProgramStart.keep(address.port)
      return (server, address)
    }
  }

  /// Does some work, and turns a server error into an error that names an option.
  private static func told<Result>(
    _ work: () throws(ServerError) -> Result
  ) throws(StartError) -> Result {
    do throws(ServerError) {
      return try work()
    } catch {
      switch error {
      case .systemCall, .notStarted, .alreadyStarted: throw .unavailable("\(error)")
      // These begin with the name of an option.
      default: throw .unavailable("--\(error)")
      }
    }
  }

  private func announce(_ address: BoundAddress, _ example: ExampleRequests, hasPage: Bool) {
    // Nobody reads a full pipe. The flush of it would hold up the whole server: meanwhile the C library opens no stream,
    // as it does for the time zone.
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    guard poll(&output, 1, 0) > 0 else { return }
    print(
      "ViewDelta listens on \(address.url).", hasPage ? "Open it in a browser, or try:" : "Try:")
    // 0.0.0.0 and :: are no hosts of requests: a server with `--host-name` refuses them.
    let url =
      switch address.host {
      case "0.0.0.0": "http://127.0.0.1:\(address.port)"
      case "::": "http://[::1]:\(address.port)"
      default: address.url
      }
    for line in example.lines(for: url) { print("  \(line)") }
    // A reader of a pipe waits for these lines.
    fflush(nil)
  }
}

/// The standard error stream, to which the log is written.
private enum StandardError {
  /// Drops log lines if standard error is a full pipe or socket, so that neither the start nor the server ever blocks
  /// until they are read.
  ///
  /// A terminal or a file is left unchanged: its mode is shared with other processes, and it does
  /// not stay full.
  static func dropLinesIfFull() {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0,
      [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return }
    let flags = fcntl(STDERR_FILENO, F_GETFL)
    _ = fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK)
  }
}
