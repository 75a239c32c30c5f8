import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("The activity of a form")
struct FormPagingTests {
  static let header: Text = "activity/header"

  static func entries(_ numbers: some Sequence<Int>) -> [Text] { numbers.map { "entry/\($0)" } }

  @Test("comes page by page, the newest first, one load for each time somebody asks")
  func pages() async throws {
    let fixture = try FormFixture([], entries: 45)
    #expect(fixture.rows(of: "activity") == [Self.header])
    #expect(try await !fixture.send("loadNextPage").isAccepted)
    try await fixture.send("loadActivity")
    #expect(fixture.rows(of: "activity") == [Self.header, "activity/progress"])
    // Nobody gets a second load by asking twice.
    for command in ["loadActivity", "loadNextPage", "retryPage"] {
      #expect(try await !fixture.send(command).isAccepted)
    }
    #expect(fixture.scheduler.pendingCount == 2)
    try fixture.wait(.seconds(1))
    let first = Self.entries((26...45).reversed())
    #expect(fixture.rows(of: "activity") == [Self.header] + first + ["activity/progress"])
    #expect(fixture.field("isLoading", of: "activity/progress") == false)
    // Nothing comes by itself.
    try fixture.wait(.seconds(60))
    #expect(fixture.rows(of: "activity").count == 22 && fixture.scheduler.pendingCount == 0)

    try await fixture.send("loadNextPage")
    #expect(fixture.field("isLoading", of: "activity/progress") == true)
    try fixture.wait(.seconds(1))
    try await fixture.send("loadNextPage")
    try fixture.wait(.seconds(1))
    let all = Self.entries((1...45).reversed())
    #expect(fixture.rows(of: "activity") == [Self.header] + all + ["activity/end"])
    #expect(fixture.field("text", of: "activity/end") == "That is all: 45 entries")
    #expect(try await !fixture.send("loadNextPage").isAccepted)
  }

  @Test("has a row that says that there is none, and begins anew where somebody asks")
  func reloading() async throws {
    let fixture = try FormFixture([])
    try await fixture.send("loadActivity")
    try fixture.wait(.seconds(1))
    #expect(fixture.rows(of: "activity") == [Self.header, "activity/empty"])
    let full = try FormFixture([], entries: 45)
    for command in ["loadActivity", "loadNextPage"] {
      try await full.send(command)
      try full.wait(.seconds(1))
    }
    try await full.send("loadActivity")
    #expect(full.rows(of: "activity").count == 42)
    try full.wait(.seconds(1))
    #expect(full.rows(of: "activity").count == 22)
  }

  @Test("shows what was sent at once")
  func sending() async throws {
    let fixture = try FormFixture(
      [["id": "s", "rows": [["id": "b", "kind": "button", "text": "B", "does": "submit"]]]],
      entries: 3)
    try await fixture.send("loadActivity")
    try await fixture.tap("b")
    try fixture.wait(.seconds(3))
    #expect(
      fixture.rows(of: "activity") == [Self.header] + Self.entries([3, 2, 4, 1]) + ["activity/end"])
  }
}
