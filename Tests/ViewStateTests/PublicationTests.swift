import CanonicalJSON
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewState

@Suite("The list of those who watch an instance")
struct PublicationTests {
  private static let history = RevisionLogTests()

  static func token(_ number: Int) -> RevisionToken { history.token(number) }

  static func revision(_ number: Int) throws -> Revision { try history.revision(number) }

  static func publication() throws -> Publication {
    Publication(log: RevisionLog(first: try revision(0)))
  }

  /// Who was woken, in this order.
  final class Woken: Sendable {
    private let numbers = Mutex<[Int]>([])

    func watcher(_ number: Int) -> ClosureWatcher {
      ClosureWatcher { self.numbers.withLock { $0.append(number) } }
    }

    var all: [Int] { numbers.withLock { $0 } }
  }

  @Test("is handed out by a change, once, in the order in which they came")
  func change() throws {
    var publication = try Self.publication()
    let woken = Woken()
    for number in 0..<100 {
      let place = publication.watch(after: Self.token(0), woken.watcher(number))
      #expect(place != nil)
    }
    let taken = publication.show(.content(try Self.revision(1)))
    let watchers = taken
    #expect(woken.all.isEmpty)
    for watcher in watchers { watcher.revisionPublished() }
    #expect(woken.all == Array(0..<100))
    let none = publication.show(.content(try Self.revision(2)))
    #expect(none.isEmpty)
  }

  @Test("takes nobody who does not know the current revision")
  func outdated() throws {
    var publication = try Self.publication()
    _ = publication.show(.content(try Self.revision(1)))
    let other = RevisionToken(epoch: Engine.still().epoch(of: "other/key"), number: 1)
    for token in [Self.token(0), other] {
      let place = publication.watch(after: token, ClosureWatcher())
      #expect(place == nil)
    }
    let place = publication.watch(after: Self.token(1), ClosureWatcher())
    #expect(place != nil)
  }

  @Test("is handed out by the repair of a view model, of those who know that it failed")
  func repair() throws {
    var publication = try Self.publication()
    let none = publication.watch(after: nil, ClosureWatcher())
    #expect(none == nil)
    let date = Timestamp(secondsSince1970: 0)
    _ = publication.show(.fault(.init(message: "", token: Self.token(0), date: date)))
    let place = publication.watch(after: nil, ClosureWatcher())
    #expect(place != nil)
    let woken = publication.show(.name(try Self.revision(1)))
    #expect(woken.count == 1)
    let late = publication.watch(after: nil, ClosureWatcher())
    #expect(late == nil)
  }

  @Test("keeps all when the revision gets another name, and takes who knows any of its names")
  func renaming() throws {
    var publication = try Self.publication()
    _ = publication.watch(after: Self.token(0), ClosureWatcher())
    let woken = publication.show(
      .name(try Self.revision(0).renamed(Self.token(3))))
    #expect(woken.isEmpty)
    for number in [0, 3] {
      let place = publication.watch(after: Self.token(number), ClosureWatcher())
      #expect(place != nil)
    }
    let all = publication.show(.content(try Self.revision(4)))
    #expect(all.count == 3)
    let place = publication.watch(after: Self.token(3), ClosureWatcher())
    #expect(place == nil)
  }

  @Test("is handed out at the end, and takes nobody afterwards")
  func end() throws {
    var publication = try Self.publication()
    _ = publication.watch(after: Self.token(0), ClosureWatcher())
    let (first, second) = (publication.show(.removal), publication.show(.removal))
    #expect(first.count == 1 && second.isEmpty)
    let place = publication.watch(after: Self.token(0), ClosureWatcher())
    #expect(place == nil)
  }

  @Test("loses nobody and wakes nobody twice, whatever comes")
  func model() throws {
    try withSeeds(50) { generator in
      var publication = try Self.publication()
      let woken = Woken()
      var (current, number) = (0, 0)
      var waiting: [(place: Int, number: Int)] = []
      var expected: [Int] = []
      for _ in 0..<300 {
        switch generator.number(in: 0...5) {
        case 0...2:
          number += 1
          let known = generator.chance(0.7) ? current : max(0, current - 1)
          let place = publication.watch(after: Self.token(known), woken.watcher(number))
          try require((place != nil) == (known == current), "\(known) of \(current)")
          if let place { waiting.append((place, number)) }
        case 3:
          guard let index = waiting.indices.randomElement(using: &generator) else { continue }
          publication.unwatch(waiting.remove(at: index).place)
        default:
          let watchers = publication.show(.content(try Self.revision(current + 1)))
          for watcher in watchers { watcher.revisionPublished() }
          current += 1
          expected += waiting.map(\.number)
          waiting = []
        }
        try require(woken.all == expected, "who was woken")
      }
    }
  }
}
