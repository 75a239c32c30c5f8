import ArgumentParser
import Foundation
import Screens
import ViewDelta

#if Redis
  import ViewDeltaRedis
#endif
#if SQLite
  import ViewDeltaSQLite
#endif

/// The command `viewdelta serve`, which serves the demo screens until a signal ends it.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the view models over HTTP.",
    discussion: """
      \(ServeOptions.discussion)

      Without --data the server has demo data. A data file may have the arrays "users" and \
      "posts". A user has "id" and "username" or "name", and may have "email", "website", \
      "address" with "city", "avatarURL" or "image", and "friendsCount". A post has "id", \
      "userId", "title" and "body", and may have "date". The file may also have "listeners" (each \
      with "podcasts"), "forms" (each with "activity"), "scoreboards", "catalogs" and "companies".

      EXAMPLES:
        viewdelta serve
        viewdelta serve --port 9000 --data users.json
        viewdelta serve --journal demo.journal
        viewdelta serve --journal redis://127.0.0.1:6379/demo
        viewdelta serve --latency profile=3s --latency posts=4s --faults
        viewdelta serve --feed-host feeds.example.com
      """)

  @Option(
    name: .customLong("feed-host"),
    help: ArgumentHelp(
      "A host from which podcasts are loaded. Repeatable.",
      discussion: """
        A podcast with a "feedURL" is loaded from the RSS 2.0 or JSON feed at that address, if the \
        host of the address and of each redirect is one of these hosts. A host is a name or an IP \
        address, with a port unless it is 80 or 443. Without this option the server sends no \
        requests.
        """, valueName: "host"))
  var feedHosts: [WebHost] = []

  @Option(
    help: ArgumentHelp(
      "The file or Redis that keeps what clients change, so that a restart loses nothing.",
      discussion: """
        Without a journal all data is lost when the server stops. With a file, a change is on the \
        disk before it is acknowledged or shown, and after a restart clients continue with their \
        revisions. A new file begins with the data of --data or of the demo; later starts take the \
        data from the file, and --data is not used. The file is a SQLite file, which only one \
        server can use at a time.

        In place of a file, redis://HOST:PORT/NAME is a stream of Redis 7. Any number of servers \
        can share this stream and answer as one, if they run the same build with the same \
        --language, --refresh, --load-timeout and --state-memory. A change is then as safe as \
        Redis keeps it: Redis needs appendonly yes, appendfsync always and maxmemory-policy \
        noeviction, and a start warns if it has other settings. The address may have a user and a \
        password, redis://USER:PASSWORD@HOST:PORT/NAME; the environment variable \
        VIEWDELTA_REDIS_PASSWORD is the password if the address has none.
        """, valueName: "file|url"))
  var journal: String?

  @Option(
    name: .customLong("redis-replicas"),
    help: ArgumentHelp(
      "The number of Redis replicas that must have a change before it is acknowledged (default: 0).",
      discussion: """
        If fewer replicas confirm a change within a second, the reply is a 503, "unconfirmed": the \
        change is made, and may be lost.
        """, valueName: "count"))
  var replicas: Int?

  @OptionGroup var options: ServeOptions

  func validate() throws {
    if let replicas {
      guard journal.map(Self.isRedis) == true else {
        throw ValidationError("--redis-replicas needs a --journal in Redis")
      }
      guard (0...1_000).contains(replicas) else {
        throw ValidationError("--redis-replicas is \(replicas), but must be 0 to 1000")
      }
    }
    guard let journal else { return }
    if journal.isEmpty {
      throw ValidationError("--journal is empty: it takes a file or redis://HOST:PORT/NAME")
    }
    // Also without the slashes, because `redis:HOST` would be a file that no other server sees.
    if !Self.isRedis(journal), let scheme = journal.prefixMatch(of: /[A-Za-z]+:(\/\/)?|.+?:\/\//) {
      // What follows may have a password, so it is not shown.
      throw ValidationError(
        "--journal does not support \"\(scheme.output.0)\": it takes a file or redis://HOST:PORT/NAME"
      )
    }
    #if Redis
      if Self.isRedis(journal) {
        do { _ = try RedisJournal(journal) } catch { throw ValidationError("--journal: \(error)") }
      }
    #else
      if Self.isRedis(journal) { throw Self.missing("Redis") }
    #endif
    #if !SQLite
      if !Self.isRedis(journal) { throw Self.missing("SQLite") }
    #endif
  }

  static func isRedis(_ journal: String) -> Bool { journal.hasPrefix("redis://") }

  private static func missing(_ trait: String) -> ValidationError {
    ValidationError(
      "this --journal is not in this build: use scripts/serve, or build with the trait \(trait)")
  }

  /// Opens the journal that the options name.
  private func openJournal() throws(JournalError) -> (any Journal)? {
    guard let journal else { return nil }
    #if Redis
      if Self.isRedis(journal) {
        // Unlike the arguments, the environment is visible only to the user of the process and to root.
        let password = ProcessInfo.processInfo.environment["VIEWDELTA_REDIS_PASSWORD"]
        return try RedisJournal(journal, password: password, replicas: replicas ?? 0)
      }
    #endif
    #if SQLite
      return try SQLiteJournal(path: journal)
    #else
      return nil
    #endif
  }

  func run() async throws {
    try await options.serve(journal: openJournal(), latencies: Program.latencies) {
      Program.features(feeds: FeedReader(hosts: Set(feedHosts)))
    }
  }
}

/// The command line.
@main
struct Program: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "viewdelta",
    abstract: "A backend for view models: screens as lists of rows, and what changed in them.",
    // Keep this equal to the version in the OpenAPI document and in the changelog.
    version: "1.0.0",
    subcommands: [Serve.self, PrintOpenAPI.self] + journalCommands)

  /// Says so if the command cannot be read, as `ServeOptions` does of options, and does not print the help instead.
  func validate() throws {
    guard CommandLine.arguments.isEmpty else { return }
    let line =
      "viewdelta: the command cannot be read: /proc is not mounted, or a library of LD_PRELOAD sets variables\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    throw ExitCode(EX_UNAVAILABLE)
  }

  /// The commands on journals.
  private static var journalCommands: [any ParsableCommand.Type] {
    #if SQLite
      [Backup.self, ReplayJournal.self, CheckJournal.self]
    #else
      []
    #endif
  }

  /// Checks that a journal is a file, for commands that do not read journals in Redis.
  static func checkFile(_ journal: String) throws {
    if journal.isEmpty { throw ValidationError("the name of the journal is empty") }
    if Serve.isRedis(journal) {
      throw ValidationError(
        "this command is for journals in files; copy one in Redis with the tools of Redis")
    }
  }

  /// The latencies of the sources of the demo, so that people see the loading states.
  static let latencies = Latencies([
    "profile": .milliseconds(400), "posts": .milliseconds(700), "podcasts": .milliseconds(600),
    "registry": .milliseconds(800), "activity": .milliseconds(500),
    "submission": .milliseconds(900),
  ])

  /// The demo.
  @FeatureBuilder static func features(feeds: FeedReader = FeedReader()) -> [any Feature] {
    ProfileFeature()
    PodcastsFeature(feeds: feeds)
    ScoreboardFeature()
    CatalogFeature()
    FormFeature()
    SettingsFeature()
  }
}
