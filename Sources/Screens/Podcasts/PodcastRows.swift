import CanonicalJSON
import Snapshots
import ViewState

/// The rows of the podcasts screen, one function for each type but that of failures.
extension RowCache {
  /// Whose podcasts these are, and what stays while they are loaded again, which its action
  /// changes.
  mutating func podcastsHeader(_ header: PodcastsHeader) -> Row {
    row("podcasts/header", for: header) { header in
      Row(
        id: "podcasts/header", type: "podcastsHeader",
        fields: [
          "text": "Podcasts", "listener": .string(header.listener),
          "refreshPolicy": .string(header.policy.name),
          "action": RefreshPolicy.command.action(
            title: header.policy == .blank ? "Keep rows on refresh" : "Blank on refresh",
            arguments: ["policy": .string(header.policy.other.name)]),
        ])
    }
  }

  mutating func podcastsLoading() -> Row {
    row("podcasts/loading", for: true) { _ in Row(id: "podcasts/loading", type: "contentLoading") }
  }

  /// The podcasts, or one row that says that there are none.
  mutating func podcasts(_ podcasts: [Podcast]) -> [Row] {
    if podcasts.isEmpty {
      return [
        row("podcasts/empty", for: true) { _ in
          Row(
            id: "podcasts/empty", type: "contentEmpty", fields: ["text": "No podcasts yet"])
        }
      ]
    }
    return podcasts.map { podcast($0) }
  }

  private mutating func podcast(_ podcast: Podcast) -> Row {
    let id: Text = "podcast/\(podcast.id)"
    return row(id, for: podcast) { podcast in
      var fields: [Text: JSONValue] = ["title": .string(podcast.title)]
      fields["author"] = podcast.author.map(JSONValue.string)
      fields["artworkURL"] = podcast.artworkURL.map(JSONValue.string)
      fields["latestEpisode"] = podcast.latestEpisode.map { episode in
        var members: [Text: JSONValue] = ["title": .string(episode.title)]
        members["date"] = episode.date.map { .string($0.description) }
        return .object(members)
      }
      return Row(id: id, type: "podcast", fields: fields)
    }
  }
}
