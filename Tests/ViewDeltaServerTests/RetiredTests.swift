import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("Stores and screens that a program no longer has")
struct RetiredTests {
  private static let board = "/v1/view-models/scoreboard/1"
  private static let list = "/v1/view-models/groceries/home"

  private static func backend(
    _ content: MemoryJournal.Content, program: Text? = nil,
    logging incidents: Noted<JournalIncident> = Noted(),
    @FeatureBuilder features: () -> [any Feature]
  ) throws -> (Backend, MemoryJournal) {
    let journal = MemoryJournal(content)
    let backend = try FeatureTests.backend {
      $0.journal = journal
      $0.program = program
      $0.environment.recordJournal = incidents.add
    } features: {
      ScoreboardFeature()
      features()
    }
    return (backend, journal)
  }

  /// A journal with notes and groceries, in inputs alone or also in a checkpoint.
  private static func content(hasCheckpoint: Bool) async throws -> MemoryJournal.Content {
    let (backend, journal) = try backend(MemoryJournal.Content()) {
      NotesFeature()
      Groceries()
    }
    let key: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "one"]
    let command: JSONValue = ["type": "add", "name": "Salt"]
    #expect(await backend.call(.post, "/v1/notes", body: ["text": "One"]).status == 201)
    #expect(await backend.call(.post, "\(list)/commands", key, body: command).status == 200)
    let player: JSONValue = ["name": "Ida", "score": 7]
    #expect(await backend.call(.post, "/v1/scoreboards/1/players", body: player).status == 201)
    if !hasCheckpoint { return journal.content }
    // Another build begins with a checkpoint.
    let (other, written) = try Self.backend(journal.content, program: "other") {
      NotesFeature()
      Groceries()
    }
    #expect(await other.call(.post, "\(list)/commands", body: command).status == 200)
    #expect(dropped(written.content.checkpoints.last) == [false, false])
    return written.content
  }

  private static func dropped(_ checkpoint: Checkpoint?) -> [Bool] {
    ["store/notes", "screen/groceries"].map { checkpoint?.parts[$0] == nil }
  }

  @Test(
    "are dropped from the journal with the inputs for them, which the log says, and nothing else is",
    arguments: [nil, "another"] as [Text?], [false, true])
  func retired(program: Text?, hasCheckpoint: Bool) async throws {
    let content = try await Self.content(hasCheckpoint: hasCheckpoint)
    let incidents = Noted<JournalIncident>()
    let (backend, journal) = try Self.backend(content, program: program, logging: incidents) {
      Retired(stores: ["notes"], screens: ["groceries"])
      // As many stores as before.
      CatalogFeature()
    }
    #expect(await backend.get(Self.board).text.contains("Ida"))
    #expect(await backend.get("/v1/notes").status == 404)
    #expect(await backend.get(Self.list).status == 404)
    #expect(journal.positions == [content.entries.last?.position])
    #expect(Self.dropped(journal.content.checkpoints.last) == [true, true])
    let store = "the store notes is dropped, because it is retired"
    let screen = "the states of groceries are dropped, because the screen is retired"
    #expect(incidents.all == (hasCheckpoint ? [store, screen] : [store]).map { .warning($0) })
    // The next release does not name them.
    let (next, _) = try Self.backend(journal.content, program: program) { CatalogFeature() }
    #expect(await next.get(Self.board).text == backend.get(Self.board).text)
  }

  @Test("end the start if they are not retired, and the reason says how to retire them")
  func missing() async throws {
    for (hasCheckpoint, reason) in [
      (false, #"store notes: keep it, or drop its data by Retired(stores: ["notes"])"#),
      (true, #"screen groceries: keep it, or drop its states by Retired(screens: ["groceries"])"#),
    ] {
      let content = try await Self.content(hasCheckpoint: hasCheckpoint)
      #expect(throws: JournalError.damaged("this program lacks the \(reason)")) {
        try Self.backend(content) { Retired(stores: hasCheckpoint ? ["notes"] : []) }
      }
    }
  }

  @Test("are kept if the program still has them")
  func kept() async throws {
    let content = try await Self.content(hasCheckpoint: true)
    let (backend, _) = try Self.backend(content) {
      NotesFeature()
      Retired(stores: ["notes"], screens: ["groceries", "note"])
      Groceries()
    }
    #expect(try await backend.get("/v1/notes").json.value == [["id": 1, "text": "One"]])
    #expect(await backend.get(Self.list).text.contains(#""name":"Salt""#))
  }
}
