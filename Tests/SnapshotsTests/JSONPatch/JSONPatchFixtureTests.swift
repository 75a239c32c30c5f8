import CanonicalJSON
import Foundation
import Snapshots
import Testing

/// The patches between the documents in `Tests/Fixtures/wire`.
@Suite struct JSONPatchFixtureTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/wire", isDirectory: true)

  /// The files of diffs. The tests of the wire format check that all of them exist.
  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.hasPrefix("diff-") }.sorted() ?? []

  @Test(arguments: names)
  func `a patch leads from before to after, and its inverse back`(_ name: String) throws {
    let (before, after) = try Self.snapshots(of: name)
    try PatchCase(from: before, to: after).check()
    try PatchCase(from: after, to: before).check()
  }

  @Test(.enabled(if: PatchLibrary.python != nil))
  func `another library gives the same results`() throws {
    #expect(Self.names.count >= 11)
    let cases = try Self.names.flatMap { name in
      let (before, after) = try Self.snapshots(of: name)
      return [PatchCase(from: before, to: after), PatchCase(from: after, to: before)]
    }
    let results = try PatchLibrary.apply(cases)
    #expect(results.map { $0.canonicalBytes() } == cases.map(\.after))
  }

  private static func snapshots(of name: String) throws -> (before: Snapshot, after: Snapshot) {
    let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
    let fixture = JSONReader(try JSONValue(parsing: bytes))
    return (try Snapshot(fixture.member("before")), try Snapshot(fixture.member("after")))
  }
}

extension Snapshot {
  fileprivate init(_ document: JSONReader) throws {
    try self.init(
      states: document.member("states").object().mapValues { try JSONReader($0).string() },
      sections: document.member("sections").elements().map { section in
        Section(
          id: try section.member("id").string(), fields: try section.fields(except: "rows"),
          rows: try section.member("rows").elements().map { row in
            Row(
              id: try row.member("id").string(), type: try row.member("type").string(),
              fields: try row.fields(except: "type"))
          })
      })
  }
}

extension JSONReader {
  fileprivate func fields(except name: Text) throws -> [Text: JSONValue] {
    try object().filter { $0.key != "id" && $0.key != name }
  }
}
