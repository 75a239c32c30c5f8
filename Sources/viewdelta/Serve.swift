public import ArgumentParser
import Foundation
import Glibc
import Logging
import MicroHTTP
import Screens
import ViewDeltaServer
public import ViewState

/// `viewdelta serve`: the server, until a signal ends it.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the view models over HTTP.",
    discussion: """
      Serves the screens, REST for the stores behind them, and a page for browsers. Without --data \
      it serves demo data. Everything is kept in memory: what clients write is gone when the \
      server ends.

      SIGINT or SIGTERM ends it: new clients are refused, replies on their way are completed, for \
      at most ten seconds. A second signal ends it at once.

      EXAMPLES:
        viewdelta serve
        viewdelta serve --port 9000 --data users.json
        viewdelta serve --latency profile=3s --latency posts=4s --faults
      """)

  @Option(help: "The address to listen on: an IPv4 or IPv6 literal, or localhost.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 takes any free one.")
  var port: UInt16 = 8080

  @Option(
    name: .customLong("host-name"),
    help: ArgumentHelp(
      "A name or an address by which clients reach the server. Repeatable.",
      discussion: """
        A server on loopback answers requests whose Host is localhost, an address of loopback, or one \
        of these names, on any port; others get a 403, so that no page of another site can read or \
        write here. On another address it answers any Host, or, with this option, the same alone.
        """, valueName: "name"))
  var hostNames: [String] = []

  @Option(
    help: ArgumentHelp(
      "The data to start with, as a json-server file.",
      discussion: """
        An object with the arrays "users" and "posts". A user has "id" and "username" or "name", \
        and may have "email", "website", "address" with "city", "avatarURL" or "image", and \
        "friendsCount". A post has "id", "userId", "title" and "body", and may have "date". \
        There may also be "listeners", each with "podcasts", "scoreboards", "catalogs", "forms", \
        each with "activity", and "companies", in the shape in which they are read and written \
        over HTTP; what is not there starts empty. Ids are numbers or strings. Unknown members are \
        ignored, and named in a warning.
        """, valueName: "file"))
  var data: String?

  @Option(
    name: .customLong("public"),
    help: ArgumentHelp(
      "The directory with the page for browsers, which is served at /.",
      discussion: """
        Without it the directory Public where the server is started, if there is one. All files are \
        read at the start. Names that begin with a dot are left out, and so is, with a warning, what \
        is no regular file: symbolic links are not followed.
        """, valueName: "directory"))
  var publicDirectory: String?

  @Flag(help: "Let clients script latency and failures under /v1/faults.")
  var faults = false

  @Option(
    help: ArgumentHelp(
      "What stays on the screen while it is loaded again: its rows, or nothing.",
      valueName: "policy"))
  var refresh = RefreshPolicy.keepPrevious

  @Option(
    help: ArgumentHelp(
      "How long a load takes: 500ms or 1.5s for all sources, posts=4s for one. Repeatable.",
      valueName: "time"))
  var latency: [LatencyOption] = [
    LatencyOption("profile=400ms"), LatencyOption("posts=700ms"), LatencyOption("podcasts=600ms"),
    LatencyOption("registry=800ms"), LatencyOption("activity=500ms"),
    LatencyOption("submission=900ms"),
  ]

  @Option(
    help: ArgumentHelp("How long a load may take before it counts as failed.", valueName: "time"))
  var loadTimeout = DurationOption("10s")

  @OptionGroup
  var limits: LimitOptions

  @Option(
    help: ArgumentHelp(
      "What to log on standard error, from trace to critical.", valueName: "level"))
  var logLevel = LogLevelOption.notice

  func validate() throws {
    for name in hostNames where !ServerConfiguration.isHostName(name) {
      throw ValidationError(
        "--host-name is \(name), but must be a name or an IP address, without a port")
    }
  }

  func run() async throws {
    do {
      try await ServerProcess(self).run()
    } catch let error as StartError {
      error.report()
      throw error.exitCode
    }
  }
}

/// The command line.
@main
struct ViewDelta: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "viewdelta",
    abstract: "A backend for view models: screens as lists of rows, and what changed in them.",
    // The OpenAPI document and the changelog say the same.
    version: "1.0.0",
    subcommands: [Serve.self])
}

/// A level on the command line, by the names of swift-log.
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

/// Why the server did not start: one line for people, and an exit code from `sysexits.h`.
struct StartError: Error {
  let message: String
  let exitCode: ExitCode

  /// A file that cannot be read.
  static func unreadable(_ option: String, _ path: String, _ reason: String) -> StartError {
    StartError(message: "\(option) \(path): \(reason)", exitCode: ExitCode(EX_NOINPUT))
  }

  /// A file or a directory with something wrong in it, and where.
  static func malformed(
    _ option: String, _ path: String, at place: String, _ reason: String
  ) -> StartError {
    StartError(message: "\(option) \(path): \(place): \(reason)", exitCode: ExitCode(EX_DATAERR))
  }

  /// Something outside is in the way, such as a port in use.
  static func unavailable(_ reason: String) -> StartError {
    StartError(message: reason, exitCode: ExitCode(EX_UNAVAILABLE))
  }

  func report() {
    FileHandle.standardError.write(Data("viewdelta: \(message)\n".utf8))
  }
}
