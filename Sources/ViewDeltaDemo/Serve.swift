import ArgumentParser
import Screens
import ViewDelta

/// The command `viewdelta serve`, which serves the demo screens until a signal ends it.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the view models over HTTP.",
    discussion: """
      \(ServeOptions.discussion)

      Without --data it serves demo data. A data file may have the arrays "users" and "posts". A user has \
      "id" and "username" or "name", and may have "email", "website", "address" with "city", \
      "avatarURL" or "image", and "friendsCount". A post has "id", "userId", "title" and "body", and \
      may have "date". There may also be "listeners", each with "podcasts", "scoreboards", "catalogs", \
      "forms", each with "activity", and "companies".

      EXAMPLES:
        viewdelta serve
        viewdelta serve --port 9000 --data users.json
        viewdelta serve --latency profile=3s --latency posts=4s --faults
        viewdelta serve --feed-host feeds.example.com
      """)

  @Option(
    name: .customLong("feed-host"),
    help: ArgumentHelp(
      "A host from which podcasts are loaded. Repeatable.",
      discussion: """
        A podcast with a "feedURL" is loaded from there, an RSS 2.0 or JSON feed, if the host of the \
        address and of each redirect is one of these: a name or an IP address, with a port unless it is \
        80 or 443. Without this option the server sends no requests.
        """, valueName: "host"))
  var feedHosts: [WebHost] = []

  @OptionGroup var options: ServeOptions

  func run() async throws {
    try await options.serve { Program.features(feeds: FeedReader(hosts: Set(feedHosts))) }
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
    subcommands: [Serve.self, PrintOpenAPI.self])

  /// The demo.
  @FeatureBuilder static func features(feeds: FeedReader = FeedReader()) -> [any Feature] {
    ProfileFeature(latency: [.profile: .milliseconds(400), .posts: .milliseconds(700)])
    PodcastsFeature(latency: .milliseconds(600), feeds: feeds)
    ScoreboardFeature()
    CatalogFeature()
    FormFeature(
      latency: [
        .registry: .milliseconds(800), .activity: .milliseconds(500),
        .submission: .milliseconds(900),
      ])
    SettingsFeature()
  }
}
