import CanonicalJSON

extension ProfileFeature {
  /// The screen, and examples of requests and replies of the whole API.
  static let examples = DemoData.value(
    #"""
    {
      "tags": [
        {
          "name": "Users",
          "description": "The store behind the profile screen. A write to what a screen shows as `loaded` changes the screen in the same step; one that is not loaded, or still loading, sees it with its next result.\n\nThe screen `profile`:\n\n| state of `profile` | rows of the section `profile` |\n|---|---|\n| `notRequested`, `isLoading` | a `profileHeader` |\n| `loaded` | the `profileHeader`, and a `profileAttribute` for Location and Website, each only where the user has one |\n| `failed` | a `profileError` |\n\n| state of `posts` | rows of the section `posts`, behind the `contentHeader` that is always there |\n|---|---|\n| `notRequested` | none |\n| `isLoading` | a `contentLoading` |\n| `loaded` | a `post` for each, newest first, or a `contentEmpty` |\n| `failed` | a `contentError` |\n\nWith `keep-previous` a refresh that is running or has failed leaves the old rows behind the loading or error row: `contentLoading` or `contentError`, then the old posts; `profileError`, then the old header and attributes. While the profile is loaded again, its header itself says so."
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
        },
        "/v1/view-models/{screen}/{key}/events": {
          "get": {
            "responses": {
              "200": {
                "content": {
                  "text/event-stream": {
                    "examples": {
                      "loading": {
                        "value": "retry: 1000\nid: ORTgGo77.2\ndata: {\"digest\":\"2yc0jh9t1kd\",\"from\":\"ORTgGo77.0\",\"kind\":\"diff\",\"revision\":\"ORTgGo77.2\",\"rowCount\":3,\"rows\":{\"inserts\":[{\"at\":[1,1],\"row\":{\"id\":\"posts/loading\",\"type\":\"contentLoading\"}}],\"updates\":[{\"from\":[0,0],\"id\":\"profile/header\",\"set\":{\"friendsCount\":{\"isLoading\":true,\"text\":\"\"},\"username\":{\"isLoading\":true,\"text\":\"\"}},\"to\":[0,0]}]},\"screen\":\"profile/4\",\"states\":{\"posts\":\"isLoading\",\"profile\":\"isLoading\"}}\n\n"
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
        "schemas": {
          "ProfileErrorRow": {
            "examples": [
              {
                "id": "profile/error",
                "type": "profileError",
                "code": "unavailable",
                "text": "Couldn't load profile.",
                "action": {"title": "Retry", "command": {"type": "loadProfile"}}
              }
            ]
          },
          "Command": {"examples": [{"type": "appear"}]}
        },
        "examples": {
          "InitialProfile": {
            "summary": "Nothing was loaded yet",
            "value": {
              "kind": "snapshot",
              "screen": "profile/4",
              "revision": "ORTgGo77.0",
              "rowCount": 2,
              "digest": "7kric8zu06dm",
              "states": {"posts": "notRequested", "profile": "notRequested"},
              "sections": [
                {
                  "id": "profile",
                  "rows": [
                    {
                      "id": "profile/header",
                      "type": "profileHeader",
                      "friendsCount": {"isLoading": false, "text": ""},
                      "username": {"isLoading": false, "text": ""}
                    }
                  ]
                },
                {
                  "id": "posts",
                  "rows": [{"id": "posts/header", "type": "contentHeader", "text": "Posts"}]
                }
              ]
            }
          },
          "LoadingProfile": {
            "summary": "Both halves are being loaded for the first time",
            "value": {
              "kind": "snapshot",
              "screen": "profile/4",
              "revision": "ORTgGo77.2",
              "rowCount": 3,
              "digest": "2yc0jh9t1kd",
              "states": {"posts": "isLoading", "profile": "isLoading"},
              "sections": [
                {
                  "id": "profile",
                  "rows": [
                    {
                      "id": "profile/header",
                      "type": "profileHeader",
                      "friendsCount": {"isLoading": true, "text": ""},
                      "username": {"isLoading": true, "text": ""}
                    }
                  ]
                },
                {
                  "id": "posts",
                  "rows": [
                    {"id": "posts/header", "type": "contentHeader", "text": "Posts"},
                    {"id": "posts/loading", "type": "contentLoading"}
                  ]
                }
              ]
            }
          },
          "LoadedProfile": {
            "summary": "Both halves are loaded; this user has no city and one post",
            "value": {
              "kind": "snapshot",
              "screen": "profile/4",
              "revision": "ORTgGo77.4",
              "rowCount": 4,
              "digest": "7y4pq18edkb3",
              "states": {"posts": "loaded", "profile": "loaded"},
              "sections": [
                {
                  "id": "profile",
                  "rows": [
                    {
                      "id": "profile/header",
                      "type": "profileHeader",
                      "friendsCount": {"isLoading": false, "text": "0"},
                      "username": {"isLoading": false, "text": "dana"}
                    },
                    {
                      "id": "profile/website",
                      "type": "profileAttribute",
                      "name": "Website",
                      "value": "dana.example.net"
                    }
                  ]
                },
                {
                  "id": "posts",
                  "rows": [
                    {"id": "posts/header", "type": "contentHeader", "text": "Posts"},
                    {
                      "id": "post/11",
                      "type": "post",
                      "body": "Nobody follows me yet, so this is mostly for the search engine.",
                      "date": "2026-03-03T13:30:00Z",
                      "title": "First post"
                    }
                  ]
                }
              ]
            }
          },
          "FailedProfile": {
            "summary": "The profile failed, the posts are there",
            "value": {
              "kind": "snapshot",
              "screen": "profile/2",
              "revision": "1noktaaQ.4",
              "rowCount": 5,
              "digest": "3zzbp7aykb60",
              "states": {"posts": "loaded", "profile": "failed"},
              "sections": [
                {
                  "id": "profile",
                  "rows": [
                    {
                      "id": "profile/error",
                      "type": "profileError",
                      "action": {"command": {"type": "loadProfile"}, "title": "Retry"},
                      "code": "unavailable",
                      "text": "Couldn't load profile."
                    }
                  ]
                },
                {
                  "id": "posts",
                  "rows": [
                    {"id": "posts/header", "type": "contentHeader", "text": "Posts"},
                    {
                      "id": "post/6",
                      "type": "post",
                      "body": "Ask again, but not at once, and not for ever.",
                      "date": "2026-03-02T19:05:00Z",
                      "title": "On retries"
                    },
                    {
                      "id": "post/5",
                      "type": "post",
                      "body": "The oven does not know about weekends.",
                      "date": "2026-02-14T06:45:00Z",
                      "title": "Bread at five"
                    },
                    {
                      "id": "post/4",
                      "type": "post",
                      "body": "Six of them between here and the sea, and each was once the new one that nobody trusted.",
                      "date": "2026-01-20T12:00:00Z",
                      "title": "Bridges"
                    }
                  ]
                }
              ]
            }
          },
          "ProfileDiff": {
            "summary": "Both loads have ended",
            "value": {
              "kind": "diff",
              "screen": "profile/4",
              "from": "ORTgGo77.2",
              "revision": "ORTgGo77.4",
              "rowCount": 4,
              "digest": "7y4pq18edkb3",
              "states": {"posts": "loaded", "profile": "loaded"},
              "rows": {
                "deletes": [{"at": [1, 1], "id": "posts/loading"}],
                "inserts": [
                  {
                    "at": [0, 1],
                    "row": {
                      "id": "profile/website",
                      "type": "profileAttribute",
                      "name": "Website",
                      "value": "dana.example.net"
                    }
                  },
                  {
                    "at": [1, 1],
                    "row": {
                      "id": "post/11",
                      "type": "post",
                      "body": "Nobody follows me yet, so this is mostly for the search engine.",
                      "date": "2026-03-03T13:30:00Z",
                      "title": "First post"
                    }
                  }
                ],
                "updates": [
                  {
                    "from": [0, 0],
                    "id": "profile/header",
                    "set": {
                      "friendsCount": {"isLoading": false, "text": "0"},
                      "username": {"isLoading": false, "text": "dana"}
                    },
                    "to": [0, 0]
                  }
                ]
              }
            }
          },
          "ProfileReset": {
            "summary": "The server was started anew",
            "value": {
              "kind": "reset",
              "reason": "epoch-changed",
              "screen": "profile/4",
              "revision": "ORTgGo77.4",
              "rowCount": 4,
              "digest": "7y4pq18edkb3",
              "states": {"posts": "loaded", "profile": "loaded"},
              "sections": [
                {
                  "id": "profile",
                  "rows": [
                    {
                      "id": "profile/header",
                      "type": "profileHeader",
                      "friendsCount": {"isLoading": false, "text": "0"},
                      "username": {"isLoading": false, "text": "dana"}
                    },
                    {
                      "id": "profile/website",
                      "type": "profileAttribute",
                      "name": "Website",
                      "value": "dana.example.net"
                    }
                  ]
                },
                {
                  "id": "posts",
                  "rows": [
                    {"id": "posts/header", "type": "contentHeader", "text": "Posts"},
                    {
                      "id": "post/11",
                      "type": "post",
                      "body": "Nobody follows me yet, so this is mostly for the search engine.",
                      "date": "2026-03-03T13:30:00Z",
                      "title": "First post"
                    }
                  ]
                }
              ]
            }
          },
          "AppearReply": {
            "summary": "`appear`, with `since`",
            "value": {
              "accepted": true,
              "revision": "ORTgGo77.2",
              "diff": {
                "kind": "diff",
                "screen": "profile/4",
                "from": "ORTgGo77.0",
                "revision": "ORTgGo77.2",
                "rowCount": 3,
                "digest": "2yc0jh9t1kd",
                "states": {"posts": "isLoading", "profile": "isLoading"},
                "rows": {
                  "inserts": [
                    {"at": [1, 1], "row": {"id": "posts/loading", "type": "contentLoading"}}
                  ],
                  "updates": [
                    {
                      "id": "profile/header",
                      "from": [0, 0],
                      "to": [0, 0],
                      "set": {
                        "friendsCount": {"isLoading": true, "text": ""},
                        "username": {"isLoading": true, "text": ""}
                      }
                    }
                  ]
                }
              }
            }
          },
          "DigestOfInitialProfile": {
            "summary": "Test vector: the initial profile screen",
            "value": {
              "digest": "7kric8zu06dm",
              "have": "2thOAn6wqTPdXmZ0_CNMwWushURomEGtPramSoAW2Vw",
              "states": {"posts": "notRequested", "profile": "notRequested"},
              "sections": [
                {
                  "id": "profile",
                  "rows": [
                    {
                      "id": "profile/header",
                      "type": "profileHeader",
                      "friendsCount": {"isLoading": false, "text": ""},
                      "username": {"isLoading": false, "text": ""}
                    }
                  ]
                },
                {
                  "id": "posts",
                  "rows": [{"id": "posts/header", "type": "contentHeader", "text": "Posts"}]
                }
              ]
            }
          }
        },
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
