import CanonicalJSON
import Snapshots
import ViewState

/// Examples for the whole API, made of the profile screen.
extension ProfileFeature {
  /// Returns fragments of the OpenAPI document: the screen in its states, and the documents of each change.
  static func examples(of screen: ProfileScreen, _ user: User, _ post: Post) throws -> [JSONValue] {
    typealias Posts = KeyedSequence<Post>
    func snapshot(_ profile: Loadable<User>, _ posts: Loadable<Posts>) throws -> Snapshot {
      var state = ProfileScreen.State()
      (state.profile, state.posts) = (LoadState(profile), LoadState(posts))
      return try screen.snapshot(of: state)
    }
    let initial = try snapshot(.notRequested, .notRequested)
    let loading = try snapshot(.isLoading(previous: nil), .isLoading(previous: nil))
    let loaded = try snapshot(.loaded(user), .loaded([post]))
    let failed = try snapshot(.failed(.unavailable, previous: nil), .loaded([post]))
    let examples: [Text: JSONValue] = [
      "InitialProfile": [
        "summary": "Nothing was loaded yet", "value": try document(initial, "ORTgGo77.0"),
      ],
      "LoadingProfile": [
        "summary": "Both halves are being loaded for the first time",
        "value": try document(loading, "ORTgGo77.2"),
      ],
      "LoadedProfile": [
        "summary": "Both halves are loaded; this user has no city and one post",
        "value": try document(loaded, "ORTgGo77.4"),
      ],
      "FailedProfile": [
        "summary": "The profile failed, the posts are there",
        "value": try document(failed, "ORTgGo77.4"),
      ],
      "ProfileDiff": [
        "summary": "Both loads have ended",
        "value": try diff(loading, "ORTgGo77.2", loaded, "ORTgGo77.4"),
      ],
      "ProfileReset": [
        "summary": "The server was restarted",
        "value": try document(loaded, "ORTgGo77.4", .reset(reason: "epoch-changed")),
      ],
      "AppearReply": [
        "summary": "`appear`, with `since`",
        "value": [
          "accepted": true, "revision": "ORTgGo77.2",
          "diff": try diff(initial, "ORTgGo77.0", loading, "ORTgGo77.2"),
        ],
      ],
      "DigestOfInitialProfile": [
        "summary": "Test vector: the initial profile screen",
        "value": try document(initial, "").mergePatched(with: [
          "have": .string(Text(ContentHash(of: initial).description)), "kind": nil,
          "revision": nil, "rowCount": nil, "screen": nil,
        ]),
      ],
    ]
    let profileLoaded = try snapshot(.loaded(user), .isLoading(previous: nil))
    func revision(
      _ number: Int, _ second: Int, _ cause: JSONValue, _ snapshot: Snapshot,
      from before: (number: Int, snapshot: Snapshot)? = nil
    ) throws -> JSONValue {
      let name: Text = "ORTgGo77.\(number)"
      let changes = before.map { snapshot.difference(from: $0.snapshot) }
      let bytes = try before.map {
        try diff($0.snapshot, "ORTgGo77.\($0.number)", snapshot, name).canonicalBytes().count
      }
      return [
        "revision": .string(name), "at": .string("2026-03-09T08:00:0\(second)Z"), "cause": cause,
        "operations": .integer(changes?.operationCount ?? 0), "bytes": .integer(bytes ?? 0),
      ]
    }
    func result(_ source: Text) -> JSONValue {
      ["kind": "loadResult", "outcome": "loaded", "source": .string(source)]
    }
    let revisions = [
      try revision(0, 0, ["kind": "start"], initial),
      try revision(2, 7, ["kind": "command", "type": "appear"], loading, from: (0, initial)),
      try revision(3, 8, result("profile"), profileLoaded, from: (2, loading)),
      try revision(4, 8, result("posts"), loaded, from: (3, profileLoaded)),
    ]
    let event = try diff(initial, "ORTgGo77.0", loading, "ORTgGo77.2").description
    let events: JSONValue = [
      "loading": ["value": .string(Text("retry: 1000\nid: ORTgGo77.2\ndata: \(event)\n\n"))]
    ]
    return [
      description,
      [
        "components": [
          "schemas": [
            "ProfileErrorRow": ["examples": [try row("profile/error", of: failed)]]
          ], "examples": .object(examples),
        ]
      ],
    ] + Self.examples(of: screen, revisions, events)
  }

  private static func document(
    _ snapshot: Snapshot, _ revision: Text, _ kind: Snapshot.DocumentKind = .snapshot
  ) throws -> JSONValue {
    try JSONValue(parsing: snapshot.encoded(kind: kind, screen: "profile/4", revision: revision))
  }

  private static func diff(
    _ old: Snapshot, _ from: Text, _ new: Snapshot, _ revision: Text
  ) throws -> JSONValue {
    let changes = new.difference(from: old)
    return try JSONValue(
      parsing: changes.encoded(screen: "profile/4", from: from, revision: revision))
  }

