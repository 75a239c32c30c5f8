import CanonicalJSON
import Snapshots
import Testing
import ViewDeltaTesting
import ViewState

#if DEBUG
  /// Each but one ends the process, so it runs in one of its own.
  @Suite("A mistake in the code of a program, found by a debug build")
  struct DebugMistakeTests {
    private struct DiceScreen: MistakenScreen {
      static let name: Text = "dice"
      static let roll = Command("roll", "Rolls.") { (state: inout State) in
        state.number = .random(in: 1...Int(1 << 52))
      }
      var commands: [AnyCommand<State>] { Self.roll }
    }

    private struct ShuffledScreen: MistakenScreen {
      static let name: Text = "shuffled"
      static let add = Command("add", "Adds.") { (state: inout State) in state.number += 1 }
      var commands: [AnyCommand<State>] { Self.add }
      func body(_ state: State) -> [ListSection] {
        ListSection("all") { MistakenRow.type("row", .random(in: 1...Int(1 << 52)) + state.number) }
      }
    }

    private struct DeskScreen: MistakenScreen {
      static let name: Text = "desk"
      static let isPersonal = true
      static let choose = Command("choose", "Chooses.") { (state: inout State) in
        state.number += 1
      }

      let store: Store<ResourceCollection<Note>>

      var commands: [AnyCommand<State>] { Self.choose }
      var shownStores: [ShownStore] { [.whole(of: store)] }
    }

    @Test("by which a write takes away what a user has chosen ends a debug build")
    func lostChoices() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        var notes: Store<ResourceCollection<Note>>?
        let desk = try TestViewModel { engine in
          let store = Store("notes", ResourceCollection<Note>("note"), in: engine)
          notes = store
          return DeskScreen(store: store)
        }
        try await desk.send(DeskScreen.choose)
        _ = try await notes?.write(.create(["text": "Milk"]))
      }
      expect(
        "the personal screen desk in place of what a user has chosen: define follow(_:on:for:)",
        in: result)
    }

    private struct PartlessScreen: MistakenScreen {
      typealias State = LookingState
      static let name: Text = "partless"
    }

    @Test(
      "by which nothing would load or write a member of a state shows no state in a debug build")
    func partlessMember() {
      let error = #expect(throws: TestFailure.self) { try TestViewModel(PartlessScreen()) }
      #expect(
        error.map { "\($0)" }?.contains(
          "nothing would load or write places of the state of the screen partless: add a part with the path to it"
        ) == true)
    }

    /// Counts notes, beside a part that looks up. Its number does not follow a write, unless it is defined to.
    private struct CountScreen: MistakenScreen {
      typealias State = LookingState
      static let name: Text = "count"
      static let ask = Command("ask", "Asks.") { (state: inout State) in state.places.ask("Jena") }

      let store: Store<ResourceCollection<Note>>
      var counts = true

      var commands: [AnyCommand<State>] { Self.ask }
      var parts: [any ScreenPart<State>] {
        [LookingUp("places", \.places) { (_, name) in name }]
      }
      var shownStores: [ShownStore] { [.whole(of: store)] }
      func initialState(for key: Text, in stores: Stores) -> State {
        State(number: counts ? stores[store].elements.count : 0)
      }

      /// Writes a note after a command.
      static func follow(counting counts: Bool) async throws {
        var notes: Store<ResourceCollection<Note>>?
        let test = try TestViewModel { engine in
          let store = Store("notes", ResourceCollection<Note>("note"), in: engine)
          notes = store
          return CountScreen(store: store, counts: counts)
        }
        try await test.send(CountScreen.ask)
        try await notes?.write(.create(["text": "Milk"]))
      }
    }

    @Test("by which a state does not show a write ends a debug build")
    func missedWrite() async throws {
      // The store only decides whether there is a view model.
      try await CountScreen.follow(counting: false)
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { try await CountScreen.follow(counting: true) }
      expect(
        "a write changes the initial state of the screen count, and no state that an input has made: define follow(",
        in: result)
    }

    /// Has a list whose elements only the server writes, and one whose elements lose what is constant.
    private struct Basket: Resource {
      struct Tag: Equatable, FieldObject {
        var text: Text
        static let fields = [Field("text", \Tag.text)]
      }

      struct Line: Equatable, FieldValue {
        let dish: Text
        static let valueType = ValueType.object(Line(dish: ""), [Field("dish", \.dish)])
      }

      let id: ResourceID
      var tags: [Tag] = []
      var lines: [Line] = []

      init(id: ResourceID) { self.id = id }

      static let fields = [
        Field("tags", \Basket.tags, .list(of: Tag.valueType).defaulting(to: [])),
        Field("lines", \.lines, .list(of: Line.valueType).defaulting(to: [])),
      ]

      static func replace(_ change: (inout Basket) -> Void) throws {
        var baskets = ResourceCollection<Basket>("basket")
        let time = Timestamp(secondsSince1970: 0)
        var basket = try baskets.apply(.create([:]), at: time).output.resource
        change(&basket)
        _ = try baskets.apply(.replace(basket), at: time)
      }
    }

    @Test("by which a journal would read a resource as another one ends a debug build")
    func unreadable() async throws {
      let lines = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Basket.replace { $0.lines = [Basket.Line(dish: "Soup")] }
      }
      expect(
        #"of type Basket, which a start from a journal reads as {"id":1,"lines":[{"dish":""}],"#,
        in: lines)
      let tags = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Basket.replace { $0.tags = [Basket.Tag(text: "hot")] }
      }
      expect("only the server writes this member (/tags/0)", in: tags)
      try Basket.replace { $0.tags = [] }
    }

    @Test(
      "that makes equal inputs give other results ends a debug build, which names the view model")
    func randomness() async {
      let command = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        try await TestViewModel(DiceScreen(), key: "1").send(DiceScreen.roll)
      }
      expect(
        "the view model dice/1 gives another result when the same input is applied again, in the rows: ",
        in: command)
      let body = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await TestViewModel(ShuffledScreen(), key: "1").send(ShuffledScreen.add)
      }
      expect("the view model shuffled/1 gives another result", in: body)
    }
  }
#endif
