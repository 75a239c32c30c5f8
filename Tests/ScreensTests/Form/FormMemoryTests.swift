import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("The memory of forms")
struct FormMemoryTests {
  private static let sessions: [Text] = ["1@aaaaaaaaaaaaaaaaaaaaaa", "1@bbbbbbbbbbbbbbbbbbbbbb"]

  private func rows(_ count: Int, besides row: JSONValue) -> JSONValue {
    .array(
      (0..<count).map { number in
        ["id": .string("r\(number)"), "kind": "text", "label": "L", "default": "x"]
      } + [row])
  }

  @Test("is shared by the sessions of a form, except for what they enter")
  func shared() async throws {
    let fixture = try FormFixture(rows: rows(100, besides: FieldTests.text([:])))
    let screens = try Self.sessions.map { try fixture.registry.instance(screen: "form", key: $0) }
    let snapshots = screens.map(\.current.snapshot)
    #expect(snapshots[0].isIdentical(to: snapshots[1]))
    try await screens[1].send(["type": "didChange", "row": "f", "value": "a"])
    let third = try fixture.registry.instance(screen: "form", key: "1@cccccccccccccccccccccc")
    let rows = [screens[1], third].map { $0.current.snapshot.sections.flatMap { Array($0.rows) } }
    #expect(rows[0].map(\.id) == rows[1].map(\.id))
    let own = zip(rows[0], rows[1]).filter { !$0.isIdentical(to: $1) }.map(\.0.id)
    #expect(own == ["f"])
  }
}
