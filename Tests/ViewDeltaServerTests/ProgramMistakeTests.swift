import ArgumentParser
import CanonicalJSON
import Forms
import MicroHTTP
import Snapshots
import TestSupport
import Testing
import ViewDelta
import ViewDeltaServer
import ViewDeltaTesting
import ViewState

private struct ProperScreen: MistakenScreen { static let name: Text = "Proper.screen-2_0" }
private struct SlashScreen: MistakenScreen { static let name: Text = "my/plain" }
private struct SpacedScreen: MistakenScreen { static let name: Text = "My Plain" }

/// Two parts have one name.
private struct TwinParts: MistakenScreen {
  typealias State = LookingState
  static let name: Text = "twins"
  var parts: [any ScreenPart<State>] { [part, part] }
  private var part: LookingUp<State, Text, Text> {
    LookingUp("places", \.places) { _, name in name }
  }
}

/// Two properties that are not what the protocol asks for.
private struct SharedScreen: MistakenScreen {
  static let name: Text = "shared"
  let isPersonal = true
}
private struct MuteScreen: MistakenScreen {
  static let name: Text = "mute"
  let language: Language = .de
}

/// The rows send a command that is not among those of the screen.
private struct DeafScreen: MistakenScreen {
  static let name: Text = "deaf"
  static let press = Command("press", "Counts.") { (state: inout State) in state.number += 1 }
  var rowTypes: [RowTypeDescriptor] {
    RowType("key", of: Int.self) {
      Field("n", \Int.self)
      Action(Self.press, "Press")
    }
  }
}

/// A form with a command of its own, which takes the place of those of the form.
private struct DeafForm: Screen {
  struct State: ScreenState, FormState {
    var fields = FormFields<StandardKinds>(FormKinds.standard.outline([["id": "you", "rows": []]]))
  }

  static let name: Text = "deafForm"
  static let summary = "A form."
  var commands: [AnyCommand<State>] {
    Command("clear", "Starts over.") { (state: inout State) in state.startOver() }
  }
}

/// A form whose row is of an unknown kind.
private struct MistypedForm: Screen {
  struct State: ScreenState, FormState {
    var fields = FormFields<StandardKinds>(MistypedForm.outline)
  }

  static let name: Text = "mistyped"
  static let summary = "A form."
  static let outline = FormKinds.standard.outline([
    ["id": "you", "rows": [["id": "name", "kind": "txt", "label": "Name"]]]
  ])
}

/// A resource that declares its id as a field.
private struct Stamped: Resource {
  let id: ResourceID
  var text: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("id", \Stamped.id.text), Field("text", \Stamped.text)]
}

/// A resource without a mistake.
private struct Noted: Resource {
  let id: ResourceID
  var text: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("text", \Noted.text)]
}

/// A resource with two fields of one name, one of them an alias.
private struct Doubled: Resource {
  let id: ResourceID
  var text: Text = ""
  var title: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [
    Field("text", \Doubled.text), Field("title", \Doubled.title, aliases: ["text"]),
  ]
}

private struct CollectionFeature<Model: Resource>: Feature {
  var path = "/v1/all"

  func register(in application: inout ApplicationBuilder) {
    let store = Store("all", ResourceCollection<Model>("one"), in: application.engine)
    application.add(collection: store, at: path)
  }
}

private func start(@FeatureBuilder _ features: () throws -> [any Feature]) throws {
  let environment = ScreenEnvironment(scheduler: ManualScheduler())
  _ = try Application(ApplicationConfiguration(environment: environment), features: features)
}

/// Each ends the process, so each runs in one of its own.
@Suite("A mistake in the code of a program")
struct ProgramMistakeTests {
  @Test("in the name of a screen, which no path could have, ends the start")
  func screenName() async {
    let slash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { SlashScreen() }
    }
    expect("“my/plain” cannot be the name of a screen", in: slash)
    let space = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { SpacedScreen() }
    }
    expect("“My Plain” cannot be the name of a screen", in: space)
    #expect(throws: Never.self) { try start { ProperScreen() } }
  }

  @Test("in the keys of a screen, which no path could have, ends the start")
  func keys() async {
    let slash = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { ScreenFeature(ProperScreen(), keys: .only(["a", "a/b"])) }
    }
    expect("“a/b” cannot be a key of the screen Proper.screen-2_0", in: slash)
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { ScreenFeature(ProperScreen(), keys: .only([""])) }
    }
    expect("“” cannot be a key", in: empty)
    let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start {
        ScreenFeature(ProperScreen(), keys: .collection(path: "/v1/nothing", title: nil))
      }
    }
    expect("has the keys of the collection /v1/nothing, which has no endpoints", in: path)
  }

  @Test("in the names of parts, or a command that is not listed, ends the start")
  func parts() async {
    let twins = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { TwinParts() }
    }
    expect("two parts of the screen twins are named places", in: twins)
    let deaf = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { DeafScreen() }
    }
    expect("rows of the screen deaf send these commands, which it does not have: press. ", in: deaf)
    let form = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { DeafForm() }
    }
    expect(
      "which it does not have: didSelect, didTap. Add them to its commands, those of a form by State.formCommands",
      in: form)
  }

  @Test("by which a property has not the type that a screen needs, and no effect, ends the start")
  func properties() async {
    let shared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { SharedScreen() }
    }
    expect("make isPersonal of the screen shared static", in: shared)
    let mute = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { MuteScreen() }
    }
    expect("give language of the screen mute the type Language?", in: mute)
  }

  @Test("in the path of a collection, below which no path of a resource would be, ends the start")
  func collectionPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { CollectionFeature<Noted>(path: "/v1/notes/") }
    }
    expect("the path /v1/notes/ must not end with a slash", in: result)
    #expect(throws: Never.self) { try start { CollectionFeature<Noted>(path: "/v1/notes") } }
  }

  @Test("in the interval of a source, which would be called without a pause, ends the start")
  func interval() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Source(every: .zero) { _ in 1 }
    }
    expect("a source cannot be loaded every 0.0 seconds", in: none)
    let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Source(every: .seconds(-1)) { _ in 1 }
    }
    expect("a source cannot be loaded every -1.0 seconds", in: negative)
  }

  @Test("in the latencies of sources ends the start, which names the program and not an option")
  func latencies() async {
    let result = await #expect(
      processExitsWith: .exitCode(70), observing: [\.standardErrorContent]
    ) {
      do {
        let options = try ServeOptions.parse(["--port", "0", "--latency", "other=1s"])
        try await options.serve(latencies: Latencies(["likes": .zero])) { ProperScreen() }
      } catch {
        ServeOptions.exit(withError: error)
      }
    }
    expect(
      ": the latencies of the program: no screen has a source 'likes'; there are no", in: result)
  }

  @Test("in the description of a form ends the start")
  func form() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { MistypedForm() }
    }
    expect("there are no rows of this kind (/sections/0/rows/0/kind)", in: result)
  }

  @Test("in the names of the fields of a resource ends the start")
  func fields() async {
    let id = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { CollectionFeature<Stamped>() }
    }
    expect("resources of type Stamped have several members named id", in: id)
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try start { CollectionFeature<Doubled>() }
    }
    expect("resources of type Doubled have several members named text", in: twice)
  }

  @Test("that makes a start fail with a failure of a load is told in its words")
  func loadFailure() {
    let plain = LoadFailure(code: "file", message: "There is no file.")
    #expect("\(plain)" == "file: There is no file.")
    #expect("\(LoadFailure(code: "file", message: "None.", reason: "x.txt"))" == "file: x.txt")
  }
}
