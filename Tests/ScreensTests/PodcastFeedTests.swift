import CanonicalJSON
import TestSupport
import Testing
import ViewState

@testable import Screens

@Suite("The podcasts of a feed")
struct PodcastFeedTests {
  private static func item(_ id: Int, _ generator: inout SeededGenerator) -> FeedItem {
    var item = FeedItem(id: ResourceID(id))
    item.title = generator.chance(0.95) ? "T" : " "
    if generator.chance(0.8) { item.latestEpisode = FeedEpisode(title: "E") }
    if generator.chance(0.8) {
      item.latestEpisode?.date = "2026-01-0\(generator.number(in: 1...4))"
    }
    return item
  }

  @Test("stay in their order with every write, and fail as long as an item cannot be shown")
  func order() throws {
    try withSeeds(60) { generator in
      var feed = PodcastFeed()
      var model: [(item: FeedItem, number: Int)] = []
      for number in 0..<60 {
        let index = generator.number(in: 0...max(0, model.count - 1))
        switch generator.number(in: 0...3) {
        case 0 where !model.isEmpty:
          feed.remove(model.remove(at: index).item.id)
        case 1 where !model.isEmpty:
          let id = try #require(Int(model[index].item.id.text.string))
          model[index].item = Self.item(id, &generator)
          feed.put(Created(resource: model[index].item, number: model[index].number))
        default:
          let item = Self.item(number, &generator)
          model.append((item, number))
          feed.put(Created(resource: item, number: number))
        }
        // From the start, as if there had been no writes before.
        let podcasts = model.compactMap { try? Podcast($0.item, number: $0.number) }
        let dated = podcasts.filter { $0.latestEpisode?.date != nil }.enumerated()
          .sorted { left, right in
            guard let date = left.element.latestEpisode?.date,
              let other = right.element.latestEpisode?.date
            else { return false }
            return date == other ? left.offset < right.offset : date > other
          }
        let shown = dated.map(\.element) + podcasts.filter { $0.latestEpisode?.date == nil }
        let list = try? feed.list()
        try require(
          podcasts.count < model.count ? list == nil : list.map(Array.init) == shown,
          "the order is another one")
      }
    }
  }
}
