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
    name: .customLong("allow-origin"),
    help: ArgumentHelp(
      "The origin of another server whose pages may read and write here. Repeatable.",
      discussion: """
        An origin as browsers send it, such as https://app.example.com or http://localhost:5173. Its \
        pages need no proxy: replies to them have the fields of CORS. Cookies are not allowed.
        """, valueName: "origin"))
  var allowedOrigins: [String] = []

  @Option(
    help: ArgumentHelp(
      "The initial data, as a json-server file.",
      discussion: """
        An object with an array for each collection, whose elements have the format in which they \
        are read and written over HTTP. The file replaces all initial data of the screens: a \
        missing collection is empty. An id is a whole number from 0, or a string of 1 to 128 bytes \
        without /; 1 and "1" are one id. An array of objects that no screen knows is served as the \
        screen collection/NAME and under /v1/collections/NAME. Other unknown members are ignored, \
        and named in a warning.
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
      discussion: """
        A list that is loaded page by page keeps them always. The default is the policy of each screen, \
        or keep-previous if it has none.
        """,
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
        For tests of clients. A source that calls another service calls it after that time. A part \
        that waits for a time of its own, such as for an offer to undo, keeps it unless its name is \
        given. The default is the latency that the program gives to a source, or 0s.
        """, valueName: "time"))
  var latency: [LatencyOption] = []

  @Option(
    help: ArgumentHelp("The time after which a load fails, such as 1.5s.", valueName: "time"))
  var loadTimeout = DurationOption("10s")

  @Option(
    help: ArgumentHelp(
      "The number of threads that serve connections.",
      discussion: "The default is the number of processors, at most 64.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "The number of open connections.",
      discussion: """
        If one more client comes, the connection that has been idle for longest is closed. \
        While none is idle, the client waits.
        """, valueName: "n"))
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
        Two thirds are for the histories of all view models, a sixth for those that were only \
        read, and a sixth for encoded replies. Beyond each share, the oldest data is dropped: a \
        client whose revision was dropped gets a reset with the reason history-expired; replies \
        are encoded again. View models that have changed take another two thirds without their \
        histories; beyond that, those that were not read for a while keep only their states.
        """, valueName: "MiB"))
  var keptMemory = 384

  @Option(
    help: ArgumentHelp(
      "The estimated memory of the states that commands have given to view models, in MiB.",
      discussion: "A command that would exceed this memory is refused with 409.", valueName: "MiB"))
  var stateMemory = Settings().stateByteCount / (1024 * 1024)

  @Flag(
    name: .customLong("take-over"),
    help: ArgumentHelp(
      "Take the journal over from servers of an older build, which end.",
      discussion: """
        For a journal that servers share. All servers of the older build complete their replies, record \
        their state, and end with the exit code 75. Then this server begins with that state. A build is \
        newer by the modification time of its program. Without this option the server does not start \
        beside servers of another build.
        """))
  var takesOver = false

  @Option(
    help: ArgumentHelp(
      "The time for which the journal keeps inputs: 90m, 12h or 7d.",
      discussion: """
        viewdelta replay goes back that far. By default the journal keeps what a start needs: the \
        inputs of the last ten minutes, at most 16,384, and up to 8,192 more. An input of more than \
        32 KiB counts several times. If the journal keeps more, a start takes no longer.
        """, valueName: "time"))
  var journalKeep = DurationOption("0s")

  @Option(
    help: ArgumentHelp(
      """
      The size of the journal beyond which the oldest inputs are removed before that time, in MiB (default: \
      \(defaultJournalLimit)).
      """, valueName: "MiB"))
  var journalLimit: Int?

  @Option(
    help: ArgumentHelp(
      "The lowest level to log on standard error, from trace to critical.", valueName: "level"))
  var logLevel = LogLevelOption(level: .notice)

  public func validate() throws {
    for (option, path) in [("--data", data), ("--public", publicDirectory)] where path == "" {
      throw ValidationError("\(option) is empty")
    }
    guard ServerConfiguration.isAddress(host) else {
      throw ValidationError("--host is '\(host)', but must be an IP address or localhost")
    }
    for name in hostNames where !ServerConfiguration.isHostName(name) {
      throw ValidationError(
        "--host-name is '\(name)', but must be a name or an IP address, without a port and without *"
      )
    }
    for origin in allowedOrigins where !ServerConfiguration.isOrigin(origin) {
      throw ValidationError(
        "--allow-origin is '\(origin)', but must be an origin as browsers send it, such as "
          + "https://app.example.com, without a path and a default port")
    }
    if loadTimeout.duration == .zero {
      throw ValidationError("--load-timeout is 0, but each load takes some time")
    }
    for host in imageHosts where host.isIPv6 {
      throw ValidationError("--image-host is \(host), but must be a name or an IPv4 address")
    }
    try validateLimits()
  }

  /// Creates the default options.
  public init() {}

  /// The settings of the engine.
  var settings: Settings {
    Settings(
      loadTimeout: loadTimeout.duration, refreshPolicy: refresh,
      language: language, stateByteCount: stateMemory * 1024 * 1024)
  }

  /// Serves features until a signal ends the process.
  ///
  /// - Parameters:
  ///   - journal: The journal of the inputs, so that a restart loses none; `nil` keeps the inputs only in memory.
  ///   - latencies: The latencies of sources, unless `--latency` overrides them. A source that no screen has is an
  ///     error.
  ///   - features: The screens and other features.
  /// - Throws: An error for the `exit(withError:)` of the command, if the server cannot start.
  nonisolated(nonsending) public func serve(
    journal: @autoclosure () throws(JournalError) -> (any Journal)? = nil,
    latencies: Latencies = Latencies(),
    @FeatureBuilder _ features: () throws -> [any Feature]
  ) async throws {
    do {
      // Swift finds the stack there, and the arguments before the environment on it, which a library may have moved.
      // Without them all options would have their defaults.
      guard !CommandLine.arguments.isEmpty else {
        throw StartError.unavailable(
          "the options cannot be read: /proc is not mounted, or a library of LD_PRELOAD sets variables"
        )
      }
      let process = ServerProcess(self)
      try await process.run(process.application(journal, latencies, features))
    } catch let error as StartError {
      throw error.reported()
    }
  }
}

/// A log level on the command line, by its name in swift-log.
struct LogLevelOption: RawRepresentable, CaseIterable, ExpressibleByArgument {
  static let allCases = Logger.Level.allCases.map { LogLevelOption(level: $0) }

  let level: Logger.Level

  init(level: Logger.Level) { self.level = level }

  init?(rawValue: String) {
    guard let level = Logger.Level(rawValue: rawValue) else { return nil }
    self.level = level
  }

  var rawValue: String { level.rawValue }
}

extension RefreshPolicy: ExpressibleByArgument {}

extension Language: ExpressibleByArgument {}
extension WebHost: ExpressibleByArgument {}
