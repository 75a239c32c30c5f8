import CanonicalJSON
import Snapshots
import Testing
import ViewState

@Suite("A part that is loaded from one source")
struct LoadingChildTests {
  static func child(_ source: Text, policy: RefreshPolicy = .keepPrevious) -> LoadingChild<Int> {
    LoadingChild(
      source: source, load: CommandDescriptor(type: "load-\(source)", summary: "Loads."),
      cancel: CommandDescriptor(type: "cancel-\(source)", summary: "Cancels."), policy: policy,
      look: LoadingLook(
        error: (type: "error", text: "Failed."),
        lead: { _ in Row(id: "\(source)/lead", type: "lead") },
        placeholder: { isLoading, _ in
          if isLoading { Row(id: "\(source)/loading", type: "loading") }
        },
        content: { value, isLoading, _ in
          Row(id: "\(source)/\(value)", type: isLoading ? "refreshing" : "value")
        }),
      sample: 1)
  }

  @Test(
    "has the rows of its state and policy",
    arguments: [
      (.notRequested, [], []), (.isLoading(previous: nil), ["loading"], ["loading"]),
      (.isLoading(previous: 7), ["refreshing"], ["loading"]), (.loaded(7), ["value"], ["value"]),
      (.failed(.timedOut, previous: nil), ["error"], ["error"]),
      (.failed(.timedOut, previous: 7), ["error", "value"], ["error"]),
    ] as [(Loadable<Int>, [Text], [Text])])
  func rows(state: Loadable<Int>, keeping: [Text], blank: [Text]) {
    for (policy, types) in [(RefreshPolicy.keepPrevious, keeping), (.blank, blank)] {
      var cache = RowCache()
      let rows = Section(
        id: "s", rows: Self.child("s", policy: policy).rows(LoadState(state), &cache)
      ).rows
      #expect(rows.map(\.type) == ["lead"] + types)
    }
  }

  @Test("takes its own commands and leaves those of its neighbours alone")
  func commands() throws {
    let (one, two) = (Self.child("one"), Self.child("two"))
    let command = try SentCommand(JSONReader(["type": "load-one"]))
    #expect(one.action(for: command) == .load && two.action(for: command) == nil)
    let cancel = try SentCommand(JSONReader(["type": "cancel-two"]))
    #expect(one.action(for: cancel) == nil && two.action(for: cancel) == .cancel)
    #expect(one.commands.map(\.type) == ["load-one", "cancel-one"])
  }

  @Test("offers to load again where it failed, with the stable code of the failure")
  func retry() {
    var cache = RowCache()
    let rows = Section(
      id: "s", rows: Self.child("s").rows(LoadState(.failed(.timedOut, previous: nil)), &cache)
    ).rows
    #expect(rows.last?.id == "s/error" && rows.last?.fields["code"] == "timed-out")
    #expect(
      rows.last?.fields["action"] == ["title": "Retry", "command": ["type": "load-s"]])
  }
}
