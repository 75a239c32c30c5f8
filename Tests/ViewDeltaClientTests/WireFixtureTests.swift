import CanonicalJSON
import Foundation
import Snapshots
import Testing
import ViewDeltaClient

/// The documents in `Tests/Fixtures/wire`, which clients in other languages are tested with too.
///
/// The fixture of a diff is an object with three documents: `before`, `diff` and `after`. The
/// fixture of a whole view model is the document alone.
@Suite struct WireFixtureTests {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/wire", isDirectory: true)

  static let documents = ["snapshot", "reset"]

  static let diffs = [
    "diff-content", "diff-deletes-inserts", "diff-empty", "diff-everything", "diff-moves",
    "diff-reloads", "diff-row-across-sections", "diff-section-fields", "diff-sections",
    "diff-states",
    "diff-type-change", "diff-unicode",
  ]

  private static func read(_ name: String) throws -> JSONValue {
    try JSONValue(parsing: Data(contentsOf: folder.appendingPathComponent(name + ".json")))
  }

  @Test func `every fixture is tested`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set((Self.documents + Self.diffs).map { $0 + ".json" }))
  }

  @Test(arguments: documents)
  func `a whole view model is read and written byte for byte`(_ name: String) throws {
    let document = try Self.read(name)
    let replica = try Replica(document: document.canonicalBytes())
    let reason = try JSONReader(document).optionalMember("reason")?.string()
    let kind = reason.map { Snapshot.DocumentKind.reset(reason: $0) } ?? .snapshot
    #expect(
      replica.snapshot.encoded(kind: kind, screen: replica.screen, revision: replica.revision)
        == document.canonicalBytes())
  }

  @Test(arguments: diffs)
  func `a diff leads from before to after, and is what the server would send`(
    _ name: String
  ) throws {
    let fixture = JSONReader(try Self.read(name))
    let after = try fixture.member("after").value.canonicalBytes()
    let diff = try fixture.member("diff").value.canonicalBytes()
    var replica = try Replica(document: fixture.member("before").value.canonicalBytes())
    let before = replica
    let changeset = try replica.apply(document: diff)
    #expect(replica.canonicalBytes() == after)
    #expect(
      replica.snapshot.difference(from: before.snapshot).encoded(
        screen: replica.screen, from: before.revision, revision: replica.revision) == diff)
    #expect(
      changeset.encoded(
        screen: replica.screen, from: before.revision, revision: replica.revision) == diff)
  }
}
