import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen with a long list of a store, two items to a page.
struct StepsScreen: Screen {
  struct Item: Pageable, Codable {
    let id: Int
    var position: Int { id }
  }

  struct Steps: StoreValue {
    var items: KeyedSequence<Item>

    /// Adds an item at the end.
    mutating func apply(
      _ id: Int, at time: Timestamp
    ) throws(StoreError) -> Written<Void> {
      items.append(Item(id: id))
      return Written((), creating: ["\(id)"], of: "steps")
    }
  }

  struct State: ScreenState { var steps = PagingState<Item>() }

  static let name: Text = "steps"
  static let summary = "A long list."
  static let step = RowType("step", of: Item.self, "A step.") { Field("n", \.id) }
  static let title = RowType(text: "title", "The title of the list.")

  let store: Store<Steps>
  /// The language of the texts of the part.
  var texts = Language.en

  var parts: [any ScreenPart<State>] {
    [
      LoadingPages(
        "steps", \.steps,
        from: PageSource(size: 2, reading: store) { $1 == "a" ? $0.items : nil },
        as: Self.step, id: { "step/\($0.id)" }, empty: "No steps", failure: "No luck",
        end: { "All \($0) steps" }, language: texts
      ) { isRequested in Self.title("title", isRequested ? "Steps" : "Steps?") }
    ]
  }

  var rowTypes: [RowTypeDescriptor] { Self.title }
}

/// A long list from outside of the engine, which a command reloads.
private struct FeedScreen: Screen {
  typealias State = StepsScreen.State

  static let name: Text = "feed"
  static let summary = "A long list."
  static let refresh = Command("refresh", "Loads anew.") { (state: inout State) in
    state.steps.reload()
  }

  let source: PageSource<StepsScreen.Item>

  var commands: [AnyCommand<State>] { Self.refresh }
  var parts: [any ScreenPart<State>] {
    [
      LoadingPages(
        "steps", \.steps, from: source, as: StepsScreen.step, id: { "step/\($0.id)" },
        empty: "No steps", failure: "No luck",
        end: { "All \($0) steps" })
    ]
  }
}

/// Another screen with the same list.
private struct TwinScreen: Screen {
  typealias State = StepsScreen.State

  static let name: Text = "twin"
  static let summary = "A long list."

  let source: PageSource<StepsScreen.Item>

  var parts: [any ScreenPart<State>] { FeedScreen(source: source).parts }
}

/// A long list whose items users name or remove; only its state knows this yet.
private struct EditedScreen: Screen {
  struct Item: Pageable, Codable {
    let id: Int
    var name: Text = ""
    var position: Int { id }
  }

  struct State: ScreenState {
    var items = PagingState<Item>()
    var names: [Int: Text] = [:]
  }

  static let name: Text = "edited"
  static let summary = "A long list."
  static let change = Command(
    "change", "Names an item, or removes it.", .integer("item"), .text("name")
  ) { (state: inout State, id, name) in
    state.names[id] = name
  }
  static let item = RowType("item", of: Item.self) { Field("name", \.name) }

  var commands: [AnyCommand<State>] { Self.change }
  var parts: [any ScreenPart<State>] {
    struct NotCalled: Error {}
    return [
      LoadingPages(
        "items", \.items, from: PageSource { _, _ in throw NotCalled() },
        as: Self.item, id: { "item/\($0.id)" },
        showing: { state, item in
          switch state.names[item.id] {
          case nil: item
          case "": nil
          case let name?: Item(id: item.id, name: name)
          }
        },
        empty: "No items", failure: "No luck", end: { "All \($0) items" })
    ]
  }
}

@Suite("A part that is loaded page by page")
struct LoadingPagesTests {
  let scheduler = ManualScheduler()
  let store: Store<StepsScreen.Steps>
  let registry: ScreenRegistry

  init() { self.init(texts: .en) }

  private init(texts: Language) {
    let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
    let items = KeyedSequence((1...5).map { StepsScreen.Item(id: $0) })
    store = Store("steps", StepsScreen.Steps(items: items), in: engine)
    registry = ScreenRegistry(engine, of: StepsScreen(store: store, texts: texts))
  }

