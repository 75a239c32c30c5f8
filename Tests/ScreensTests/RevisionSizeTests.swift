import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// What the history of a screen costs, as the log counts it.
@Suite("The size of a revision")
struct RevisionSizeTests {
  static let data: JSONValue = [
    "users": [["id": 1, "username": "ada"]],
    "posts": .array(
      (1...500).map { ["id": .integer($0), "userId": 1, "title": "T", "body": "A body."] }),
  ]

  @Test("is that of what changed: an edited post, not the list")
  func edit() async throws {
    let fixture = try ProfileFixture(data: Self.data)
    #expect(fixture.screen.current.retainedByteCount == 0)
    try await fixture.load()
    let loaded = fixture.screen.current
    #expect(loaded.retainedByteCount > loaded.snapshot.byteCount / 2)

    var post = try fixture.store.value.child("250", of: "1").resource
    post.title = "Edited"
    _ = try await fixture.store.replace(post, of: "1")
    let edited = fixture.screen.current
    #expect(edited.retainedByteCount > post.body.utf8.count)
    #expect(edited.retainedByteCount < edited.snapshot.byteCount / 20)
  }
}
