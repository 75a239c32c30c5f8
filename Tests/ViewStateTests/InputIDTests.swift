import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A personal screen that keeps the ids of its inputs.
private struct Ledger: Screen {
  struct State: ScreenState { var ids: [Text] = [] }

  static let name: Text = "ledger"
  static let summary = "Ids of inputs."
  static let isPersonal = true
  static let note = Command<State>("note", "Notes the id of the input.")
  static let row = RowType(text: "id", "An id.")

  var commands: [AnyCommand<State>] {
    Self.note.writing { (state: inout State, transaction: inout Transaction) in
      state.ids.append(transaction.inputID)
    }
  }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func body(_ state: State) -> [ListSection] {
    ListSection("ids") { for id in state.ids { Self.row(id, id) } }
  }
}

@Suite("The id of an input")
struct InputIDTests {
  @Test("differs in all sessions of a key")
  func sessions() async throws {
    let engine = Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
    let registry = ScreenRegistry(engine, of: Ledger())
    var ids: [Text] = []
    for letter in ["A", "B"] {
      let session = String(repeating: letter, count: 22)
      let ledger = try registry.instance(screen: "ledger", key: "a@\(session)")
      for _ in 1...2 {
        let command = JSONReader(["type": "note"])
        _ = try await ledger.send(SentCommand(command), expecting: nil)
      }
      ids += ledger.current.snapshot.sections[0].rows.map(\.id)
    }
    #expect(ids.count == 4 && Set(ids).count == 4)
  }

  // A test store applies each input twice, and stops the process if the states differ.
  @Test("is the same when the input is applied again, and another one in another run")
  func runs() async throws {
    let start = Timestamp(secondsSince1970: 1_772_000_000)
    var ids: Set<Text> = []
    for time in [start, start + .seconds(1)] {
      let ledger = try TestViewModel(Ledger(), at: time)
      for _ in 1...2 { try await ledger.send(["type": "note"]) }
      ids.formUnion(ledger.rows.map(\.id))
    }
    #expect(ids.count == 4)
  }
}
