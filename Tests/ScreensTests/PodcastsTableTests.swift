import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

@testable import Screens

@Suite("The table of the podcasts screen")
struct PodcastsTableTests {
  typealias State = Loadable<KeyedSequence<Podcast>>

  static func screen() throws -> PodcastsScreen {
    let data = try PodcastData(reading: JSONReader(PodcastsFixture.data))
    return PodcastsScreen(store: PodcastStore(data, in: .still()))
  }

  static func podcasts(_ titles: Text...) throws -> KeyedSequence<Podcast> {
    try list(titles.map { try FeedItem(JSONReader(["id": .string($0), "title": .string($0)])) })
  }

  private static func list(_ items: [FeedItem]) throws(LoadFailure) -> KeyedSequence<Podcast> {
    var feed = PodcastFeed()
    for (number, item) in items.enumerated() {
      feed.put(Created(resource: item, number: number))
    }
    return try feed.list()
  }

  /// The rows of a state under both policies.
  static func states() throws -> [(state: State, keeping: [Text], blank: [Text])] {
    let (loading, error): (Text, Text) = ("podcasts/loading", "podcasts/error")
    let old = try podcasts("old")
    return [
      (.notRequested, [], []),
      (.isLoading(previous: nil), [loading], [loading]),
      (.isLoading(previous: old), [loading, "podcast/old"], [loading]),
      (.isLoading(previous: []), [loading, "podcasts/empty"], [loading]),
      (.loaded(old), ["podcast/old"], ["podcast/old"]),
      (.loaded([]), ["podcasts/empty"], ["podcasts/empty"]),
      (.failed(.timedOut, previous: nil), [error], [error]),
      (.failed(.timedOut, previous: old), [error, "podcast/old"], [error]),
    ]
  }

  @Test("has exactly these rows in each state under both policies")
  func rows() throws {
    for (state, keeping, blank) in try Self.states() {
      for (policy, expected) in [(RefreshPolicy.keepPrevious, keeping), (.blank, blank)] {
        let snapshot = try Self.assemble(state, policy)
        #expect(snapshot.rowIDs == ["podcasts/header"] + expected)
        let name: Text = policy == .blank ? "blank" : "keepPrevious"
        #expect(snapshot.states == ["podcasts": Text(state.stateName), "refreshPolicy": name])
      }
    }
  }

  @Test("is what the state machine of the screen says, beside that of the policy")
  func machine() throws {
    let registry = ScreenRegistry(.still(), of: try Self.screen())
    let machines = try #require(registry.stateMachines(of: "podcasts"))
    try #require(machines.map(\.name) == ["podcasts", "refreshPolicy"])
    let list = machines[0]
    #expect(list.states == ["notRequested", "isLoading", "loaded", "failed"])
    #expect(Set(list.transitions.map { [$0.from, $0.event] }).count == 24)
    #expect(machines[1].states == ["keepPrevious", "blank"])
    #expect(machines[1].transitions.count == 4)
  }

  @Test("has a row for each podcast with what its feed has, and nothing else")
  func fields() throws {
    let full = try FeedItem(
      JSONReader([
        "id": 1, "title": "T", "author": "A", "artworkURL": "https://example.com/a.png",
        "latestEpisode": ["title": "E", "date": "2026-01-01T12:00:00+02:00"],
      ]))
    let bare = try FeedItem(JSONReader(["id": 2, "title": "T", "latestEpisode": ["title": "E"]]))
    let snapshot = try Self.assemble(.loaded(Self.list([bare, full])), .blank)
    #expect(
      snapshot.sections.flatMap { $0.rows.map(\.description) } == [
        #"{"action":{"command":{"policy":"keepPrevious","type":"setRefreshPolicy"},"title":"Keep rows on refresh"},"id":"podcasts/header","listener":"ada","refreshPolicy":"blank","refreshPolicyText":"Disappears while it is refreshed","text":"Podcasts","type":"podcastsHeader"}"#,
        #"{"artworkURL":"https://example.com/a.png","author":"A","id":"podcast/1","latestEpisode":{"date":"2026-01-01T10:00:00Z","dateText":"1 January 2026","title":"E"},"title":"T","type":"podcast"}"#,
        #"{"id":"podcast/2","latestEpisode":{"title":"E"},"title":"T","type":"podcast"}"#,
      ])
  }

  @Test(
    "has no row for what is broken: the whole feed is malformed",
    arguments: [
      [:], ["title": ""], ["title": "\n "],
      ["title": "T", "latestEpisode": [:]],
      ["title": "T", "latestEpisode": ["title": "E", "date": "yesterday"]],
    ] as [[Text: JSONValue]])
  func malformed(members: [Text: JSONValue]) throws {
    let item = try FeedItem(JSONReader(.object(members)), assigned: ResourceID(1))
    let error = #expect(throws: LoadFailure.self) { try Self.list([item]) }
    #expect(error?.code == "malformed")
  }

  private static func listener() throws -> Listener {
    try Listener(JSONReader(["id": 1, "name": "ada"]))
  }

  private static func assemble(_ state: State, _ policy: RefreshPolicy) throws -> Snapshot {
    try screen().snapshot(
      of: PodcastsScreen.State(listener: listener(), podcasts: LoadState(state), policy: policy))
  }
}
