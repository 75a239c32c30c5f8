import CanonicalJSON
import Testing

@testable import ViewState

@Suite("A look-up for an input that changes")
struct LookupsTests {
  typealias State = Lookups<String, Int>
  typealias Action = State.Action

  /// Runs actions on fresh look-ups; returns them with what the last action did.
  private func run(_ actions: Action...) -> (State, [LoadStep]) {
    var (state, steps) = (State(), [LoadStep]())
    for action in actions { steps = state.reduce(action, for: "") }
    return (state, steps.filter { $0 != .ignored })
  }

  private func found(_ value: Int, _ token: LoadToken) -> Action { .end(.loaded(value, token)) }

  private let one = LoadToken(ordinal: 1)
  private let two = LoadToken(ordinal: 2)

  @Test("starts with the first query, and ends that of the one before with each other")
  func asking() {
    #expect(run(.ask("a")).1 == [.started(one)])
    #expect(run(.ask("a"), .ask("a")).1 == [])
    #expect(run(.ask("a"), .ask("b")).1 == [.ended(one), .started(two)])
    #expect(run(.ask("a"), .ask("b")).0.field(of: two)?.query == "b")
    #expect(run(.ask("a"), .ask(nil)).1 == [.ended(one)])
    #expect(run(.ask("a"), found(1, one), .ask("b")).1 == [.started(two)])
    #expect(run(.ask("a"), found(1, one), .ask("a")).1 == [])
    #expect(run(.ask("a"), found(1, one), .ask(nil)).0[] == .notRequested)
    #expect(run(.ask(nil)).1 == [])
  }

  @Test("tries once more what failed, and nothing else")
  func retrying() {
    let failure = Action.end(.failed(.timedOut, one))
    #expect(run(.retry).1 == [])
    #expect(run(.ask("a"), .retry).1 == [.refused(.duplicate)])
    #expect(run(.ask("a"), failure, .retry).1 == [.started(two)])
    #expect(run(.ask("a"), failure, .ask("a")).1 == [.started(two)])
    #expect(run(.ask("a"), found(1, one), .retry).1 == [])
    #expect(run(.ask("a"), .cancel).0[] == .failed(.cancelled, previous: nil))
    #expect(run(.ask("a"), .cancel, .retry).1 == [.started(two)])
  }

  @Test("takes only the result of the newest query, and none if there is nothing to look up")
  func lateness() {
    #expect(run(.ask("a"), .ask("b"), found(1, one)).1 == [.refused(.late)])
    #expect(run(.ask("a"), .ask("b"), found(1, one)).0[].isLoading)
    #expect(run(.ask("a"), .ask("b"), found(1, two)).0[] == .loaded(1))
    #expect(run(.ask("a"), .ask(nil), found(1, one)).0 == run(.ask("a"), .ask(nil)).0)
    // The same query once more is another look-up.
    #expect(run(.ask("a"), .ask("b"), .ask("a"), found(1, one)).1 == [.refused(.late)])
  }

  @Test("shows the value of the query before until its own look-up ends")
  func previous() {
    let typed: [Action] = [.ask("a"), found(1, one), .ask("b")]
    func shown(_ actions: Action...) -> Int? {
      var state = State()
      for action in typed + actions { _ = state.reduce(action, for: "") }
      return state.shown()
    }
    #expect(shown() == 1)
    #expect(shown(.ask("c")) == 1)
    #expect(shown(found(2, two)) == 2)
    #expect(shown(.ask("c"), found(2, two)) == 1)
    for end in [.cancel, .ask(nil), .end(.failed(.unavailable, two))] as [Action] {
      #expect(shown(end) == nil && shown(end, .ask("c")) == nil)
    }
    #expect(run(.ask("a")).0.shown() == nil && State().shown() == nil)
  }

  @Test("shows and records that nothing was found for the query before, if that is a value")
  func previousNothing() throws {
    var state = Lookups<String, Int?>()
    state.ask("a")
    _ = state.reduce(.end(.loaded(nil, one)), for: "")
    state.ask("b")
    #expect(state.shown() == .some(nil))
    let record = try JSONValue(encoding: state)
    #expect(try record.decode(Lookups<String, Int?>.self) == state, "\(record)")
  }

