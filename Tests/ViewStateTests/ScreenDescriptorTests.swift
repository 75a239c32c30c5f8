import CanonicalJSON
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
      ], sources: ["numbers"], opening: opening)
  }

  @Test(
    "has an opening command that is one of its own and can be sent without arguments, or none",
    arguments: [(nil, true), ("load", true), ("add", false), ("open", false), ("", false)])
  func opening(type: Text?, isComplete: Bool) {
    #expect(Self.descriptor(opening: type).isOpeningComplete == isComplete)
  }

  @Test("is refused at registration if its opening command cannot be sent")
  func registration() async {
    await #expect(processExitsWith: .failure) {
      let engine = Engine(environment: ScreenEnvironment(scheduler: ClockScheduler()))
      let store = Store("numbers", Counters(["a": 1]), in: engine)
      var registry = ScreenRegistry(engine)
      registry.register(CounterScreen(store: store, opening: "add"))
    }
  }
}
