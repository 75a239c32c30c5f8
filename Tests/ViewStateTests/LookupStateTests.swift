import Testing
import ViewState

@Suite("A look-up for an input that changes")
struct LookupStateTests {
  typealias State = LookupState<String, Int>
  typealias Action = LookupAction<String, Int>

  /// Runs actions on a fresh look-up; returns it with the effects of the last action.
  private func run(_ actions: Action..., newest: Int = 0) -> (State, [String]) {
    var (state, token) = (State(), LoadToken(ordinal: newest))
    var effects: [Effect<String>] = []
    for action in actions { effects = state.reduce(action, newest: &token, of: { $0 }) }
    return (
      state,
      effects.map { effect in
        switch effect {
        case .start(let query, let token): "start \(query) \(token.ordinal)"
        case .end(let query, let token): "end \(query) \(token.ordinal)"
        case .record(_, let refusal, _, _): refusal.rawValue
        }
      }
    )
  }

  private let one = LoadToken(ordinal: 1)
  private let two = LoadToken(ordinal: 2)

  @Test("starts with the first query, and ends that of the one before with each other")
  func asking() {
    #expect(run(.ask("a")).1 == ["start a 1"])
    #expect(run(.ask("a"), .ask("a")).1 == [])
    #expect(run(.ask("a"), .ask("b")).1 == ["end a 1", "start b 2"])
    #expect(run(.ask("a"), .ask(nil)).1 == ["end a 1"])
    #expect(run(.ask("a"), .found(1, one), .ask("b")).1 == ["start b 2"])
    #expect(run(.ask("a"), .found(1, one), .ask("a")).1 == [])
    #expect(run(.ask("a"), .found(1, one), .ask(nil)).0.load.loadable == .notRequested)
    #expect(run(.ask(nil)).1 == [])
  }

  @Test("tries once more what failed, and nothing else")
  func retrying() {
    #expect(run(.retry).1 == [])
    #expect(run(.ask("a"), .retry).1 == ["duplicate"])
    #expect(run(.ask("a"), .failed(.timedOut, one), .retry).1 == ["start a 2"])
    #expect(run(.ask("a"), .failed(.timedOut, one), .ask("a")).1 == ["start a 2"])
    #expect(run(.ask("a"), .found(1, one), .retry).1 == [])
    #expect(run(.ask("a"), .cancel).0.load.loadable == .failed(.cancelled, previous: nil))
    #expect(run(.ask("a"), .cancel, .retry).1 == ["start a 2"])
  }

  @Test("takes only the result of the newest query, and none where there is nothing to look up")
  func lateness() {
    #expect(run(.ask("a"), .ask("b"), .found(1, one)).1 == ["late"])
    #expect(run(.ask("a"), .ask("b"), .found(1, one)).0.load.loadable.isLoading)
    #expect(run(.ask("a"), .ask("b"), .found(1, two)).0.load.loadable == .loaded(1))
    #expect(run(.ask("a"), .ask(nil), .found(1, one)).0 == run(.ask("a"), .ask(nil)).0)
    // The same query once more is another look-up.
    #expect(run(.ask("a"), .ask("b"), .ask("a"), .found(1, one)).1 == ["late"])
  }

  @Test("shares the count of tokens with others, so that no result fits two of them")
  func tokens() {
    #expect(run(.ask("a"), newest: 7).1 == ["start a 8"])
    #expect(run(.ask("a"), .ask("b"), newest: 7).1 == ["end a 8", "start b 9"])
  }

  @Test("leaves the count alone if it is asked once more for what it is looking up")
  func duplicates() throws {
    var (one, other, newest) = (State(), State(), LoadToken(ordinal: 0))
    func ask(_ state: inout State, _ action: Action) -> [Effect<String>] {
      state.reduce(action, newest: &newest, of: { $0 })
    }
    _ = ask(&one, .ask("a"))
    _ = ask(&other, .ask("b"))
    _ = ask(&one, .retry)
    #expect(newest == two)
    // Were a token used again, what is found for "b" would be taken for "c".
    _ = ask(&other, .ask("c"))
    _ = ask(&other, .found(1, two))
    #expect(other.load.loadable.isLoading)
  }

  @Test("is drawn by running it")
  func machine() {
    let machine = State.machine(of: "registry", queries: ("a", "b"), sample: 1)
    #expect(machine.states == ["notRequested", "isLoading", "loaded", "failed"])
    #expect(
      machine.transitions.contains {
        $0.from == "isLoading" && $0.event == "ask" && $0.effects == ["end", "start"]
      })
  }
}