  private func send(_ type: Text, to instance: Instance) async throws {
    try await instance.send(type: type)
    scheduler.advance(by: .zero)
  }

  private func rows(_ instance: Instance) -> [Text] {
    instance.current.snapshot.sections[0].rows.map(\.id)
  }

  @Test("loads one page for each command, and shows the next one, and the end")
  func pages() async throws {
    let instance = try registry.instance(screen: "steps", key: "a")
    #expect(rows(instance) == ["title"])
    try await send("appear", to: instance)
    #expect(rows(instance) == ["title", "step/1", "step/2", "steps/progress"])
    let action = try #require(instance.current.snapshot.sections[0].rows.last?.fields["action"])
    #expect(action == ["title": "Load more", "command": ["type": "loadNextSteps"]])
    try await send("loadNextSteps", to: instance)
    try await send("loadNextSteps", to: instance)
    #expect(
      rows(instance) == ["title"] + (1...5).map { "step/\($0)" } + ["steps/end"])
    #expect(instance.current.snapshot.sections[0].rows.last?.fields["text"] == "All 5 steps")
  }

  @Test("has its texts in the language that it is given")
  func language() async throws {
    let german = Self(texts: .de)
    let instance = try german.registry.instance(screen: "steps", key: "a")
    try await instance.send(type: "loadSteps")
    var row: Row? { instance.current.snapshot.sections[0].rows.last }
    #expect(row?.fields["text"] == "Wird geladen …")
    #expect(row?.fields["action"] == ["title": "Abbrechen", "command": ["type": "cancelSteps"]])
    german.scheduler.advance(by: .zero)
    #expect(row?.fields["text"] == "2 angezeigt")
    #expect(
      row?.fields["action"] == ["title": "Mehr laden", "command": ["type": "loadNextSteps"]])
    let missing = try german.registry.instance(screen: "steps", key: "b")
    try await german.send("loadSteps", to: missing)
    let error = try #require(missing.current.snapshot.sections[0].rows.last)
    #expect(error.fields["detail"] == "Die Quelle hat keinen solchen Wert.")
    #expect(
      error.fields["action"] == ["title": "Erneut versuchen", "command": ["type": "retrySteps"]])
  }

  @Test("shows a write to any element at once, as far as the list is shown")
  func writes() async throws {
    let instance = try registry.instance(screen: "steps", key: "a")
    try await send("loadSteps", to: instance)
    let before = instance.current
    try await store.write(6)
    #expect(rows(instance).count == 4 && instance.current === before)
    for _ in 0..<2 { try await send("loadNextSteps", to: instance) }
    #expect(rows(instance).suffix(2) == ["step/6", "steps/end"])
  }

  @Test("shows its items as the state says, and does not count those that it leaves out")
  func edited() async throws {
    let list = try TestViewModel(EditedScreen())
    func names() -> [JSONValue?] {
      list.rows.map { $0.fields["name"] ?? $0.fields["text"] }
    }
    func items(_ ids: ClosedRange<Int>) -> [EditedScreen.Item] {
      ids.map { EditedScreen.Item(id: $0, name: "\($0)") }
    }
    try await list.open()
    try list.answer("items", with: Page(items: items(1...3), end: 3))
    try await list.send(EditedScreen.change, 1, "one")
    try await list.send(EditedScreen.change, 2, "")
    #expect(names() == ["one", "3", "2 shown"])
    try await list.send(["type": "loadNextItems"])
    try list.answer("items", with: Page(items: items(4...4), end: nil))
    #expect(names() == ["one", "3", "4", "All 3 items"])
    for id in 1...4 { try await list.send(EditedScreen.change, id, "") }
    #expect(names() == ["No items"])
    try await list.send(EditedScreen.change, 4, "four")
    #expect(names() == ["four", "All 1 items"])
  }

  @Test("fails to load a list whose positions do not ascend, in place of ending it too early")
  func disorder() async throws {
    // In the second page 5 follows 10, or it follows the first page.
    for (ids, shown) in [([1, 9, 10, 5, 11], ["step/1", "step/9"]), ([1, 9, 5, 10, 11], [])] {
      let scheduler = ManualScheduler()
      let engine = Engine(environment: ScreenEnvironment(scheduler: scheduler))
      let items = KeyedSequence(ids.map { StepsScreen.Item(id: $0) })
      let steps = StepsScreen(store: Store("steps", StepsScreen.Steps(items: items), in: engine))
      let registry = ScreenRegistry(engine, of: steps)
      let instance = try registry.instance(screen: "steps", key: "a")
      for command in ["loadSteps", "loadNextSteps"] as [Text] {
        try await instance.send(type: command)
        scheduler.advance(by: .zero)
      }
      #expect(rows(instance).map(\.string) == ["title"] + shown + ["steps/error"])
      #expect(instance.current.snapshot.sections[0].rows.last?.fields["code"] == "malformed")
    }
  }

  @Test("fails to load a page behind which the same one would come again")
  func noProgress() async throws {
    let source = PageSource<StepsScreen.Item> { _, request in
      switch request {
      case .first: Page(items: [StepsScreen.Item(id: 1)], end: 1)
      // A page without items may lead on.
      case .after(let start): Page(items: [], end: start < 3 ? start + 1 : start)
      }
    }
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: scheduler)), of: FeedScreen(source: source))
    let instance = try registry.instance(screen: "feed", key: "a")
    for (command, last) in [
      ("loadSteps", "progress"), ("loadNextSteps", "progress"), ("loadNextSteps", "progress"),
      ("loadNextSteps", "error"),
    ] as [(Text, Text)] {
      try await send(command, to: instance)
      try await wait {
        instance.current.snapshot.states["steps"] != "isLoading"
      }
      #expect(rows(instance) == ["step/1", "steps/\(last)"])
    }
    #expect(instance.current.snapshot.sections[0].rows.last?.fields["code"] == "malformed")
  }

  @Test("shows a failure of the source, and loads the same page again")
  func failure() async throws {
    let instance = try registry.instance(screen: "steps", key: "b")
    try await send("loadSteps", to: instance)
    let error = try #require(instance.current.snapshot.sections[0].rows.last)
    #expect(error.id == "steps/error" && error.fields["code"] == "missing")
    #expect(error.fields["action"] == ["title": "Retry", "command": ["type": "retrySteps"]])
    try await send("retrySteps", to: instance)
    #expect(instance.revisionCount > 3 && rows(instance) == ["title", "steps/error"])
  }

  @Test("lists its commands, its state machine and the types of its rows")
  func description() throws {
    let descriptor = registry.descriptors[0]
    #expect(
      descriptor.commands.map(\.type)
        == ["appear", "loadSteps", "loadNextSteps", "retrySteps", "cancelSteps"])
    #expect(
      descriptor.rowTypes.map(\.name)
        == ["title", "step", "pageProgress", "contentError", "contentEmpty", "pageEnd"])
    #expect(registry.stateMachines(of: "steps")?.map(\.name) == ["steps"])
  }

  @Test(
    "calls its source anew when it is reloaded, although another instance waits for a call from before",
    .timeLimit(.minutes(5)))
  func reload() async throws {
    let calls = Calls()
    let source = PageSource<StepsScreen.Item> { key, _ in
      let id = try await calls.call(key)
      return Page(items: [StepsScreen.Item(id: id)], end: id)
    }
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: scheduler)),
      of: FeedScreen(source: source), TwinScreen(source: source))
    let instance = try registry.instance(screen: "feed", key: "a")
    let twin = try registry.instance(screen: "twin", key: "a")
    for instance in [twin, instance] { try await send("loadSteps", to: instance) }
    let before = try await calls.next()
    try await send("refresh", to: instance)
    let after = try await calls.next()
    before.answer.resume(returning: 1)
    let loading = [instance, twin].map { ($0, $0.current.token) }
    after.answer.resume(returning: 2)
    for (instance, token) in loading {
      await instance.change(after: token)
      #expect(rows(instance) == ["step/2", "steps/progress"])
    }
    // A page behind it is no reload.
    try await send("loadNextSteps", to: instance)
    let next = instance.current.token
    try await calls.next().answer.resume(returning: 3)
    await instance.change(after: next)
    #expect(rows(instance) == ["step/2", "step/3", "steps/progress"] && calls.total == 3)
    withExtendedLifetime(registry) {}
  }
}
