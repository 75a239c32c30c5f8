import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("The table of the form screen")
struct FormTableTests {
  static let rows: JSONValue = [
    ["id": "tax", "kind": "taxNumber", "label": "Tax", "required": true],
    ["id": "b", "kind": "button", "text": "B", "does": "submit"],
    ["id": "g", "kind": "group", "text": "G", "rows": FormOperationTests.headers("h")],
  ]
  static let (mill, bikes) = (FormLookupTests.mill, FormLookupTests.bikes)

  /// Every command, the one state of the three sources that decides about it, and whether it is
  /// taken, starts something, or is refused in each.
  enum Fate { case taken, pending, ignored, refused }

  /// How each state of a source is reached.
  enum Stage: String, CaseIterable {
    case notRequested, isLoading, loaded, failed

    func reach(_ fixture: FormFixture, by command: JSONValue, _ source: FormSource)
      async throws
    {
      if self == .notRequested { return }
      if self == .failed { try await fixture.script(source, .fail) }
      try await fixture.send(command)
      if self != .isLoading { try fixture.wait(.seconds(3)) }
      try require(fixture.state(source) == Text(rawValue), "\(source) is not \(rawValue)")
    }
  }

  private func fate(_ fixture: FormFixture, _ command: JSONValue) async throws -> Fate {
    do {
      let outcome = try await fixture.send(command)
      if outcome.isPending { return .pending }
      return outcome.isAccepted ? .taken : .ignored
    } catch CommandFailure.refused {
      return .refused
    }
  }

  private func check(
    _ source: FormSource, by start: JSONValue, _ command: JSONValue, _ fates: [Fate],
    prepare: (FormFixture) async throws -> Void = { _ in }
  ) async throws {
    for (stage, expected) in zip(Stage.allCases, fates) {
      let fixture = try FormFixture([["id": "s", "rows": Self.rows]], entries: 30)
      try await prepare(fixture)
      try await stage.reach(fixture, by: start, source)
      let fate = try await fate(fixture, command)
      #expect(fate == expected, "\(command) while \(source) is \(stage)")
    }
  }

  @Test("has a fate for each command on the activity in each of its states")
  func activity() async throws {
    let load: JSONValue = ["type": "loadActivity"]
    for (command, fates) in [
      ("loadActivity", [.pending, .ignored, .pending, .pending]),
      ("loadNextPage", [.ignored, .ignored, .pending, .ignored]),
      ("retryPage", [.ignored, .ignored, .ignored, .pending]),
      ("cancelPage", [.ignored, .taken, .ignored, .ignored]),
    ] as [(JSONValue, [Fate])] {
      try await check(.activity, by: load, ["type": command], fates)
    }
  }

  @Test("has a fate for each event of a tax number in each state of its look-up")
  func registry() async throws {
    let enter: JSONValue = ["type": "didChange", "row": "tax", "value": Self.mill]
    for (command, fates) in [
      (
        ["type": "didChange", "row": "tax", "value": Self.bikes],
        [.pending, .pending, .pending, .pending]
      ),
      (enter, [.pending, .ignored, .ignored, .pending]),
      (["type": "didChange", "row": "tax", "value": "DE1"], [.taken, .taken, .taken, .taken]),
      (["type": "didTap", "row": "tax/loading"], [.refused, .taken, .refused, .refused]),
      (["type": "didTap", "row": "tax/failed"], [.refused, .refused, .refused, .pending]),
      // Nothing is to be filled in.
      (["type": "didSelect", "row": "tax/company/1"], [.refused, .refused, .ignored, .refused]),
      (["type": "didSelect", "row": "tax/company/9"], [.refused, .refused, .refused, .refused]),
      (["type": "didSelect", "row": "g"], [.taken, .taken, .taken, .taken]),
      (["type": "reset"], [.ignored, .taken, .taken, .taken]),
    ] as [(JSONValue, [Fate])] {
      try await check(.registry, by: enter, command, fates)
    }
  }

  @Test("has a fate for each command on the sending in each of its states")
  func submission() async throws {
    let send: JSONValue = ["type": "submit"]
    func prepare(_ fixture: FormFixture) async throws {
      try await fixture.change("tax", Self.mill)
      try fixture.wait(.seconds(2))
    }
    for (command, fates) in [
      (send, [.pending, .ignored, .ignored, .pending]),
      (["type": "didTap", "row": "b"], [.pending, .ignored, .ignored, .pending]),
      (["type": "cancelSubmit"], [.ignored, .taken, .ignored, .ignored]),
      (["type": "reset"], [.taken, .taken, .taken, .taken]),
      (["type": "didChange", "row": "tax", "value": ""], [.taken, .taken, .taken, .taken]),
      (
        ["type": "apply", "operations": [["operation": "clear"]]], [.taken, .taken, .taken, .taken]
      ),
    ] as [(JSONValue, [Fate])] {
      try await check(.submission, by: send, command, fates, prepare: prepare)
    }
  }

  @Test("is what the state machines of the screen say")
  func machines() throws {
    let fixture = try FormFixture([])
    let machines = try #require(fixture.registry.stateMachines(of: "form"))
    #expect(machines.map(\.name) == ["activity", "registry", "submission", "field", "group"])
    let states = ["notRequested", "isLoading", "loaded", "failed"]
    #expect(machines[1].states == states && machines[2].states == states)
    #expect(machines[0].states == states && machines[3].states == ["untouched", "right", "wrong"])
    #expect(machines[4].states == ["expanded", "collapsed"])
    for machine in machines {
      let cells = Set(machine.transitions.map { [$0.from, $0.event] })
      #expect(cells.count == machine.states.count * machine.events.count, "\(machine.name)")
    }
    let sources = Set(fixture.registry.descriptors[0].sources)
    #expect(sources == Set(machines[0...2].map { Text($0.name) }))
  }
}
