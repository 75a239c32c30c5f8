import CanonicalJSON
import Snapshots
import TestSupport

@testable import Screens
@testable import ViewState

extension SeededGenerator {
  mutating func id() -> ResourceID {
    pick([ResourceID(number(in: 0...9)), "1", "7", "007", "a b", "é", "e\u{301}"])
  }

  mutating func ids() -> [ResourceID] { list { $0.id() } }

  mutating func shownText() -> Text { "t\(text())" }

  mutating func moment() -> Timestamp {
    pick([
      Timestamp(secondsSince1970: number(in: 0...2_000_000_000)),
      Timestamp(secondsSince1970: number(in: -62_167_219_200...253_402_300_799)),
    ])
  }

  mutating func token() -> LoadToken { LoadToken(ordinal: number(in: 0...5)) }

  mutating func failure() -> LoadFailure {
    pick([.cancelled, .timedOut, LoadFailure(code: text(), message: text().string)])
  }

  mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
    chance(0.5) ? make(&self) : nil
  }

  mutating func list<Value>(_ make: (inout SeededGenerator) -> Value) -> [Value] {
    (0..<number(in: 0...3)).map { _ in make(&self) }
  }

  mutating func user() -> User {
    User(
      id: id(), username: text(), email: maybe { $0.text() }, website: maybe { $0.text() },
      city: maybe { $0.text() }, avatarURL: maybe { $0.address() },
      friendsCount: maybe { $0.number(in: 0...5) })
  }

  mutating func post() -> Post {
    Post(id: id(), userID: id(), title: text(), body: text(), date: maybe { $0.moment() })
  }

  /// An address, or a path, of which some characters are not ASCII.
  mutating func address() -> Text {
    let start = pick(["/", "https://a.b/", "HTTP://[::1]:8080/x?"])
    return "\(start)\(pick(["", "a%20b", "ä", "e\u{301}", "字#"]))"
  }

  mutating func feedItem() -> FeedItem {
    FeedItem(
      id: id(), title: maybe { $0.text() }, author: maybe { $0.text() },
      artworkURL: maybe { $0.address() }, podcastURL: maybe { $0.address() },
      feedURL: maybe { "https://a.b/\($0.number(in: 0...9))" },
      latestEpisode: maybe { random in
        FeedEpisode(
          title: random.maybe { $0.text() },
          date: random.maybe { $0.chance(0.8) ? Text($0.moment().description) : $0.text() })
      })
  }

  mutating func loadedChannel() -> LoadedChannel {
    var channel = Channel()
    channel.setTitle(text().string)
    if chance(0.5) { channel.setAuthor(text().string) }
    channel.setArtwork(address().string)
    channel.setPage(address().string)
    if chance(0.5) { channel.add(text().string, maybe { $0.moment() }) }
    return LoadedChannel(address: address(), channel: channel)
  }

  mutating func podcasts() -> [Podcast] {
    list { ($0.feedItem(), $0.maybe { $0.loadedChannel() }) }
      .compactMap { try? Podcast($0, loaded: $1) }
  }

  mutating func company() -> Company {
    let numbers: [Text] = ["DE136695976", "DE115235681", "DE999999995"]
    guard let number = try? TaxNumber(parsing: pick(numbers)) else { return company() }
    var company = Company(id: id())
    (company.taxNumber, company.name, company.city) = (number, shownText(), shownText())
    return company
  }

  mutating func entry() -> ActivityEntry {
    var entry = ActivityEntry(id: id())
    (entry.date, entry.text) = (moment(), shownText())
    entry.answers = maybe { .object(["a": $0.json()]) }
    return entry
  }

  mutating func placement() -> Placement { chance(0.5) ? .before(id()) : .after(id()) }

  mutating func player() -> Player {
    Player(id: id(), name: shownText(), score: number(in: -5...5))
  }

  mutating func scoreboard() -> Scoreboard {
    Scoreboard(id: id(), title: shownText(), players: KeyedSequence(list { $0.player() }))
  }

  mutating func scoreboardWrite() -> ScoreboardWrite {
    switch number(in: 0...7) {
    case 0: .board(.create(scoreboard().json, at: maybe { $0.placement() }))
    case 1: .board(.replace(scoreboard()))
    case 2: .board(.delete(id()))
    case 3: .board(.move(id(), placement()))
    case 4: .player(.create(player().json, at: maybe { $0.placement() }), of: id())
    case 5: .player(.replace(player()), of: id())
    case 6: .player(.delete(id()), of: id())
    default: .player(.move(id(), placement()), of: id())
    }
  }

  mutating func catalogOperation() -> CatalogOperation {
    switch number(in: 0...15) {
    case 0: .appendSections(list { $0.catalogSection() })
    case 1: .insertSections(list { $0.catalogSection() }, placement())
    case 2: .deleteSections(ids())
    case 3: .moveSection(id(), placement())
    case 4: .reloadSections(list { $0.catalogSection() })
    case 5: .appendItems(list { $0.catalogItem() }, to: maybe { $0.target() })
    case 6: .insertItems(list { $0.catalogItem() }, placement())
    case 7: .deleteItems(ids())
    case 8: .moveItem(id(), placement())
    case 9: .reloadItems(list { $0.catalogItem() })
    case 10: .reconfigureItems(list { $0.catalogPatch() })
    case 11: .expandItems(ids())
    case 12: .collapseItems(ids())
    case 14: .nameSection(id(), maybe { $0.shownText() })
    case 13: .appendItems(list { $0.catalogItem() }, to: .item(id()))
    default: .deleteAllItems
    }
  }

  private mutating func catalogSection() -> CatalogSection {
    var section = CatalogSection(id: id(), items: list { $0.catalogItem() })
    section.title = maybe { $0.shownText() }
    return section
  }

  private mutating func target() -> CatalogTarget {
    chance(0.5) ? .item(id()) : .section(id())
  }

  private mutating func catalogItem() -> CatalogItem {
    var item = CatalogItem(
      id: id(), type: pick(CatalogItem.Kind.allCases), title: shownText(),
      detail: maybe { $0.shownText() }, badge: maybe { $0.shownText() })
    if chance(0.2) { (item.children, item.isExpanded) = ([catalogItem()], chance(0.5)) }
    return item
  }

  private mutating func catalogPatch() -> CatalogItemPatch {
    var patch = catalogItem().json.mergePatched(with: ["children": nil, "isExpanded": nil])
    for member: Text in ["type", "title", "detail", "badge"] where chance(0.5) {
      patch = patch.mergePatched(with: .object([member: .null]))
    }
    if chance(0.3), let json = try? JSONReader(patch).object() {
      patch = .object(json.merging(["badge": .null]) { $1 })
    }
    guard let patch = try? CatalogItemPatch(JSONReader(patch)) else { return catalogPatch() }
    return patch
  }

  private mutating func outcome() -> FaultScript.Outcome {
    pick([.succeed, .fail, .hang, .late, .failure(code: "fog", message: text())])
  }

  mutating func faultScript() -> FaultScript {
    FaultScript(
      latency: maybe { .milliseconds($0.number(in: 0...600_000)) },
      outcomes: list { $0.outcome() }, then: outcome())
  }

  /// One thing that can happen to what is loaded, most of it at the right time.
  mutating func loadAction<Value>(
    _ state: LoadState<Value>, _ value: Value
  ) -> LoadAction<Value> {
    let token = chance(0.8) ? state.token : token()
    return switch number(in: 0...5) {
    case 0, 1: .load
    case 2: .loaded(value, token)
    case 3: .failed(failure(), token)
    case 4: .cancel
    default: .changed(value)
    }
  }
}
