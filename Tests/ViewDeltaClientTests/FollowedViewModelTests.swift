import Snapshots
import Testing

@testable import ViewDeltaClient

@Suite("A view model that is followed")
struct FollowedViewModelTests {
  @Test("is asked for with the hash of its content in doubt, but not beside a revision without it")
  func hash() throws {
    let snapshot = try Snapshot(sections: [Section(id: "s", rows: [Row(id: "a", type: "t")])])
    let replica = try Replica(
      document: snapshot.encoded(kind: .snapshot, screen: "list/1", revision: "1"))
    var followed = FollowedViewModel(connection: ScriptedServer().connection(), replica: replica)
    let hash = ContentHash(of: snapshot)
    #expect(
      followed.held(through: nil, isDoubtful: true) == HeldContent(revision: "1", hash: hash))
    #expect(followed.held(through: nil, isDoubtful: false) == HeldContent(revision: "1"))
    _ = followed.passOver("2", .otherRevision(expected: "1", found: "0"))
    #expect(followed.held(through: nil, isDoubtful: true) == HeldContent(revision: "2"))
  }
}
