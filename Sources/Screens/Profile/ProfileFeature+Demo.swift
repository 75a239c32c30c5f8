import CanonicalJSON
public import ViewState

extension ProfileData {
  /// Returns the users and posts that a server without a data file starts with.
  public static func demo() -> ProfileData {
    DemoData.read(
      #"""
      {
        "users": [
          {"id": 1, "username": "ada", "email": "ada@example.com", "website": "ada.example.com", "address": {"city": "Lagos"}, "avatarURL": "/pictures/ada.svg", "friendsCount": 42},
          {"id": 2, "username": "bruno", "email": "bruno@example.com", "website": "bruno.example.org", "address": {"city": "Porto"}, "avatarURL": "/pictures/bruno.svg", "friendsCount": 7},
          {"id": 3, "username": "chiyo", "address": {"city": "Kyoto"}, "avatarURL": "/pictures/chiyo.svg", "friendsCount": 128},
          {"id": 4, "username": "dana", "website": "dana.example.net", "friendsCount": 0},
          {"id": 5, "username": "eero", "address": {"city": "Tampere"}, "website": "eero.example.com", "friendsCount": 19},
          {"id": 6, "username": "fatima"}
        ],
        "posts": [
          {"id": 1, "userId": 1, "date": "2026-02-03T08:15:00Z", "title": "A list is a conversation", "body": "Rows come, rows go, and the reader keeps a finger on the one that matters. Move only what moved."},
          {"id": 2, "userId": 1, "date": "2026-02-11T17:40:00Z", "title": "Names before places", "body": "A position says where a thing is today. An identity says which thing it is tomorrow."},
          {"id": 3, "userId": 1, "date": "2026-03-01T09:30:00Z", "title": "Loading is a state", "body": "Not a flag beside three others that can disagree with it. One value, four cases, nothing left to contradict."},
          {"id": 4, "userId": 2, "date": "2026-01-20T12:00:00Z", "title": "Bridges", "body": "Six of them between here and the sea, and each was once the new one that nobody trusted."},
          {"id": 5, "userId": 2, "date": "2026-02-14T06:45:00Z", "title": "Bread at five", "body": "The oven does not know about weekends."},
          {"id": 6, "userId": 2, "date": "2026-03-02T19:05:00Z", "title": "On retries", "body": "Ask again, but not at once, and not for ever."},
          {"id": 7, "userId": 3, "date": "2026-02-20T22:10:00Z", "title": "Rain on moss", "body": "The garden is loudest when nobody walks in it."},
          {"id": 8, "userId": 3, "date": "2026-02-27T07:00:00Z", "title": "Folding paper", "body": "Every crease is a decision you can see afterwards."},
          {"id": 9, "userId": 3, "date": "2026-03-04T11:20:00Z", "title": "The slow train", "body": "It stops everywhere, and so it is the one that shows you the country."},
          {"id": 10, "userId": 3, "date": "2026-03-05T15:55:00Z", "title": "Two kinds of empty", "body": "A list that has nothing in it, and a list that has not been asked. They must not look the same."},
          {"id": 11, "userId": 4, "date": "2026-03-03T13:30:00Z", "title": "First post", "body": "Nobody follows me yet, so this is mostly for the search engine."},
          {"id": 12, "userId": 5, "date": "2026-01-08T10:00:00Z", "title": "Ice on the lake", "body": "Thick enough since Tuesday, says the neighbour, who says so every year."},
          {"id": 13, "userId": 5, "date": "2026-02-01T16:25:00Z", "title": "Notes on a sauna stove", "body": "Stones first, then patience, then water."},
          {"id": 14, "userId": 5, "date": "2026-03-06T09:00:00Z", "title": "What the diff said", "body": "Three rows in, one row out, nothing else touched. The best message of the day."}
        ]
      }
      """#
    ) { file throws(JSONShapeError) in try ProfileData(reading: file) }
  }
}
