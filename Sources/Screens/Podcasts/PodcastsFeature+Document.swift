import CanonicalJSON
import ViewDeltaServer

extension PodcastsFeature {
  /// What the feature adds to the OpenAPI document.
  static let documents: [JSONValue] =
    [
      DemoDocument.shared, DemoDocument.podcasts, listeners.fragment,
      // A listener who has never followed anything has no list.
      podcasts.fragment.mergePatched(with: [
        "paths": [
          "/v1/listeners/{id}/podcasts": [
            "get": ["responses": ["404": ["$ref": "#/components/responses/FeedNotFound"]]]
          ]
        ]
      ]),
    ]

  private static let listener = ResourceDocument.Noun("listener", id: 1)

  private static let listeners = ResourceDocument(
    path: "/v1/listeners", [listener], tag: "Podcasts",
    of: Listener.self, example: ["id": 4, "name": "Dana"],
    change: ["name": "Dana M."], summaries: [.delete: "Delete a listener with the podcasts"],
    notes: [
      .list: "In the order in which they were written.",
      .create:
        "There is no feed before the first podcast: until then a load of the screen `podcasts` fails "
        + "as `missing`.\n\nThe store takes 10,000 listeners and 64 MiB of text.",
      .replace: "The screen of the listener shows a new name in the same step.",
      .delete: "The screen `podcasts` of the listener is gone with it.",
    ])

  private static let podcasts = ResourceDocument(
    path: "/v1/listeners/{id}/podcasts",
    [
      listener,
      ResourceDocument.Noun(
        "podcast", parameter: "podcastID", id: 3,
        missing: "The listener follows no podcast of this id."),
    ], tag: "Podcasts", schema: OpenAPIDocument.reference("Podcast"),
    input: OpenAPIDocument.reference("PodcastInput"),
    example: [
      "id": 3, "title": "Salt and Smoke", "author": "Marta Silva",
      "latestEpisode": ["title": "Cod, eleven ways", "date": "2026-03-05T11:00:00Z"],
    ],
    change: ["title": "Salt, Smoke, Time"],
    summaries: [
      .list: "The podcasts that a listener follows", .create: "Follow a podcast",
      .get: "A podcast that a listener follows", .delete: "Follow a podcast no longer",
    ],
    notes: [
      .list: "As their feeds have them, in the order in which they were written.",
      .create:
        "Ids of podcasts are unique among those of one listener.\n\nA feed is kept word for word. One "
        + "in which something cannot be shown (a podcast or episode without a title, a `date` that is "
        + "no ISO 8601 date, an `artworkURL` that starts with neither `https://` nor `http://`) makes "
        + "the next load of the screen fail as `malformed`; a screen that is loaded keeps what it "
        + "shows until then.\n\nA listener follows at most 1,000 podcasts.",
      .delete: "Its id may be used again.",
    ])
}
