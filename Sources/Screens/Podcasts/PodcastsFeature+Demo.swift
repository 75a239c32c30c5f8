import CanonicalJSON
public import ViewState

extension PodcastData {
  /// Returns the listeners that a server without a data file starts with: two with podcasts, one with an
  /// empty feed, one without a feed, and one with a feed that cannot be shown.
  public static func demo() -> PodcastData {
    DemoData.read(
      #"""
      {
        "listeners": [
          {"id": 1, "name": "Ada", "podcasts": [
            {"id": 1, "title": "Small Diffs", "author": "Noor Haddad", "artworkURL": "/pictures/small-diffs.svg", "podcastURL": "https://example.com/podcasts/small-diffs", "latestEpisode": {"title": "The row that did not move", "date": "2026-03-04T06:00:00Z"}},
            {"id": 2, "title": "Night Trains", "author": "Jonas Weber", "artworkURL": "/pictures/night-trains.svg", "podcastURL": "https://example.com/podcasts/night-trains", "latestEpisode": {"title": "Asleep across three borders", "date": "2026-02-26T21:30:00Z"}},
            {"id": 3, "title": "Salt and Smoke", "author": "Marta Silva", "latestEpisode": {"title": "Cod, eleven ways", "date": "2026-03-05T11:00:00Z"}},
            {"id": 4, "title": "Coming Soon", "author": "Ife Okafor"}
          ]},
          {"id": 2, "name": "Bruno", "podcasts": [
            {"id": 5, "title": "Bridges of the World", "author": "Rui Costa", "artworkURL": "/pictures/bridges.svg", "podcastURL": "https://example.com/podcasts/bridges", "latestEpisode": {"title": "Stone, iron, rope", "date": "2026-03-01T08:15:00Z"}},
            {"id": 1, "title": "Small Diffs", "author": "Noor Haddad", "artworkURL": "/pictures/small-diffs.svg", "podcastURL": "https://example.com/podcasts/small-diffs", "latestEpisode": {"title": "The row that did not move", "date": "2026-03-04T06:00:00Z"}}
          ]},
          {"id": 3, "name": "Chiyo", "podcasts": []},
          {"id": 4, "name": "Dana"},
          {"id": 5, "name": "Eero", "podcasts": [
            {"id": 6, "title": "Ice Reports", "author": "Aino Laine", "latestEpisode": {"title": "Thick enough", "date": "2026-02-12T05:00:00Z"}},
            {"id": 7, "title": "Sauna Hour", "author": "Aino Laine", "latestEpisode": {"title": "Stones first", "date": "last Thursday"}}
          ]}
        ]
      }
      """#
    ) { file throws(JSONShapeError) in try PodcastData(reading: file) }
  }
}
