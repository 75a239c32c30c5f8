import CanonicalJSON
import ViewDeltaServer
import ViewState

extension PodcastsFeature {
  /// Returns the fragments of the OpenAPI document.
  static func documents(of rows: PodcastsScreen.Rows) -> [JSONValue] {
    let header = PodcastsScreen.Header(listener: "Ada", policy: .keepPrevious)
    return [
      document, listeners.fragment,
      // A listener who has never followed anything has no list.
      podcasts.fragment.mergePatched(with: [
        "paths": [
          "/v1/listeners/{id}/podcasts": [
            "get": ["responses": ["404": ["$ref": "#/components/responses/FeedNotFound"]]]
          ]
        ]
      ]),
      DemoDocument.examples(
        [rows.header.row("podcasts/header", header)]
          + ((try? Podcast(podcast)).map { [rows.podcast.row("podcast/3", $0)] } ?? [])),
    ]
  }

  private static let limits = FeedItem.limits

  private static let listener = ResourceDocument.Noun("listener", id: 1)

  private static let listeners = ResourceDocument(
    path: "/v1/listeners", [listener], tag: "Podcasts",
    of: Listener.self, example: ["id": 4, "name": "Dana"],
    change: ["name": "Dana M."], summaries: [.delete: "Delete a listener with the podcasts"],
    notes: [
      .list: "In the order in which they were written.",
      .create:
        "There is no feed before the first podcast: until then a load of the screen `podcasts` fails "
        + "as `missing`.\n\nThe store takes \(limits.count.grouped) listeners and "
        + "\(limits.byteCount.size) of text.",
      .replace: "The screen of the listener shows a new name in the same step.",
      .delete: "The screen `podcasts` of the listener is gone with it.",
    ])

  private static let podcast = FeedItem(
    id: ResourceID(3), title: "Salt and Smoke", author: "Marta Silva",
    latestEpisode: FeedEpisode(title: "Cod, eleven ways", date: "2026-03-05T11:00:00Z"))

  private static let podcasts = ResourceDocument(
    path: "/v1/listeners/{id}/podcasts",
    [
      listener,
      ResourceDocument.Noun(
        "podcast", parameter: "podcastID", id: 3,
        missing: FeedItem.missingChild),
    ], tag: "Podcasts", of: FeedItem.self, example: podcast.json,
    change: ["title": "Salt, Smoke, Time"],
    summaries: [
      .list: "The podcasts that a listener follows", .create: "Follow a podcast",
      .get: "A podcast that a listener follows", .delete: "Follow a podcast no longer",
    ],
    notes: [
      .list: "In the order in which they were written.",
      .create:
        "Ids of podcasts are unique among those of one listener.\n\nTexts are kept word for word. "
        + "If something cannot be shown (a podcast or episode without a title, a `date` that is "
        + "no ISO 8601 date), the next load of the screen fails as `malformed`; a screen that is "
        + "loaded keeps what it shows until then.\n\nWith a `feedURL` each load of the screen takes "
        + "what the other members do not have from that address: an RSS 2.0 feed, or a JSON feed "
        + "(jsonfeed.org, 1.1), in UTF-8. The server loads from the hosts alone that its operator has "
        + "named, also after redirects. The load fails with the first feed that fails. Until a load, a "
        + "new podcast with a feed is shown if it has a title of its own.\n\nA listener follows at most \(limits.childCount.grouped) podcasts, "
        + "and all listeners together \(limits.totalChildCount.grouped).",
      .delete: "Its id may be used again.",
    ])

  /// The screen, and the reply for a listener without a feed.
  private static var document: JSONValue {
    guard let feed = FeedItem.missingList?.problem else { return [:] }
    let missing = ResourceDocument.reply(
      "`unknown-listener`, or `missing-feed` if the listener has not followed anything yet.",
      of: [
        (MissingElement("listener").problem, "/v1/listeners/99"),
        (feed, "/v1/listeners/4/podcasts"),
      ])
    return ResourceDocument.conditions(of: [feed]).mergePatched(with: [
      "tags": [["name": "Podcasts", "description": .string(about)]],
      "components": ["responses": ["FeedNotFound": missing]],
    ])
  }

  private static let about = """
    The listeners, and the podcasts that they follow: the store behind the screen `podcasts`. A write to \
    podcasts that are shown, also while they are loaded again or after that has failed, changes the screen \
    in the same step.

    The screen `podcasts` has a `podcastsHeader`, and after it, depending on the state: nothing, a \
    `contentLoading`, a `podcast` for each (the newest latest episode first) or a `contentEmpty`, a \
    `contentError`. Its header says which refresh policy it has, and the command `setRefreshPolicy` \
    changes it.
    """
}
