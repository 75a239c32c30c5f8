import CanonicalJSON
import Snapshots
import Testing
import ViewDeltaTesting
import ViewState

@Suite("A test of a screen that shows a store")
struct TestViewModelLoadTests {
  /// A screen of a store, with a part that loads once another one has loaded.
  private struct ShelfScreen: Screen {
    struct State: ScreenState {
      var notes = LoadState<[Text]>()
      var author = LoadState<Text>()
    }

    static let name: Text = "shelf"
    static let summary = "The texts of notes."
    static let text = RowType(text: "text", "A text.")

    let store: Store<ResourceCollection<Note>>

    var rowTypes: [RowTypeDescriptor] { Self.text }
    var parts: [any ScreenPart<State>] {
      let notes = Source(reading: store) { notes, _ in notes.elements.map(\.text) }
      return [
        Loading("notes", \.notes, from: notes) { notes, _ in
          ForEach(notes ?? [], as: Self.text) { $0 }
        },
        Loading("author", \.author, from: Source { _ in "Ada" }) { _, _ in },
      ]
    }

    /// The notes may be others once there is an author.
    func changed(_ state: inout State, from before: State) {
      if state.author.loadable.value != before.author.loadable.value { state.notes.reload() }
    }
  }

  private func shelf(
    notes: JSONValue = [["id": 1, "text": "Milk"]]
  ) throws -> TestViewModel<ShelfScreen> {
    try TestViewModel { engine in
      let file = JSONReader(notes)
      let notes = try ResourceCollection<Note>("note", reading: file)
      return ShelfScreen(store: Store("notes", notes, in: engine))
    }
  }

  @Test("has loaded what takes no time when a command or an answer returns")
  func dueWork() async throws {
    let viewModel = try shelf()
    try await viewModel.open()
    #expect(viewModel.states == ["notes": "loaded", "author": "isLoading"])
    #expect(viewModel.rows.map(\.id) == ["Milk"] && viewModel.waiting == ["author"])
    try viewModel.answer("author", with: "Ada")
    #expect(viewModel.states == ["notes": "loaded", "author": "loaded"])
  }

  @Test("answers a source that two parts share by the name of either")
  func sharedSource() async throws {
    struct PairScreen: Screen {
      struct State: ScreenState {
        var first = LoadState<Int>()
        var second = LoadState<Int>()
      }
      static let name: Text = "pair"
      static let summary = "The same number twice."
      let source = Source { _ in 1 }
      var parts: [any ScreenPart<State>] {
        [
          Loading("first", \.first, from: source) { _, _ in },
          Loading("second", \.second, from: source) { _, _ in },
        ]
      }
    }
    let viewModel = try TestViewModel { _ in PairScreen() }
    try await viewModel.open()
    #expect(viewModel.waiting == ["first", "second"])
    try viewModel.answer("second", with: 7)
    #expect(
      viewModel.states == ["first": "loaded", "second": "loaded"] && viewModel.waiting.isEmpty)
  }

  @Test("throws an error if what a command loads at once cannot be shown")
  func brokenLoad() async throws {
    let viewModel = try shelf(notes: [["id": 1, "text": "Milk"], ["id": 2, "text": "Milk"]])
    let error = await #expect(throws: TestFailure.self) { try await viewModel.open() }
    #expect("\(error as Any)".contains("Milk"))
  }

  @Test("has each write to the store at once, whatever the keys of its elements")
  func writes() async throws {
    var notes: Store<ResourceCollection<Note>>?
    let shelf = try TestViewModel { engine in
      let store = Store("notes", ResourceCollection<Note>("note"), in: engine)
      notes = store
      return ShelfScreen(store: store)
    }
    try await shelf.open()
    let store = try #require(notes)
    try await store.write(.create(["text": "Milk"]))
    #expect(shelf.rows.map(\.id) == ["Milk"])
    try await store.write(.create(["text": "Salt"]))
    try await store.write(.delete(1))
    #expect(shelf.rows.map(\.id) == ["Salt"])
  }
}
