import CanonicalJSON
import Snapshots
import Testing
import ViewDeltaTesting
import ViewState

@Suite("A test of a screen")
struct TestViewModelTests {
  /// A screen that repeats an id.
  private struct TwinScreen: Screen {
    struct State: ScreenState { var count = 0 }

    static let name: Text = "twin"
    static let summary = "Rows of one id."
    static let row = RowType(text: "row", "A row.")
    static let add = Command("add", "Adds a row.") { (state: inout State) in state.count += 1 }

    var commands: [AnyCommand<State>] { Self.add }
    var rowTypes: [RowTypeDescriptor] { Self.row }

    func body(_ state: State) -> [ListSection] {
      ListSection("rows") {
        for _ in 0..<state.count { Self.row("twin", "") }
      }
    }
  }

  @Test("says why a command leaves a screen that cannot be shown")
  func reason() async throws {
    let viewModel = try TestViewModel { _ in TwinScreen() }
    try await viewModel.send(TwinScreen.add)
    #expect(viewModel.rows.count == 1)
    let failure = try await #require(throws: TestFailure.self) {
      try await viewModel.send(TwinScreen.add)
    }
    #expect(
      failure.description
        == #"the view model cannot be shown: not unique: row ids ["twin"]"#
    )
    #expect(viewModel.rows.isEmpty && viewModel.failure == .failed)
  }

  @Test("says that a command has no outcome once the view model has ended")
  func ended() async throws {
    var notes: Store<ResourceCollection<Note>>?
    let viewModel = try TestViewModel(key: "7") { engine in
      let file = JSONReader([["id": 7, "text": "Milk"]])
      let shelf = Store(
        "notes", try ResourceCollection<Note>("note", reading: file), in: engine)
      notes = shelf
      return NoteScreen(store: shelf)
    }
    _ = try await notes?.write(.delete(7))
    let failure = try await #require(throws: TestFailure.self) {
      try await viewModel.send(NoteScreen.merge, 8)
    }
    #expect(failure.description == "the command has no outcome: deletedKey")
  }

  /// A screen that shows numbers from outside, and takes one.
  private struct NumberScreen: Screen {
    struct State: ScreenState { var numbers = LoadState<[Int]>() }

    static let name: Text = "numbers"
    static let summary = "Numbers."
    static let number = RowType("number", of: Int.self) { Field("n", \Int.self) }
    static let take = Command("take", "Takes a number.", .value("number", of: Double.self)) {
      (_: inout State, _) in
    }

    /// A number that is shown twice before others are loaded.
    var twin: Int?

    var commands: [AnyCommand<State>] { Self.take }
    var rowTypes: [RowTypeDescriptor] { Self.number }
    var parts: [any ScreenPart<State>] {
      [
        Loading("numbers", \.numbers, from: Source { _ in [] }) { numbers, _ in
          for number in numbers ?? [twin, twin].compactMap(\.self) {
            Self.number("number/\(number)", number)
          }
        }
      ]
    }
  }

  @Test("says at the beginning why the first state cannot be shown")
  func firstState() throws {
    let failure = #expect(throws: TestFailure.self) { try TestViewModel(NumberScreen(twin: 1)) }
    #expect(
      failure?.description
        == #"the first state cannot be shown: not unique: row ids ["number/1"]"#)
  }

  @Test(
    "refuses an answer of another type, one that cannot be shown, and a number that JSON cannot represent"
  )
  func misuse() async throws {
    let viewModel = try TestViewModel(NumberScreen())
    try await viewModel.send(["type": "loadNumbers"])
    var failure = #expect(throws: TestFailure.self) { try viewModel.answer("numbers", with: "one") }
    #expect(failure?.description.hasPrefix("the answer is not a value of numbers: ") == true)
    #expect(failure?.description.contains("cannot be read") == false, "it has no reason")
    #expect(viewModel.states["numbers"] == "failed")
    try await viewModel.send(["type": "loadNumbers"])
    failure = #expect(throws: TestFailure.self) { try viewModel.answer("numbers", with: [1, 1]) }
    #expect(
      failure?.description
        == #"the view model cannot be shown: not unique: row ids ["number/1"]"#)
    for number in [Double.infinity, .nan, 0x1p60] {
      await #expect(throws: TestFailure.self) {
        try await viewModel.send(NumberScreen.take, number)
      }
    }
    let deep = (0..<513).reduce(1 as JSONValue) { value, _ in [value] }
    failure = await #expect(throws: TestFailure.self) { try await viewModel.send(deep) }
    #expect(failure?.description.contains("nests deeper than 512 levels") == true)
  }

  @Test(
    "has the rows, members and commands that an `if` chooses when the screen is made",
    arguments: [false, true])
  func conditions(isLong: Bool) async throws {
    struct Choosing: Screen {
      struct State: ScreenState { var count = 0 }
      static let name: Text = "choosing"
      static let summary = "Chooses."
      let isLong: Bool

      var row: RowType<Int> {
        RowType("row", of: Int.self) {
          Field("n", \Int.self)
          if isLong { Field("twice") { 2 * $0 } } else { Field("half") { $0 / 2 } }
          if isLong { Field("square") { $0 * $0 } }
        }
      }
      var commands: [AnyCommand<State>] {
        if isLong {
          Command("long", "Is long.") { (_: inout State) in }
        } else {
          Command("short", "Is short.") { (_: inout State) in }
        }
      }
      var rowTypes: [RowTypeDescriptor] {
        row
        if isLong { RowType<Text>(text: "note") }
      }

      func body(_ state: State) -> [ListSection] { ListSection("all") { row("4", 4) } }
    }
    let viewModel = try TestViewModel(Choosing(isLong: isLong))
    let members: [Text] = isLong ? ["n", "square", "twice"] : ["half", "n"]
    #expect(viewModel.rows[0].fields.keys.sorted() == members)
    try await viewModel.send(["type": isLong ? "long" : "short"])
    await #expect(throws: Refusal.self) {
      try await viewModel.send(["type": isLong ? "short" : "long"])
    }
  }

  @Test("taps each action of a row by its title, and the first one without a title")
  func tap() async throws {
    struct CardScreen: Screen {
      struct State: ScreenState { var text: Text = "" }
      static let name: Text = "cards"
      static let summary = "A card."
      static let say = Command("say", "Says something.", .text("text")) {
        (state: inout State, text) in state.text = text
      }
      static let card = RowType("card", of: Text.self) {
        Field("text", \Text.self)
        Action(say, "Greet") { _ in "Hello" }
        Action(say, "Part") { _ in "Goodbye" }
        Action(say, "Repeat", if: { $0 != "" }) { $0 }
      }
      static let note = RowType(text: "note")

      var commands: [AnyCommand<State>] { Self.say }
      var rowTypes: [RowTypeDescriptor] {
        Self.card
        Self.note
      }
      func body(_ state: State) -> [ListSection] {
        ListSection("all") {
          Self.card("card", state.text)
          Self.note("note", "Nothing to tap")
        }
      }
    }
    let viewModel = try TestViewModel(CardScreen())
    for (title, text) in [(nil, "Hello"), ("Part", "Goodbye"), ("Greet", "Hello")]
      as [(Text?, Text)]
    {
      #expect(try await viewModel.tap("card", title))
      #expect(viewModel.rows[0].fields["text"] == .string(text))
    }
    #expect(try await viewModel.tap("card", "Repeat") == false)
    for (row, title, reason) in [
      ("card", "Leave", "the row card has no action “Leave”"),
      ("note", nil, "the row note has no action"),
    ] as [(Text, Text?, String)] {
      let failure = await #expect(throws: TestFailure.self) {
        _ = try await viewModel.tap(row, title)
      }
      #expect(failure?.description == reason)
    }
  }

  /// A screen with inputs, each of which is looked up.
  private struct TripScreen: Screen {
    struct State: ScreenState { var places = Lookups<Text, [Text]>() }

    static let name: Text = "trip"
    static let summary = "A trip."
    static let place = RowType(text: "place", "A place.")
    static let ask = Command("ask", "Looks a place up.", .text("input"), .text("name")) {
      (state: inout State, input, name) in
      state.places.ask(name, for: input)
    }

    var commands: [AnyCommand<State>] { Self.ask }
    var rowTypes: [RowTypeDescriptor] { Self.place }
    var parts: [any ScreenPart<State>] {
      [LookingUp("places", \.places) { (_: Text, _: Text) in [Text]() }]
    }

    func body(_ state: State) -> [ListSection] {
      ListSection("places") {
        for (input, places) in state.places.all {
          for place in places.value ?? [] { Self.place("\(input)/\(place)", place) }
        }
      }
    }
  }

  @Test("answers the look-up of one query while others go on")
  func lookUps() async throws {
    let viewModel = try TestViewModel(TripScreen())
    for (input, name) in [("from", "Kiel"), ("over", "Ulm"), ("to", "Bonn")] as [(Text, Text)] {
      try await viewModel.send(TripScreen.ask, input, name)
    }
    #expect(try viewModel.request(of: "places", as: Text.self) == "Kiel")
    try viewModel.answer("places", to: "Bonn", with: ["Bonn"])
    try viewModel.fail("places", to: "Ulm")
    #expect(viewModel.rows.map(\.id) == ["to/Bonn"] && viewModel.waiting == ["places"])
    let failure = #expect(throws: TestFailure.self) { try viewModel.fail("places", to: "Rome") }
    #expect(
      failure?.description
        == #"places for "Rome" is neither being loaded nor being written; these wait for an answer: ["places"]"#
    )
    try viewModel.answer("places", with: ["Kiel"])
    #expect(viewModel.rows.map(\.id) == ["from/Kiel", "to/Bonn"] && viewModel.waiting.isEmpty)
  }

  #if DEBUG
    /// A screen whose state forgets a member when it is read.
    private struct ForgetfulScreen: Screen {
      struct State: ScreenState {
        var count = 0
        var note: Text = ""

        enum CodingKeys: CodingKey { case count, note }

        init() {}

        init(from decoder: any Decoder) throws {
          count = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .count)
        }
      }

      static let name: Text = "forgetful"
      static let summary = "Forgets."
      static let row = RowType("row", of: Int.self) { Field("n", \Int.self) }
      static let add = Command("add", "Adds a row.") { (state: inout State) in state.count += 1 }
      static let note = Command("note", "Notes something.") { (state: inout State) in
        state.note = "Milk"
      }

      var commands: [AnyCommand<State>] {
        Self.add
        Self.note
      }
      var rowTypes: [RowTypeDescriptor] { Self.row }

      func body(_ state: State) -> [ListSection] {
        ListSection("rows") {
          for number in 0..<state.count * 101 { Self.row("\(number)", number) }
        }
      }
    }

    private struct BlindScreen: Screen {
      struct State: ScreenState { var count = 0 }

      static let name: Text = "blind"
      static let summary = "The number of notes when it was opened."

      let store: Store<ResourceCollection<Note>>

      var rowTypes: [RowTypeDescriptor] { [] }

      func initialState(for key: Text, in stores: Stores) -> State {
        State(count: stores[store].elements.count)
      }

      func body(_ state: State) -> [ListSection] { [] }
    }

    @Test("finds a store that the initial state reads, and whose changes the screen would not show")
    func unshownStore() throws {
      let failure = #expect(throws: TestFailure.self) {
        try TestViewModel { engine in
          BlindScreen(store: Store("notes", ResourceCollection<Note>("note"), in: engine))
        }
      }
      #expect(failure?.description.contains("reads the store notes") == true)
    }

    @Test("finds after any command a state that is another one when it is read again")
    func forgetful() async throws {
      let viewModel = try TestViewModel(ForgetfulScreen())
      try await viewModel.send(ForgetfulScreen.add)
      let failure = await #expect(throws: TestFailure.self) {
        try await viewModel.send(ForgetfulScreen.note)
      }
      #expect(
        failure?.description.hasSuffix(
          "a state of the screen forgetful changes when it is read again") == true)
    }
  #endif

  /// A suite on the main actor, as all code of an app may be.
  @MainActor @Suite("on the main actor")
  struct OnMainActor {
    private let viewModel: TestViewModel<NumberScreen>

    init() throws { viewModel = try TestViewModel(NumberScreen()) }

    @Test("keeps its view model in a property")
    func property() async throws {
      try await viewModel.open()
      try await viewModel.send(NumberScreen.take, 1)
      try viewModel.answer("numbers", with: [7])
      #expect(viewModel.rows.map(\.id) == ["number/7"])
    }
  }
}