  private static func row(_ id: Text, of snapshot: Snapshot) throws -> JSONValue {
    guard let path = snapshot.path(ofRow: id) else { return [:] }
    return try JSONValue(parsing: snapshot[path].encoded)
  }

  /// Describes examples of requests and replies of other endpoints.
  ///
  /// - Parameter revisions: The entries of the list of revisions.
  private static func examples(
    of screen: ProfileScreen, _ revisions: [JSONValue], _ events: JSONValue
  ) -> [JSONValue] {
    let view = "/v1/view-models/{screen}/{key}"
    return [
      reply(
        to: "get", "/v1/view-models", "200",
        ["profile": ["value": ["screens": [description(of: screen)]]]]),
      reply(
        to: "get", view, "200",
        references([
          "initial": "InitialProfile", "loading": "LoadingProfile", "loaded": "LoadedProfile",
          "failed": "FailedProfile",
        ])),
      reply(
        to: "get", view + "/diff", "200",
        references(["diff": "ProfileDiff", "snapshot": "LoadedProfile", "reset": "ProfileReset"])),
      request(
        view + "/commands",
        [
          "appear": ["value": appear],
          "retry": [
            "summary": "What an error row's action carries", "value": ["type": "loadProfile"],
          ],
        ]),
      reply(to: "post", view + "/commands", "202", references(["appear": "AppearReply"])),
      reply(
        to: "get", view + "/revisions", "200",
        ["loading": ["value": ["screen": "profile/4", "revisions": .array(revisions)]]]),
      reply(to: "get", view + "/events", "200", events, as: "text/event-stream"),
      request(
        "/v1/sync",
        [
          "two": [
            "value": [
              "screens": ["profile/1": ["since": "ORTgGo77.4"], "profile/4": [:]], "wait": 20,
            ]
          ]
        ]),
    ]
  }

  private static let appear: JSONValue = ["type": "appear"]

  /// Describes the screen as the list of screens does, with two of its commands.
  private static func description(of screen: ProfileScreen) -> JSONValue {
    let screen = screen.descriptor
    let sources = JSONValue.array(screen.sources.map(JSONValue.string))
    return [
      "name": .string(screen.name), "summary": .string(screen.summary),
      "path": .string("/v1/view-models/\(screen.name)/{\(screen.keyName)}"), "sources": sources,
      "opening": screen.opening.map(JSONValue.string) ?? .null,
      "opens": .array(screen.opened.map(JSONValue.string)),
      "keys": ["collection": "/v1/users", "title": "username"],
      "faults": sources,
      "commands": .array(
        screen.commands.filter { ["appear", "loadProfile"].contains($0.type) }.map { command in
          [
            "type": .string(command.type), "summary": .string(command.summary),
            "schema": command.schema,
          ]
        }),
    ]
  }

  private static func references(_ examples: [Text: Text]) -> JSONValue {
    .object(examples.mapValues { ["$ref": .string("#/components/examples/\($0)")] })
  }

  private static func reply(
    to method: Text, _ path: String, _ status: Text, _ examples: JSONValue,
    as type: Text = "application/json"
  ) -> JSONValue {
    let reply: JSONValue = ["content": [type: ["examples": examples]]]
    return ["paths": [Text(path): [method: ["responses": [status: reply]]]]]
  }

  private static func request(_ path: String, _ examples: JSONValue) -> JSONValue {
    let body: JSONValue = ["content": ["application/json": ["examples": examples]]]
    return ["paths": [Text(path): ["post": ["requestBody": body]]]]
  }

  /// The description of the screen, and examples of parameters.
  private static let description: JSONValue = [
    "tags": [
      ["name": "Users", "description": .string(about)],
      ["name": "Posts", "description": "The posts of the users, in the same store."],
    ],
    "components": [
      "schemas": ["Command": ["examples": [appear]]],
      "parameters": [
        "screen": ["example": "profile"], "key": ["example": "4"], "source": ["example": "posts"],
        "faultKey": ["example": "4"],
      ],
    ],
  ]

  private static let about = """
    The store behind the profile screen. A write to what a screen shows as `loaded` changes the \
    screen in the same step; one that is not loaded, or still loading, sees it with its next \
    result.

    The screen `profile`:

    | state of `profile` | rows of the section `profile` |
    |---|---|
    | `notRequested`, `isLoading` | a `profileHeader` |
    | `loaded` | the `profileHeader`, and a `profileAttribute` for Location and Website, each only if the user has one |
    | `failed` | a `profileError` |

    | state of `posts` | rows of the section `posts`, after the `contentHeader`, which is always there |
    |---|---|
    | `notRequested` | none |
    | `isLoading` | a `contentLoading` |
    | `loaded` | a `post` for each, newest first, or a `contentEmpty` |
    | `failed` | a `contentError` |

    With `keep-previous` a refresh that is running or has failed leaves the old rows behind the \
    loading or error row: `contentLoading` or `contentError`, then the old posts; `profileError`, \
    then the old header and attributes. While the profile is loaded again, its header itself says \
    so.
    """
}
