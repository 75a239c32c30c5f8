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
        "summary": "The server was started anew",
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
        ],
        "paths": [
          "/v1/view-models/{screen}/{key}/events": [
            "get": [
              "responses": ["200": ["content": ["text/event-stream": ["examples": events]]]]
            ]
          ]
        ],
      ],
    ]
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

  /// The description of the screen, and examples of requests and replies of other endpoints.
  private static let description = DemoData.value(
    #"""
    {
      "tags": [
        {
          "name": "Users",
          "description": "The store behind the profile screen. A write to what a screen shows as `loaded` changes the screen in the same step; one that is not loaded, or still loading, sees it with its next result.\n\nThe screen `profile`:\n\n| state of `profile` | rows of the section `profile` |\n|---|---|\n| `notRequested`, `isLoading` | a `profileHeader` |\n| `loaded` | the `profileHeader`, and a `profileAttribute` for Location and Website, each only if the user has one |\n| `failed` | a `profileError` |\n\n| state of `posts` | rows of the section `posts`, after the `contentHeader`, which is always there |\n|---|---|\n| `notRequested` | none |\n| `isLoading` | a `contentLoading` |\n| `loaded` | a `post` for each, newest first, or a `contentEmpty` |\n| `failed` | a `contentError` |\n\nWith `keep-previous` a refresh that is running or has failed leaves the old rows behind the loading or error row: `contentLoading` or `contentError`, then the old posts; `profileError`, then the old header and attributes. While the profile is loaded again, its header itself says so."
        },
        {"name": "Posts", "description": "The posts of the users, in the same store."}
      ],
      "paths": {
        "/v1/view-models": {
          "get": {
            "responses": {
              "200": {
                "content": {
                  "application/json": {
                    "examples": {
                      "profile": {
                        "value": {
                          "screens": [
                            {
                              "name": "profile",
                              "summary": "A user's profile and posts, loaded from two independent sources.",
                              "path": "/v1/view-models/profile/{userID}",
                              "sources": ["posts", "profile"],
                              "opening": "appear",
                              "keys": {"collection": "/v1/users", "title": "username"},
                              "faults": ["posts", "profile"],
                              "commands": [
                                {
                                  "type": "appear",
                                  "summary": "The screen comes into view: loads the posts, then the profile, each time.",
                                  "schema": {
                                    "additionalProperties": false,
                                    "properties": {"type": {"const": "appear"}},
                                    "required": ["type"],
                                    "type": "object"
                                  }
                                },
                                {
                                  "type": "loadProfile",
                                  "summary": "Loads the profile. Ignored while it is loading.",
                                  "schema": {
                                    "additionalProperties": false,
                                    "properties": {"type": {"const": "loadProfile"}},
                                    "required": ["type"],
                                    "type": "object"
                                  }
                                }
                              ]
                            }
                          ]
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        },
        "/v1/view-models/{screen}/{key}": {
          "get": {
            "responses": {
              "200": {
                "content": {
                  "application/json": {
                    "examples": {
                      "initial": {"$ref": "#/components/examples/InitialProfile"},
                      "loading": {"$ref": "#/components/examples/LoadingProfile"},
                      "loaded": {"$ref": "#/components/examples/LoadedProfile"},
                      "failed": {"$ref": "#/components/examples/FailedProfile"}
                    }
                  }
                }
              }
            }
          }
        },
        "/v1/view-models/{screen}/{key}/diff": {
          "get": {
            "responses": {
              "200": {
                "content": {
                  "application/json": {
                    "examples": {
                      "diff": {"$ref": "#/components/examples/ProfileDiff"},
                      "snapshot": {"$ref": "#/components/examples/LoadedProfile"},
                      "reset": {"$ref": "#/components/examples/ProfileReset"}
                    }
                  }
                }
              }
            }
          }
        },
        "/v1/view-models/{screen}/{key}/commands": {
          "post": {
            "requestBody": {
              "content": {
                "application/json": {
                  "examples": {
                    "appear": {"value": {"type": "appear"}},
                    "retry": {
                      "summary": "What an error row's action carries",
                      "value": {"type": "loadProfile"}
                    }
                  }
                }
              }
            },
            "responses": {
              "202": {
                "content": {
                  "application/json": {
                    "examples": {"appear": {"$ref": "#/components/examples/AppearReply"}}
                  }
                }
              }
            }
          }
        },
        "/v1/view-models/{screen}/{key}/revisions": {
          "get": {
            "responses": {
              "200": {
                "content": {
                  "application/json": {
                    "examples": {
                      "loading": {
                        "value": {
                          "screen": "profile/4",
                          "revisions": [
                            {
                              "revision": "ORTgGo77.0",
                              "at": "2026-03-09T08:00:00Z",
                              "cause": {"kind": "start"},
                              "operations": 0,
                              "bytes": 0
                            },
                            {
                              "revision": "ORTgGo77.2",
                              "at": "2026-03-09T08:00:07Z",
                              "cause": {"kind": "command", "type": "appear"},
                              "operations": 2,
                              "bytes": 408
                            },
                            {
                              "revision": "ORTgGo77.3",
                              "at": "2026-03-09T08:00:08Z",
                              "cause": {
                                "kind": "loadResult",
                                "outcome": "loaded",
                                "source": "profile"
                              },
                              "operations": 2,
                              "bytes": 441
                            },
                            {
                              "revision": "ORTgGo77.4",
                              "at": "2026-03-09T08:00:08Z",
                              "cause": {
                                "kind": "loadResult",
                                "outcome": "loaded",
                                "source": "posts"
                              },
                              "operations": 2,
                              "bytes": 386
                            }
                          ]
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        },
        "/v1/sync": {
          "post": {
            "requestBody": {
              "content": {
                "application/json": {
                  "examples": {
                    "two": {
                      "value": {
                        "screens": {"profile/1": {"since": "ORTgGo77.4"}, "profile/4": {}},
                        "wait": 20
                      }
                    }
                  }
                }
              }
            }
          }
        }
      },
      "components": {
        "schemas": {"Command": {"examples": [{"type": "appear"}]}},
        "parameters": {
          "screen": {"example": "profile"},
          "key": {"example": "4"},
          "source": {"example": "posts"},
          "faultKey": {"example": "4"}
        }
      }
    }
    """#)
}
