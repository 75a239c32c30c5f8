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

  mutating func podcastsEmpty() -> Row {
    row("podcasts/empty", for: true) { _ in
      Row(id: "podcasts/empty", type: "contentEmpty", fields: ["text": "No podcasts yet"])
    }
  }
}

extension Podcast {
  /// The podcast as a row.
  var row: Row {
    var fields: [Text: JSONValue] = ["title": .string(title)]
    fields["author"] = author.map(JSONValue.string)
    fields["artworkURL"] = artworkURL.map(JSONValue.string)
    fields["latestEpisode"] = latestEpisode.map { episode in
      var members: [Text: JSONValue] = ["title": .string(episode.title)]
      members["date"] = episode.date.map { .string($0.description) }
      return .object(members)
    }
    return Row(id: "podcast/\(id)", type: "podcast", fields: fields)
  }
}
