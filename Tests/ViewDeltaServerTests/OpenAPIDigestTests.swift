import CanonicalJSON
import Foundation
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@Suite("The digest in the OpenAPI document")
struct OpenAPIDigestTests {
  @Test("is that of each snapshot shown, as the server computes it")
  func server() async throws {
    for vector in try await vectors() {
      #expect(try Snapshot(vector).digest.description == vector["digest"]?.text)
    }
  }

  @Test("is what the printed Python makes of each", .enabled(if: Program.exists("python3")))
  func python() async throws {
    try await expectDigests(
      from: "python3", "-c", language: "python",
      thenCalling: """
        import sys
        print(json.dumps([digest(snapshot) for snapshot in json.load(sys.stdin)]))
        """)
  }

  @Test("is what the printed JavaScript makes of each", .enabled(if: Program.exists("node")))
  func javaScript() async throws {
    try await expectDigests(
      from: "node", "-e", language: "js",
      thenCalling: """
        const snapshots = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        console.log(JSON.stringify(snapshots.map(digest)));
        """)
  }

  @Test("comes with vectors of nothing, of an initial screen, of numbers, and of what JSON escapes")
  func coverage() async throws {
    let document = try await OpenAPIDocument()
    #expect(try document.snapshotExample("DigestOfNothing") == .empty)
    #expect(try document.snapshotExample("DigestOfInitialProfile").rowCount == 2)
    #expect(try document.snapshotExample("DigestOfNumbers").rowCount > 20)
    let text = "\(try document.value("/components/examples/DigestOfEscapes/value/sections"))"
    for piece in ["\u{7F}", "\u{2028}", "🦊", "ë", #"\""#, #"\\"#, #"\n"#, #"\t"#, #"\u001f"#, "/"] {
      #expect(text.contains(piece))
    }
  }

  @Test("stands in diffs that are exactly those between the snapshots shown")
  func diffs() async throws {
    let document = try await OpenAPIDocument()
    let initial = try document.snapshotExample("InitialProfile")
    let loading = try document.snapshotExample("LoadingProfile")
    let loaded = try document.snapshotExample("LoadedProfile")
    try document.expectDiff("AppearReply/value/diff", from: initial, to: loading)
    try document.expectDiff("ProfileDiff/value", from: loading, to: loaded)
  }

  /// Everything in the document that has sections and a digest of them, and a snapshot of any
  /// numbers.
  private func vectors() async throws -> [JSONValue] {
    let all = try await OpenAPIDocument().objects.filter {
      guard case .array = $0["sections"], case .string = $0["digest"] else { return false }
      return true
    }
    #expect(all.count >= 9)
    var random = SeededGenerator(seed: 754)
    let rows = (0..<2_000).map {
      Row(id: "\($0)", type: "number", fields: ["value": .number(random.double())])
    }
    let numbers = try Snapshot(sections: [Section(id: "numbers", rows: rows)])
    let document = numbers.encoded(kind: .snapshot, screen: "numbers", revision: "R")
    return try all + [JSONValue(parsing: document)]
  }

  /// Runs the code that the document prints in a language, on all vectors.
  private func expectDigests(
    from program: String, _ option: String, language: String, thenCalling call: String
  ) async throws {
    let printed = try await OpenAPIDocument().text("/components/schemas/Digest/description")
    let fence = try #require(printed.range(of: "```\(language)\n"), "no code in \(language)")
    let end = try #require(printed.range(of: "```", range: fence.upperBound..<printed.endIndex))
    let code = printed[fence.upperBound..<end.lowerBound] + call

    let vectors = try await vectors()
    let output = try Program.run(
      program, [option, String(code)], input: JSONValue.array(vectors).canonicalBytes())
    let expected = try vectors.map { try #require($0["digest"]) }
    #expect(try JSONValue(parsing: output) == .array(expected))
  }
}

extension OpenAPIDocument {
  fileprivate func snapshotExample(_ name: String) throws -> Snapshot {
    try Snapshot(value("/components/examples/\(name)/value"))
  }

  fileprivate func expectDiff(
    _ example: String, from old: Snapshot, to new: Snapshot
  ) throws {
    let shown = try value("/components/examples/\(example)")
    let made = new.difference(from: old).encoded(
      screen: Text(try #require(shown["screen"]?.text)),
      from: Text(try #require(shown["from"]?.text)),
      revision: Text(try #require(shown["revision"]?.text)))
    #expect(made == shown.canonicalBytes())
  }
}

extension Snapshot {
  /// The sections and states of a document or a test vector, with nothing checked yet.
  fileprivate init(_ document: JSONValue) throws {
    try self.init(
      states: JSONReader(#require(document["states"])).object().mapValues {
        try JSONReader($0).string()
      },
      sections: #require(document["sections"]).elements.map { try Section(wire: JSONReader($0)) })
  }
}
