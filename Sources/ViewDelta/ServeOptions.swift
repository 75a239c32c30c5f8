public import ArgumentParser
import Foundation
import Glibc
import Logging
import MicroHTTP
public import ViewDeltaServer
public import ViewState

/// The options of a command that serves an application: its address, initial data, limits and log level.
///
/// ```swift
/// import ArgumentParser
/// import ViewDelta
///
/// struct Serve: AsyncParsableCommand {
///   @OptionGroup var options: ServeOptions
///   @Option var database = "todos.sqlite"
///
///   func run() async throws {
///     try await options.serve { Todos(database: database) }
///   }
/// }
/// ```
public struct ServeOptions: ParsableArguments {
  /// The description of a server, for the help of a command.
  public static let discussion = """
    Serves the screens, REST for the stores behind them, and a page for browsers. Without a journal all \
    data is kept in memory: the changes of clients are lost when the server stops.

    SIGINT or SIGTERM ends the server: it refuses new clients, and completes the replies in flight \
    for at most ten seconds. A second signal ends the server at once.
    """

  @Option(help: "The address to listen on: an IPv4 or IPv6 literal, or localhost.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes any free one.")
  var port: UInt16 = 8080

  @Option(
    name: .customLong("host-name"),
    help: ArgumentHelp(
      "A host name or address of the server. Repeatable.",
      discussion: """
        A server on loopback accepts requests whose Host is localhost, a loopback address, or one of \
        these names, on any port. Other requests get a 403, except for /healthz and /readyz, so that \
        no page of another site can read or write here. A server on another address accepts any \
        Host, unless this option is given.
        """, valueName: "name"))
  var hostNames: [String] = []

  @Option(
    help: ArgumentHelp(
      "The initial data, as a json-server file.",
      discussion: """
        An object with an array for each collection, whose elements have the format in which they \
        are read and written over HTTP. The file replaces all initial data of the screens: a \
        missing collection is empty. Ids are numbers or strings. An array of objects that no \
        screen knows is served as the screen collection/NAME and under /v1/collections/NAME. Other \
        unknown members are ignored, and named in a warning.
        """, valueName: "file"))
  var data: String?

  @Option(
    name: .customLong("public"),
    help: ArgumentHelp(
      "The directory of the web page, which is served at /.",
      discussion: """
        The default is the directory Public in the working directory, if it exists. All files are \
        read at the start. Files whose names begin with a dot are left out. Symbolic links and \
        other special files are left out with a warning. The modules and style sheets that \
        index.html names are joined, and caches keep them until they change.
        """, valueName: "directory"))
  var publicDirectory: String?

  @Option(
    name: .customLong("image-host"),
    help: ArgumentHelp(
      "A host whose pictures the page shows. Repeatable.",
      discussion: """
        A name or an IPv4 address, with a port unless it is 80 or 443. The host learns the IP \
        addresses of people who look at its pictures. In place of pictures from other hosts the \
        page has links.
        """, valueName: "host"))
  var imageHosts: [WebHost] = []

  @Flag(help: "Let clients script latency and failures under /v1/faults.")
  var faults = false

  @Option(
    help: ArgumentHelp(
      "Whether a screen keeps its rows while it is loaded again.",
      discussion: "The default is the policy of each screen, or keep-previous if it has none.",
      valueName: "policy"))
  var refresh: RefreshPolicy?

  @Option(
    help: ArgumentHelp(
      "The language of the texts in rows: dates, numbers, counts and headings.",
      discussion: """
        All clients get the same language. Problem details, the descriptions of screens and the \
        page around the rows are in English. The default is the language of each screen, or en if \
        a screen has none.
        """, valueName: "language"))
  var language: Language?

  @Option(
    help: ArgumentHelp(
      "The duration of a load: 500ms or 1.5s for all sources, posts=4s for one. Repeatable.",
      discussion: """
        Only sources that read a store of the server have a simulated latency; a source that calls \
        another service takes as long as the call. The default is the latency of each source.
        """, valueName: "time"))
  var latency: [LatencyOption] = []

  @Option(
    help: ArgumentHelp("The time after which a load fails.", valueName: "time"))
  var loadTimeout = DurationOption("10s")

  @OptionGroup
  var limits: LimitOptions

  @OptionGroup
  var retention: RetentionOptions

  @Option(
    help: ArgumentHelp(
      "The lowest level to log on standard error, from trace to critical.", valueName: "level"))
  var logLevel = LogLevelOption.notice

