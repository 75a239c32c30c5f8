import CanonicalJSON
import Snapshots
import Testing
import ViewState

@Suite("A part that is loaded from one source")
struct LoadingTests {
  struct State: ScreenState {
    var value = LoadState<Int>()
  }

  static let lead = RowType("lead", of: NoFields.self)
  static let value = RowType("value", of: Int.self) { Field("n", \Int.self) }

  static func part(
    _ name: Text, policy: RefreshPolicy = .keepPrevious
  ) -> Loading<State, Int> {
    Loading(
      name, \.value, from: Source(name) { _ in 7 }, policy: { _ in policy },
      error: ("error", "Failed."), heading: { lead("\(name)/lead") }
    ) { shown, isLoading in
      if let shown {
        Self.value(isLoading ? "refreshing" : "value", shown)
      } else if isLoading {
        Self.lead("loading")
      }
    }
  }

  static func rows(_ state: Loadable<Int>, of part: Loading<State, Int>) -> [Row] {
    Array(Section(id: "s", rows: part.rows(State(value: LoadState(state)))).rows)
  }

  @Test(
    "has the rows of its state and policy",
    arguments: [
      (.notRequested, [], []), (.isLoading(previous: nil), ["loading"], ["loading"]),
      (.isLoading(previous: 7), ["refreshing"], ["loading"]), (.loaded(7), ["value"], ["value"]),
      (.failed(.timedOut, previous: nil), ["s/error"], ["s/error"]),
      (.failed(.timedOut, previous: 7), ["s/error", "value"], ["s/error"]),
    ] as [(Loadable<Int>, [Text], [Text])])
  func rows(state: Loadable<Int>, keeping: [Text], blank: [Text]) {
    for (policy, ids) in [(RefreshPolicy.keepPrevious, keeping), (.blank, blank)] {
      let rows = Self.rows(state, of: Self.part("s", policy: policy))
      #expect(rows.map(\.id) == ["s/lead"] + ids)
    }
  }

  @Test("names its commands after itself, unless told otherwise")
  func commands() {
    #expect(Self.part("posts").commands.map(\.descriptor.type) == ["loadPosts", "cancelPosts"])
    let named = Loading<State, Int>(
      "posts", \.value, from: Source("posts") { _ in 7 }, commands: ("load", "cancel")
    ) { _, _ in }
    #expect(named.commands.map(\.descriptor.type) == ["load", "cancel"])
  }

  @Test("offers to load again after a failure, with the stable code of the failure")
  func retry() {
    let rows = Self.rows(.failed(.timedOut, previous: nil), of: Self.part("s"))
    #expect(rows.last?.fields["code"] == "timed-out" && rows.last?.fields["text"] == "Failed.")
    #expect(rows.last?.fields["action"] == ["title": "Retry", "command": ["type": "loadS"]])
  }
}
