#if SQLite
  import CanonicalJSON
  import Snapshots
  import Synchronization
  import TestSupport
  import Testing
  import ViewDeltaSQLite
  import ViewState

  @Suite("A command that ends the process")
  struct CrashTests {
    /// An engine on the journal at a path.
    private final class World: Sendable {
      static let key: Text = "a@0123456789abcdefghijkl"

      let registry: ScreenRegistry

      init(_ path: String, record: @escaping @Sendable (JournalIncident) -> Void = { _ in }) throws
      {
        let environment = ScreenEnvironment(scheduler: ManualScheduler(), recordJournal: record)
        let engine = try Engine(environment: environment, journal: SQLiteJournal(path: path))
        registry = ScreenRegistry(engine, of: CountScreen(ends: true))
        try engine.start()
      }

      func send(_ type: Text) async throws {
        let command = try SentCommand(JSONReader(["type": .string(type)]))
        _ = try await registry.send(command, to: "count", Self.key)
      }
    }

    @Test("ends it at two starts more, and is skipped at the third, which says so")
    func crash() async throws {
      let directory = try TemporaryDirectory()
      let path = directory.path(of: "test.journal")
      await #expect(processExitsWith: .failure) { [path = path as String] in
        let world = try World(path)
        for command: Text in ["add", "add", "end"] { try await world.send(command) }
      }
      for _ in 1...2 {
        await #expect(processExitsWith: .failure) { [path = path as String] in
          _ = try World(path)
        }
      }
      let incidents = Mutex<[JournalIncident]>([])
      let world = try World(path) { incident in incidents.withLock { $0.append(incident) } }
      // Whoever knows a session has the view model, so it is not logged.
      let skipped = JournalIncident.skipped(position: 3, input: "command count/a@…")
      #expect(incidents.withLock { $0 } == [skipped])
      // The one before had done its work.
      let shown = try world.registry.instance(screen: "count", key: World.key).current
      #expect(shown.token.number == 2)
      try await world.send("add")
      #expect(
        try world.registry.instance(screen: "count", key: World.key).current.token.number == 4)
    }
  }
#endif
