import CanonicalJSON
import Snapshots
import Testing

@testable import ViewState

@Suite("The instances of a host")
struct HostedInstancesTests {
  private let world: JournalWorld
  private let host: ScreenHost
  private var hosted = HostedInstances()

  init() throws {
    world = try JournalWorld()
    host = ScreenHost(
      DeclaredScreen(CounterScreen(store: world.store)), keys: [], engine: world.engine,
      keeper: InstanceKeeper(world.engine))
  }

  private func key(_ text: Text) throws -> InstanceKey { try InstanceKey(text, isPersonal: true) }

  private static func session(_ number: Int) -> Text {
    "a@\(Text(String(repeating: "x", count: 20)))\(number)"
  }

  /// Makes an instance of the stores as they are now.
  private func instance(_ text: Text) throws -> Instance {
    try Instance(
      of: host, key(text), rest: nil, like: nil, stores: world.engine.stores, forInput: false)
  }

  @Test("stay if one that had the same key before is released late")
  mutating func late() async throws {
    let text = Self.session(10)
    var former: Instance? = try instance(text)
    let (id, epoch) = try (ObjectIdentifier(#require(former)), #require(former).epoch)
    #expect(hosted.file(try #require(former), of: nil) === former)
    for number in [nil, 1] { _ = try await world.store.write(["a": number]) }
    // Made while the former one is there, so that they have two places in memory.
    let next = try instance(text)
    withExtendedLifetime(former) {}
    former = nil
    #expect(hosted.file(next, of: nil) === next)
    #expect(next.epoch != epoch && hosted.epochs == [next.epoch, next.initialEpoch])
    hosted.remove(id, text)
    #expect(hosted[text] === next && hosted.sessionCount == 1)
    #expect(hosted.epochs == [next.epoch, next.initialEpoch])
    hosted.remove(ObjectIdentifier(next), text)
    #expect(hosted[text] == nil && hosted.sessionCount == 0 && hosted.epochs.isEmpty)
  }

  @Test("give a new session the session that was made last, also if others have gone since")
  mutating func newest() throws {
    let made = try (10...40).map { try instance(Self.session($0)) }
    for instance in made { #expect(hosted.file(instance, of: nil) === instance) }
    hosted.remove(ObjectIdentifier(made[3]), made[3].key.text)
    #expect(try hosted.sibling(of: key(Self.session(50))) === made.last)
    #expect(hosted.sessionCount == 30)
  }

  private func rest(_ number: Int) -> Rest {
    let epoch = world.engine.epoch(of: "rest", born: number)
    return Rest(
      state: AnyState(1), token: RevisionToken(epoch: epoch, number: number), shownSince: 1,
      cause: .start, hadArguments: false, date: JournalWorld.start, measuredByteCount: 0,
      broughtByteCount: 0,
      share: 0)
  }

  @Test("keep no first view of one in whose place its rest was made again")
  mutating func replaced() throws {
    let text = Self.session(10)
    var former: Instance? = try instance(text)
    let again = try instance(text)
    let view = try FirstView(
      state: AnyState(1), snapshot: #require(former).current.snapshot, rows: RowCache())
    #expect(hosted.file(try #require(former), of: nil, showing: view) === former)
    #expect(hosted.firstView(of: "a") != nil)
    former = nil
    hosted.restore(rest(2), try key(text))
    #expect(hosted.file(again, of: rest(2)) === again)
    #expect(hosted.firstView(of: "a") == nil)
  }

  @Test("have the epochs of their last rests")
  mutating func rests() throws {
    for number in 1...2 {
      let rest = rest(number)
      hosted.restore(rest, try key("a"))
      #expect(hosted.epochs == [rest.token.epoch])
    }
  }

  @Test("are none that were made of an older rest, or of none")
  mutating func outdated() throws {
    let made = try instance("a")
    for former in [nil, rest(1)] {
      hosted.restore(rest(2), try key("a"))
      let filed = hosted.file(made, of: former)
      #expect(filed == nil && hosted["a"] == nil)
    }
    let filed = hosted.file(made, of: rest(2))
    #expect(filed === made)
  }
}
