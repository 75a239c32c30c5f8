import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("A state machine made from the code")
struct StateMachineTests {
  typealias Cell = [String]

  @Test("has, for each half of the profile, the cells of the table and no others")
  func profile() throws {
    let machines = try #require(ProfileFixture().registry.stateMachines(of: "profile"))
    #expect(machines.map(\.name) == ["posts", "profile"])
    for machine in machines {
      #expect(machine.states == ["notRequested", "isLoading", "loaded", "failed"])
      let (load, cancel) =
        machine.name == "posts"
        ? ("loadPosts", "cancelPosts")
        : ("loadProfile", "cancelProfile")
      #expect(machine.events == [load, "loaded", "failed", "late result", cancel, "changed"])
      #expect(Set(machine.transitions.compactMap(\.command)) == [Text(load), Text(cancel)])
      let moves = machine.transitions.filter { $0.from != $0.to }
      #expect(
        Set(moves.map { [$0.from, $0.event, $0.to] + $0.effects }) == [
          ["notRequested", load, "isLoading", "start"],
          ["loaded", load, "isLoading", "start"], ["failed", load, "isLoading", "start"],
          ["isLoading", "loaded", "loaded", "end"], ["isLoading", "failed", "failed", "end"],
          ["isLoading", cancel, "loaded", "end"], ["isLoading", cancel, "failed", "end"],
        ])
      // A write is shown wherever there are rows of before, also while they load and after a failure.
      let writes = machine.transitions.filter { $0.event == "changed" }
      #expect(writes.allSatisfy { $0.from == $0.to })
      #expect(
        Set(writes.map { [$0.from] + $0.effects }) == [
          ["notRequested"], ["isLoading"], ["isLoading", "show"], ["loaded", "show"], ["failed"],
          ["failed", "show"],
        ])
      let cells = Set(machine.transitions.map { [$0.from, $0.event] as Cell })
      #expect(cells.count == machine.states.count * machine.events.count)
      #expect(
        machine.transitions.filter { $0.event == "late result" }.allSatisfy {
          $0.from == $0.to && $0.effects == ["record late"]
        })
    }
  }

  @Test("has every command of the scoreboards in every state")
  func scoreboards() throws {
    let store = ScoreboardStore("scoreboards", ScoreboardData(), in: .still())
    let registry = ScreenRegistry(
      store.engine, of: ScoreboardsScreen(store: store), ScoreboardScreen(store: store))
    for screen in registry.descriptors {
      let machine = try #require(registry.stateMachines(of: screen.name)?.first)
      #expect(machine.states.count >= 3)
      #expect(Set(machine.transitions.compactMap(\.command)) == Set(screen.commands.map(\.type)))
      let cells = Set(machine.transitions.map { [$0.from, $0.event] as Cell })
      #expect(cells.count == machine.states.count * machine.events.count)
    }
  }

  @Test("draws what moves, and leaves out what does not")
  func mermaid() throws {
    let machine = StateMachine(
      name: "a door", exploring: [false, true], on: ["open", "shut"],
      stateName: { $0 ? "open" : "shut" }, eventName: { $0 }
    ) { isOpen, event in
      isOpen = event == "open"
      return []
    }
    #expect(
      StateMachine.mermaid([machine]) == """
        stateDiagram-v2
          state "a door" as a_door {
            state "shut" as a_door_shut
            state "open" as a_door_open
            [*] --> a_door_shut
            a_door_shut --> a_door_open: open
            a_door_open --> a_door_shut: shut
          }

        """)
  }
}
