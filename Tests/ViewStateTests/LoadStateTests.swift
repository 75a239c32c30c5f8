import CanonicalJSON
import Testing

@testable import ViewState

/// The reducer of one source as a table: each state meets each action.
@Suite("The reducer of a source")
struct LoadStateTests {
  struct Cell: Sendable, CustomTestStringConvertible {
    let state: Loadable<Int>
    let action: LoadAction<Int>
    let next: Loadable<Int>
    let step: LoadStep

    init(
      _ state: Loadable<Int>, _ action: LoadAction<Int>, _ next: Loadable<Int>, _ step: LoadStep
    ) {
      (self.state, self.action, self.next, self.step) = (state, action, next, step)
    }

    var testDescription: String { "\(state) meets \(action)" }
  }

  /// The load that every state below is of.
  static let token = LoadToken(ordinal: 3)
  static let late = LoadToken(ordinal: 2)

  /// The twelve cells of load, loaded and failed.
  static let loads: [Cell] = [
    Cell(.notRequested, .load, .isLoading(previous: nil), .started(token.next)),
    Cell(.notRequested, .loaded(1, token), .notRequested, .refused(.impossible)),
    Cell(.notRequested, .failed(.unavailable, token), .notRequested, .refused(.impossible)),

    Cell(.isLoading(previous: nil), .load, .isLoading(previous: nil), .refused(.duplicate)),
    Cell(.isLoading(previous: nil), .loaded(1, token), .loaded(1), .ended(token)),
    Cell(
      .isLoading(previous: nil), .failed(.unavailable, token),
      .failed(.unavailable, previous: nil), .ended(token)),

    Cell(.loaded(7), .load, .isLoading(previous: 7), .started(token.next)),
    Cell(.loaded(7), .loaded(1, token), .loaded(7), .refused(.impossible)),
    Cell(.loaded(7), .failed(.unavailable, token), .loaded(7), .refused(.impossible)),

    Cell(.failed(.timedOut, previous: nil), .load, .isLoading(previous: nil), .started(token.next)),
    Cell(
      .failed(.timedOut, previous: nil), .loaded(1, token), .failed(.timedOut, previous: nil),
      .refused(.impossible)),
    Cell(
      .failed(.timedOut, previous: nil), .failed(.unavailable, token),
      .failed(.timedOut, previous: nil), .refused(.impossible)),
  ]

  /// What a previous value adds to them.
  static let refreshes: [Cell] = [
    Cell(.isLoading(previous: 7), .load, .isLoading(previous: 7), .refused(.duplicate)),
    Cell(.isLoading(previous: 7), .loaded(1, token), .loaded(1), .ended(token)),
    Cell(
      .isLoading(previous: 7), .failed(.unavailable, token), .failed(.unavailable, previous: 7),
      .ended(token)),
    Cell(.failed(.timedOut, previous: 7), .load, .isLoading(previous: 7), .started(token.next)),
  ]

  static let cancels: [Cell] = [
    Cell(.notRequested, .cancel, .notRequested, .ignored),
    Cell(.isLoading(previous: nil), .cancel, .failed(.cancelled, previous: nil), .ended(token)),
    Cell(.isLoading(previous: 7), .cancel, .loaded(7), .ended(token)),
    Cell(.loaded(7), .cancel, .loaded(7), .ignored),
    Cell(.failed(.timedOut, previous: 7), .cancel, .failed(.timedOut, previous: 7), .ignored),
  ]

  static let writes: [Cell] = [
    Cell(.notRequested, .changed(9), .notRequested, .ignored),
    Cell(.isLoading(previous: nil), .changed(9), .isLoading(previous: nil), .ignored),
    Cell(.isLoading(previous: 7), .changed(9), .isLoading(previous: 9), .replaced),
    Cell(.loaded(7), .changed(9), .loaded(9), .replaced),
    Cell(
      .failed(.timedOut, previous: nil), .changed(9), .failed(.timedOut, previous: nil), .ignored),
    Cell(.failed(.timedOut, previous: 7), .changed(9), .failed(.timedOut, previous: 9), .replaced),
  ]

  static let results: [LoadAction<Int>] = [.loaded(1, late), .failed(.unavailable, late)]
  static let lateResults: [Cell] =
    ([
      .notRequested, .isLoading(previous: nil), .isLoading(previous: 7), .loaded(7),
      .failed(.timedOut, previous: nil),
    ] as [Loadable<Int>]).flatMap { state in
      results.map { Cell(state, $0, state, .refused(.late)) }
    }

  @Test("is called anew only for a reload, not for the load after it")
  func reload() {
    var state = LoadState<Int>()
    state.load()
    state.reload()
    #expect(state.isReload)
    _ = state.reduce(.loaded(1, state.token))
    state.load()
    #expect(!state.isReload && state.loadable.isLoading)
  }

  @Test("follows the table", arguments: loads + refreshes + cancels + writes + lateResults)
  func cells(_ cell: Cell) {
    var state = LoadState(cell.state, token: Self.token)
    let step = state.reduce(cell.action)
    #expect(state.loadable == cell.next)
    #expect(step == cell.step)
    let isNewLoad = step == .started(Self.token.next)
    #expect(state.token == (isNewLoad ? Self.token.next : Self.token))
  }

  @Test("changes a value that there is, and starts and ends nothing by that")
  func changing() {
    var state = LoadState(Loadable.loaded(7), token: Self.token)
    state.change { $0 += 1 }
    #expect(state == LoadState(.loaded(8), token: Self.token))
    state.load()
    state.change { $0 += 1 }
    #expect(state == LoadState(.isLoading(previous: 9), token: Self.token.next))
    var empty = LoadState<Int>()
    empty.change { $0 += 1 }
    #expect(empty == LoadState())
  }

  @Test("makes an incident of an action that it does not allow, and of no other")
  func incidents() {
    var state = LoadState<Int>()
    #expect(state.reduce(.load, of: "posts") == nil)
    #expect(
      state.reduce(.load, of: "posts")
        == .transition(source: "posts", .duplicate, action: "load", state: "isLoading"))
    #expect(state.reduce(.loaded(1, state.token), of: "posts") == nil)
    #expect(state.reduce(.changed(2), of: "posts") == nil)
  }
}
