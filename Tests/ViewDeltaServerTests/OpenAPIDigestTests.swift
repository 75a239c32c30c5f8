import CanonicalJSON
import Foundation
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

@Suite("The digest and the hash of a content in the OpenAPI document")
struct OpenAPIDigestTests {
  @Test("are those of each snapshot shown, as the server computes them")
  func server() async throws {
    for vector in try await vectors() {
      guard let digest = vector["digest"]?.text else { continue }
      #expect(try Snapshot(vector).digest.description == digest)
    }
    for (name, have) in [
      ("Nothing", "47mQ3rkHVsTt2b2XU3tW8lAg9-mywJM9X0wvCfmAWpM"),
      ("InitialProfile", "2thOAn6wqTPdXmZ0_CNMwWushURomEGtPramSoAW2Vw"),
      ("Escapes", "-jGsaX1TTmp0HyluW4GKZSEh7MtaXJIvgeU5VbG1O3g"),
      ("Names", "hHUe9qYncGWklNPZdAxyE4HCVaLq6lutRPKknkfDTtI"),
      ("Numbers", "zvNslpGUKoPOGVz11fU82Hxfjpah-XkaDC_ZR_8wzyU"),
    ] {
      let vector = try await OpenAPIDocument().value("/components/examples/DigestOf\(name)/value")
      #expect(vector["have"]?.text == have)
      #expect(try ContentHash(of: Snapshot(vector)).description == have)
    }
  }

  @Test("are what the printed Python makes of each", .enabled(if: Program.exists("python3")))
  func python() async throws {
    try await expectProofs(
      from: "python3", "-c", language: "python",
      thenCalling: """
        import sys
        print(json.dumps([[digest(one), have(one)] for one in json.load(sys.stdin)]))
        """)
  }

  @Test("are what the printed JavaScript makes of each", .enabled(if: Program.exists("node")))
  func javaScript() async throws {
    try await expectProofs(
      from: "node", "-e", language: "js",
      thenCalling: """
        const snapshots = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
        Promise.all(snapshots.map(async (one) => [digest(one), await have(one)]))
          .then((proofs) => console.log(JSON.stringify(proofs)));
        """)
  }

  @Test(
    "come with vectors of nothing, of an initial screen, of names, of numbers, and of what JSON escapes"
  )
  func coverage() async throws {
    let document = try await OpenAPIDocument()
    #expect(try document.snapshotExample("DigestOfNothing") == .empty)
    #expect(try document.snapshotExample("DigestOfInitialProfile").rowCount == 2)
    #expect(try document.snapshotExample("DigestOfNames").rowCount == 1)
    #expect(try document.snapshotExample("DigestOfNumbers").rowCount > 20)
    let text = "\(try document.value("/components/examples/DigestOfEscapes/value/sections"))"
    for piece in ["\u{2028}", "🦊", "ë", #"\""#, #"\\"#, #"\n"#, #"\t"#, #"\u001f"#, "/"] {
      #expect(text.contains(piece))
    }
  }

  @Test("stand in diffs that are exactly those between the snapshots shown")
  func diffs() async throws {
    let document = try await OpenAPIDocument()
    let initial = try document.snapshotExample("InitialProfile")
    let loading = try document.snapshotExample("LoadingProfile")
    let loaded = try document.snapshotExample("LoadedProfile")
    try document.expectDiff("AppearReply/value/diff", from: initial, to: loading)
    try document.expectDiff("ProfileDiff/value", from: loading, to: loaded)
  }

  /// Numbers as clients and servers of other languages write them.
  private static let spellings = [
    "0", "-0", "-0.0", "0.5", "5e-1", "1.0", "100e-2", "1e308", "1E+308", "1e-7", "0.0000001",
    "1e21", "1.5e21", "9007199254740993e-3", "1e-6", "0.1e-5",
    "123456789.125",
  ]

  /// Everything in the document that has sections and a digest of them, a snapshot of any numbers, and
  /// one of numbers in other spellings.
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
    return try all + [JSONValue(parsing: document), JSONValue(parsing: Array(Self.spelt.utf8))]
  }

  /// A content of numbers in other spellings than the canonical one, as JSON.
  private static var spelt: String {
    let rows = spellings.enumerated().map { #"{"id":"\#($0)","type":"number","value":\#($1)}"# }
    return #"{"states":{},"sections":[{"id":"numbers","rows":[\#(rows.joined(separator: ","))]}]}"#
  }

  /// Runs the code that the document prints in a language, on all vectors.
  private func expectProofs(
    from program: String, _ option: String, language: String, thenCalling call: String
  ) async throws {
    let document = try await OpenAPIDocument()
    // The hash uses the canonical JSON of the digest.
    let code = try ["Digest", "ContentHash"].map { schema in
      let printed = try document.text("/components/schemas/\(schema)/description")
      let fence = try #require(printed.range(of: "```\(language)\n"), "no code in \(language)")
      let end = try #require(printed.range(of: "```", range: fence.upperBound..<printed.endIndex))
      return String(printed[fence.upperBound..<end.lowerBound])
    }

    let vectors = try await vectors()
    let proofs = try vectors.map { vector -> JSONValue in
      let content = try Snapshot(vector)
      return [
        .string(content.digest.description), .string(ContentHash(of: content).description),
      ]
    }
    // The last one goes as it is spelt.
    let known = JSONValue.array(vectors.dropLast()).canonicalBytes().dropLast()
    let output = try Program.run(
      program, [option, (code + [call]).joined()],
      input: known + Array(",\(Self.spelt)]".utf8))
    #expect(try JSONValue(parsing: output) == .array(proofs))
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
