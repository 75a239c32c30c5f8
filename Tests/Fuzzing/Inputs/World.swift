import CanonicalJSON
import Dispatch
import Screens
import Snapshots
import TestSupport
import ViewState

/// All screens and stores of the product on one engine, with the demo data.
struct World {
  let engine: Engine
  let registry: ScreenRegistry
  let profiles: ProfileStore
  let podcasts: PodcastStore
  let forms: FormStore
  let boards: ScoreboardStore
  let catalogs: CatalogStore
  let companies: CompanyStore
  let faults: Store<ScriptedFaults>

  /// The demo data, which takes long to read, and is read once for all restarts.
  private static let demo = (
    profiles: ProfileData.demo(), podcasts: PodcastData.demo(), forms: FormData.demo(),
    boards: ScoreboardData.demo(), catalogs: CatalogData.demo(), companies: CompanyData.demo()
  )

  /// The view models that are looked at.
  static let names: [(screen: Text, key: Text)] = [
    ("profile", "1"), ("profile", "2"), ("profile", "6"), ("podcasts", "1"), ("podcasts", "2"),
    ("scoreboards", "all"), ("scoreboard", "1"), ("scoreboard", "2"), ("catalog", "1"),
    ("form", "1"), ("form", "2"), ("form", "1@AAAAAAAAAAAAAAAAAAAAAA"),
    ("form", "1@bbbbbbbbbbbbbbbbbbbbbb"), ("settings", "general"), ("settings", "privacy"),
    ("settings", "general@AAAAAAAAAAAAAAAAAAAAAA"),
  ]

  /// - Parameters:
  ///   - seed: The seed of the tokens.
  ///   - keptByteCount: The memory of the view models that inputs have touched, and that of the others.
  ///   - settings: The settings of the process.
  ///   - journal: The journal to go on from.
  init(
    seed: UInt64, scheduler: ManualScheduler, keptByteCount: Int,
    settings: Settings = World.settings, journal: MemoryJournal? = nil
  ) throws {
    let environment = ScreenEnvironment(
      scheduler: scheduler, settings: settings,
      logLimits: RevisionLogLimits(count: 4, age: .zero),
      now: { Timestamp(secondsSince1970: 1_800_000_000 + Int(scheduler.now / .seconds(1))) },
      untouchedByteCount: keptByteCount, touchedByteCount: keptByteCount)
    let bytes = Array("\(seed)".utf8)
    engine =
      try journal.map { try Engine(environment: environment, seed: bytes, journal: $0) }
      ?? Engine(environment: environment, seed: bytes)
    profiles = ProfileStore(Self.demo.profiles, in: engine)
    podcasts = PodcastStore(Self.demo.podcasts, in: engine)
    forms = FormStore(Self.demo.forms, in: engine)
    boards = ScoreboardStore("scoreboards", Self.demo.boards, in: engine)
    catalogs = CatalogStore("catalogs", Self.demo.catalogs, in: engine)
    companies = CompanyStore("companies", Self.demo.companies, in: engine)
    faults = Store("fault-scripts", ScriptedFaults(), in: engine)
    var registry = ScreenRegistry(
      engine, faults: faults,
      latencies: Latencies([
        "posts": .seconds(2), "podcasts": .seconds(1), "registry": .seconds(1),
      ]))
    registry.register(ProfileScreen(store: profiles))
    registry.register(PodcastsScreen(store: podcasts))
    registry.register(ScoreboardsScreen(store: boards))
    registry.register(ScoreboardScreen(store: boards))
    registry.register(CatalogScreen(store: catalogs))
    registry.register(FormScreen(store: forms, companies: companies))
    registry.register(SettingsScreen(pages: SettingsFeature.demo(in: .en)))
    self.registry = registry
    try engine.start()
  }

  /// Settings under which keys are forgotten by their number, their size and their age.
  static let settings = Settings(
    keys: KeyLimits(count: 12, byteCount: 12 * 1024, lifetime: .seconds(40)))

  /// Waits until the journal has all inputs before, and those that follow from them, so that a seed repeats its history.
  func settle() {
    for _ in 1...2 {
      let applied = DispatchSemaphore(value: 0)
      engine.perform { applied.signal() }
      applied.wait()
    }
  }
}

/// Prints a hash of what there is to see after each step.
struct Witness {
  private var hashes: [Text: (token: RevisionToken, hash: UInt64)] = [:]

  mutating func look(at world: World, _ position: Int) {
    var sum: UInt64 = 0
    for (screen, key) in World.names {
      let name: Text = "\(screen)/\(key)"
      guard let revision = try? world.registry.instance(screen: screen, key: key).current else {
        hashes[name] = nil
        continue
      }
      // The bytes of a revision never change, so they are hashed once.
      if hashes[name]?.token != revision.token {
        let document = revision.snapshot.encoded(
          kind: .snapshot, screen: name, revision: Text(revision.token.description))
        hashes[name] = (revision.token, Self.hash(document))
      }
      sum = sum &* 0x100_0000_01B3 ^ (hashes[name]?.hash ?? 0)
    }
    print(position, String(sum, radix: 16))
  }

  func end(_ world: World) throws {
    let values: [any Encodable] = [
      world.profiles.value, world.podcasts.value, world.forms.value, world.boards.value,
      world.catalogs.value, world.companies.value, world.faults.value,
    ]
    for value in try values.map({ try JSONValue(encoding: $0) }) + [world.engine.outcomes] {
      print("end", String(Self.hash(value.canonicalBytes()), radix: 16))
    }
  }

  /// FNV-1a (Fowler, Noll and Vo).
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