  @Test("looks up the same query again, and shows what was found until then, also after a failure")
  func reloading() {
    var (state, _) = run(.ask("a"), found(1, one))
    state.reload()
    #expect(state.running.map(\.token) == [two] && state.running[0].isReload && state.shown() == 1)
    #expect(state[] == .isLoading(previous: 1) && state.field(of: two)?.query == "a")
    // Once more, while it runs: only the newest counts.
    state.reload()
    let three = two.next
    #expect(state.running.map(\.token) == [three])
    #expect(state.reduce(found(2, two), for: "") == [.refused(.late)])
    _ = state.reduce(.end(.failed(.unavailable, three)), for: "")
    #expect(state[] == .failed(.unavailable, previous: 1) && state.shown() == 1)
    state.retry()
    #expect(state.shown() == 1 && !state.running[0].isReload)
    _ = state.reduce(found(3, three.next), for: "")
    #expect(state[] == .loaded(3))
    state.reload()
    state.cancel()
    #expect(state[] == .loaded(3))
    state.reload()
    state.ask("b")
    #expect(state.shown() == 3 && state[] == .isLoading(previous: nil))
    var empty = State()
    empty.reload()
    #expect(empty == State())
  }

  @Test("changes what was found, until a look-up brings another value")
  func changing() {
    var (state, _) = run(.ask("a"))
    state.change { $0 += 10 }
    #expect(state[] == .isLoading(previous: nil))
    _ = state.reduce(found(1, one), for: "")
    state.change { $0 += 10 }
    #expect(state[] == .loaded(11))
    state.reload()
    state.change { $0 += 10 }
    #expect(state.shown() == 21 && state.running.map(\.token) == [two])
    // What was found for another query is not the value of this one.
    state.ask("b")
    state.change { $0 += 10 }
    #expect(state.shown() == 21)
  }

  @Test("shares the count of tokens with other inputs, so that no result fits two of them")
  func tokens() {
    var state = State()
    state.ask("a", for: "x")
    state.ask("b", for: "y")
    #expect(state.running.map(\.token) == [one, two])
    // A duplicate leaves the count alone.
    state.retry("x")
    state.ask("c", for: "y")
    #expect(state.running.map(\.token.ordinal) == [1, 3])
    #expect(state.reduce(found(1, two), for: "y") == [.refused(.late)])
    state.keep { $0 == "x" }
    #expect(
      state.field(of: one)?.key == "x" && state.running.map(\.token) == [one]
        && state["y"] == .notRequested)
    state.ask("b", for: "y")
    #expect(state.running.map(\.token.ordinal) == [1, 4])
    state.reload("x")
    #expect(state.running.map(\.token.ordinal) == [5, 4])
  }

  @Test("has one state for all inputs that are shown: loading first, then failed")
  func states() {
    var state = State()
    let all: (Text) -> Bool = { _ in true }
    var count = 0
    func counted() -> (Text) -> Bool {
      count += 1
      return all
    }
    // What is shown is found only if there is a look-up.
    let name = state.stateName(where: counted())
    #expect(name == "notRequested" && count == 0)
    state.ask("a", for: "x")
    state.ask("b", for: "y")
    state.ask("c", for: "z")
    _ = state.reduce(found(1, one), for: "x")
    _ = state.reduce(.end(.failed(.timedOut, two)), for: "y")
    #expect(state.stateName(where: all) == "isLoading")
    #expect(state.stateName(where: { $0 != "z" }) == "failed")
    #expect(state.stateName(where: { $0 == "x" }) == "loaded")
  }

  @Test("is drawn by running it")
  func machine() {
    let machine = Lookups<Int, Bool>.machine(of: "registry", commands: ("type", nil, nil, "stop"))
    #expect(machine.states == ["notRequested", "isLoading", "loaded", "failed"])
    #expect(
      machine.transitions.contains {
        $0.from == "isLoading" && $0.event == "type: ask" && $0.effects == ["end", "start"]
      })
    #expect(
      Set(machine.transitions.compactMap { move in move.command.map { [$0.string, move.event] } })
        == [["type", "type: ask"], ["type", "type: ask the same"], ["stop", "stop: cancel"]])
  }
}
