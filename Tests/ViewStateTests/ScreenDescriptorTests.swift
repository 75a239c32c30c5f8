import CanonicalJSON
import Snapshots
import Testing

@testable import ViewState

@Suite("The description of a screen")
struct ScreenDescriptorTests {
  static func descriptor(opening: Text?) -> ScreenDescriptor {
    let by: [Text: JSONValue] = ["by": ["type": "integer"]]
    return ScreenDescriptor(
      name: "counter", keyName: "name", summary: "A number.",
      commands: [
        CommandDescriptor(type: "add", summary: "Adds.", arguments: by, required: ["by"]),
        CommandDescriptor(type: "load", summary: "Loads.", arguments: by),
      ], sources: ["numbers"], opening: opening, opened: ["numbers"])
  }

  @Test(
    "has an opening command that is one of its own and can be sent without arguments, or none",
    arguments: [(nil, true), ("load", true), ("add", false), ("open", false), ("", false)])
  func opening(type: Text?, isComplete: Bool) {
    #expect(Self.descriptor(opening: type).isOpeningComplete == isComplete)
  }

  @Test("names the sources that its opening command loads, without those that wait for a question")
  func opened() {
    struct SearchScreen: Screen {
      struct State: ScreenState {
        var stock = LoadState<Int>()
        var places = Lookups<Text, [Text]>()
      }
      static let name: Text = "search"
      static let summary = "Stock, and places that are looked up."
      var parts: [any ScreenPart<State>] {
        [
          Loading("stock", \.stock, from: Source { _ in 7 }) { _, _ in },
          LookingUp("places", \.places) { (_, name) in [name] },
        ]
      }
    }
    let descriptor = DeclaredScreen(SearchScreen()).descriptor
    #expect(descriptor.opening == "appear")
    #expect(descriptor.sources == ["places", "stock"])
    #expect(descriptor.opened == ["stock"])
    #expect(Self.descriptor(opening: "load").opened == ["numbers"])
    #expect(Self.descriptor(opening: nil).opened == [])
  }

  @Test("is refused at registration if two arguments or two commands have one name")
  func repeatedNames() async {
    await #expect(processExitsWith: .failure) {
      let twice = Command("go", "Goes.", .text("to"), .integer("to")) {
        (_: inout Int, _, _) in
      }
      _ = twice.descriptor
    }
    await #expect(processExitsWith: .failure) {
      let taken = Command("go", "Goes.", .text("type")) { (_: inout Int, _) in }
      _ = taken.descriptor
    }
    await #expect(processExitsWith: .failure) {
      struct TwinScreen: Screen {
        struct State: ScreenState {}
        static let name: Text = "twin"
        static let summary = "Two commands of one name."
        var commands: [AnyCommand<State>] {
          Command("go", "Goes.") { (_: inout State) in }
          Command("go", "Goes on.") { (_: inout State) in }
        }
      }
      _ = DeclaredScreen(TwinScreen())
    }
  }

  @Test("has no limits on the sizes of what rows show, because a row may show more than is read")
  func sizes() throws {
    struct Page: Equatable, Sendable {
      let title: Text
      let maxLength: Int
      let tags: [Text]
    }
    let type = RowType("page", of: Page.self) {
      Field("title", \.title)
      Field("maxLength", \.maxLength, .integer(0...9))
      Field("tags", \.tags, .list(of: .text(1...3), atMost: 2))
      Field("all") { $0.tags.map(\.string).joined(separator: " ") }
    }
    let long = Page(title: Text(String(repeating: "x", count: 2_000)), maxLength: 9, tags: ["wide"])
    #expect(type.row("a", long).fields["title"] == .string(long.title))
    #expect(
      try JSONReader(type.descriptor.schema).member("properties").value == [
        "id": ["type": "string"], "type": ["const": "page"], "title": ["type": "string"],
        "maxLength": ["type": "integer", "minimum": 0, "maximum": 9],
        "tags": ["type": "array", "items": ["type": "string"]], "all": ["type": "string"],
      ])
  }

  @Test("is refused at registration if a row sends a command that it does not have")
  func unknownAction() async {
    struct GhostScreen: Screen {
      struct State: ScreenState {}
      static let name: Text = "ghost"
      static let summary = "A row with a command that may be of no screen."
      static let ghost = Command("ghost", "May be in no list.") { (_: inout State) in }
      static let row = RowType("row", of: Int.self) { Action(ghost, "Go") }
      var isListed = false
      var commands: [AnyCommand<State>] { if isListed { Self.ghost } }
      var rowTypes: [RowTypeDescriptor] { Self.row }
    }
    #expect(DeclaredScreen(GhostScreen(isListed: true)).descriptor.rowTypes.count == 1)
    await #expect(processExitsWith: .failure) { _ = DeclaredScreen(GhostScreen()) }
  }

  @Test("is refused at registration if two parts have one place in its state")
  func places() async {
    struct CrowdedScreen: Screen {
      struct State: ScreenState {
        var towns = Lookups<Text, [Text]>()
        var rivers = Lookups<Text, [Text]>()
      }
      static let name: Text = "crowded"
      static let summary = "Towns and rivers that are looked up."
      var rivers: any WritableKeyPath<State, Lookups<Text, [Text]>> & Sendable = \State.rivers
      var parts: [any ScreenPart<State>] {
        [
          LookingUp("towns", \.towns) { (_, name) in [name] },
          LookingUp("rivers", rivers) { (_, name) in [name] },
        ]
      }
    }
    #expect(DeclaredScreen(CrowdedScreen()).descriptor.sources == ["rivers", "towns"])
    await #expect(processExitsWith: .failure) { _ = DeclaredScreen(CrowdedScreen(rivers: \.towns)) }
  }

  @Test("is refused at registration if a part that it keeps is not among its parts")
  func unlistedPart() async {
    struct RiversScreen: Screen {
      struct State: ScreenState { var rivers = LoadState<[Text]>() }
      static let name: Text = "rivers"
      static let summary = "Rivers."
      let rivers = Loading("rivers", \State.rivers, from: Source { _ in ["Saale"] }) { _, _ in }
      var isListed = false
      var parts: [any ScreenPart<State>] { isListed ? [rivers] : [] }
      func body(_ state: State) -> [ListSection] { ListSection("rivers") { rivers.rows(state) } }
    }
    #expect(DeclaredScreen(RiversScreen(isListed: true)).descriptor.sources == ["rivers"])
    let unlisted = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = DeclaredScreen(RiversScreen()) }
    let message = unlisted.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(message?.contains("add the part rivers to parts of the screen rivers") == true)
  }

  @Test("is refused at registration if its opening command cannot be sent")
  func registration() async {
    await #expect(processExitsWith: .failure) {
      let engine = Engine(environment: ScreenEnvironment())
      let store = Store("numbers", Counters(["a": 1]), in: engine)
      var registry = ScreenRegistry(engine)
      registry.register(CounterScreen(store: store, opening: "add"))
    }
  }
}