  public func validate() throws {
    guard ServerConfiguration.isAddress(host) else {
      throw ValidationError("--host is \(host), but must be an IP address or localhost")
    }
    for name in hostNames where !ServerConfiguration.isHostName(name) {
      throw ValidationError(
        "--host-name is \(name), but must be a name or an IP address, without a port")
    }
    for host in imageHosts where host.isIPv6 {
      throw ValidationError("--image-host is \(host), but must be a name or an IPv4 address")
    }
  }

  /// Creates the default options.
  public init() {}

  /// The settings of the engine.
  var settings: Settings {
    Settings(
      loadTimeout: loadTimeout.duration, refreshPolicy: refresh,
      language: language, stateByteCount: limits.stateMemory * 1024 * 1024)
  }

  /// Serves features until a signal ends the process.
  ///
  /// - Parameters:
  ///   - journal: The journal of the inputs, so that a restart loses none; `nil` keeps the inputs only in memory.
  ///   - features: The screens and other features.
  /// - Throws: An error for the `exit(withError:)` of the command, if the server cannot start.
  nonisolated(nonsending) public func serve(
    journal: @autoclosure () throws(JournalError) -> (any Journal)? = nil,
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) async throws {
    do {
      // Swift reads them there. Without them all options would have their defaults.
      guard !CommandLine.arguments.isEmpty else {
        throw StartError.unavailable("/proc is not mounted, so the options cannot be read")
      }
      let process = ServerProcess(self)
      try await process.run(process.application(journal, features))
    } catch let error as StartError {
      throw error.reported()
    }
  }
}

/// A log level on the command line, by its name in swift-log.
enum LogLevelOption: String, CaseIterable, ExpressibleByArgument {
  case trace
  case debug
  case info
  case notice
  case warning
  case error
  case critical

  var level: Logger.Level {
    switch self {
    case .trace: .trace
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    case .critical: .critical
    }
  }
}

extension RefreshPolicy: ExpressibleByArgument {}

extension Language: ExpressibleByArgument {}
extension WebHost: ExpressibleByArgument {}

/// An error that prevents the start: one line for people, and an exit code from `sysexits.h`.
struct StartError: Error {
  let message: String
  let exitCode: ExitCode

  /// Creates the error for a file that cannot be read.
  static func unreadable(_ option: String, _ path: String, _ reason: String) -> StartError {
    StartError(message: "\(option) \(path): \(reason)", exitCode: ExitCode(EX_NOINPUT))
  }

  /// Creates the error for invalid content of a file or directory at a location.
  static func malformed(
    _ option: String, _ path: String, at place: String, _ reason: String
  ) -> StartError {
    StartError(message: "\(option) \(path): \(place): \(reason)", exitCode: ExitCode(EX_DATAERR))
  }

  /// Creates the error for invalid data that a feature reads by itself.
  static func malformed(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_DATAERR))
  }

  /// Creates the error for a journal that cannot be used.
  static func journal(_ error: JournalError) -> StartError {
    switch error {
    case .unavailable(let reason), .replaced(let reason), .lost(let reason),
      .unconfirmed(let reason):
      StartError(message: "the journal: \(reason)", exitCode: ExitCode(EX_UNAVAILABLE))
    case .damaged(let reason):
      StartError(message: "the journal: \(reason)", exitCode: ExitCode(EX_DATAERR))
    }
  }

  /// Creates the error for features that contradict each other, which is an error of the program.
  static func contradiction(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_SOFTWARE))
  }

  /// Creates the error for an unavailable resource, such as a port in use.
  static func unavailable(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_UNAVAILABLE))
  }

  func report() {
    // `write(_:)` without `contentsOf` ends the process if standard error is full or closed.
    try? FileHandle.standardError.write(
      contentsOf: Data("\(ProgramName.current): \(message)\n".utf8))
  }

  /// Prints the error, and returns the exit code of the command.
  func reported() -> ExitCode {
    report()
    return exitCode
  }
}

extension JournalError {
  /// Prints the error in one line on standard error, for a command that cannot go on.
  ///
  /// ```swift
  /// func run() throws {
  ///   do { try SQLiteJournal.copy(journal, to: copy) } catch { throw error.reported() }
  /// }
  /// ```
  ///
  /// - Returns: The exit code of the command: 65 if the journal is damaged, 69 if it cannot be used now.
  public func reported() -> ExitCode {
    StartError.journal(self).reported()
  }
}

/// The name under which the program was started, for messages.
enum ProgramName {
  static let current =
    CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? "viewdelta"
}
