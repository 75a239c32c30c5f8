import CanonicalJSON
import Foundation
import Testing

@Suite("The OpenAPI document")
struct OpenAPIDocumentTests {
  @Test("is strict JSON and says which version of OpenAPI it follows")
  func isStrictJSON() async throws {
    let document = try await OpenAPIDocument()
    #expect(try document.value("/openapi").text == "3.1.0")
    #expect(try document.value("/info/title").text == "ViewDelta")
  }

  @Test("refers only to what stands in it")
  func references() async throws {
    let document = try await OpenAPIDocument()
    let referring = document.objects.filter { $0["$ref"] != nil }
    #expect(referring.count > 100)
    for object in referring { _ = try document.resolved(object) }
  }

  @Test("names no component that nothing refers to")
  func noOrphans() async throws {
    let document = try await OpenAPIDocument()
    let used = Set(
      document.objects.compactMap { $0["$ref"]?.text }
        + document.objects.flatMap { $0["mapping"]?.members.values.compactMap(\.text) ?? [] })
    for (kind, components) in try document.value("/components").members {
      for name in components.members.keys where !name.hasPrefix("DigestOf") {
        #expect(used.contains("#/components/\(kind)/\(name)"))
      }
    }
  }

  @Test("gives every operation an id of its own, a summary, a known tag, and answers")
  func operations() async throws {
    let document = try await OpenAPIDocument()
    let tags = try document.value("/tags").elements.compactMap { $0["name"]?.text }
    let operations = try document.operations
    #expect(Set(operations.compactMap { $0.value["operationId"]?.text }).count == operations.count)
    for operation in operations {
      #expect(operation.value["summary"]?.text?.isEmpty == false)
      let tag = try #require(operation.value["tags"]?.elements.first?.text)
      #expect(tags.contains(tag))
      #expect(operation.value["responses"]?.members.keys.contains { $0.hasPrefix("2") } == true)
    }
  }

  @Test(
    "says where a length is counted in bytes, because maxLength counts characters",
    arguments: [
      "PlayerInput/properties/name", "CatalogItemInput/properties/title",
      "CompanyInput/properties/city", "FormInput/properties/title",
      "FormSection/properties/title", "FormTextDescription/properties/label",
    ])
  func bytes(place: String) async throws {
    let document = try await OpenAPIDocument()
    let description = try document.text("/components/schemas/\(place)/description")
    #expect(description == "At most 1000 bytes.")
  }

  @Test("declares every parameter in the template of its path")
  func pathParameters() async throws {
    let document = try await OpenAPIDocument()
    for (path, item) in try document.value("/paths").members {
      let declared = try (item["parameters"]?.elements ?? []).map { try document.resolved($0) }
        .filter { $0["in"]?.text == "path" }.compactMap { $0["name"]?.text }
      #expect(Set(declared) == Set(path.matches(of: /{(\w+)}/).map { String($0.output.1) }))
    }
  }

  @Test("lists exactly the codes that the sources can answer with")
  func codes() async throws {
    let document = try await OpenAPIDocument()
    let failures = try document.text("/components/schemas/LoadFailureCode/description")
      .matches(of: /(?m)^\| `([a-z-]+)` \|/).map { String($0.output.1) }
    #expect(failures.count == Set(failures).count)
    let listed = try Set(Self.statuses(document).keys).union(failures)
    var codes = try Self.codesInSources()
    // A collection of resources makes its code of the noun.
    let backend = try Backend(.all)
    for path in [
      "companies/0", "scoreboards/0", "scoreboards/1/players/0", "catalogs/0",
      "catalogs/1/sections/none", "catalogs/1/items/none", "users/0", "users/1/posts/0", "forms/0",
      "forms/1/entries/0", "listeners/0", "listeners/1/podcasts/0",
    ] {
      codes.insert(try await backend.get("/v1/\(path)").string("code"))
    }
    #expect(codes.symmetricDifference(listed) == [])
  }

  @Test("shows each problem under its own status, with a code of the table and its URN")
  func problems() async throws {
    let document = try await OpenAPIDocument()
    let statuses = try Self.statuses(document)
    var shown: Set<String> = []
    for operation in try document.operations {
      for (status, response) in operation.value["responses"]?.members ?? [:] {
        let content = try document.resolved(response)["content"]?["application/problem+json"]
        for (code, example) in content?["examples"]?.members ?? [:] {
          let problem = try #require(example["value"])
          #expect(problem["code"]?.text == code)
          #expect(problem["type"]?.text == "urn:viewdelta:problem:\(code)")
          #expect(problem["status"] == Int(status).map(JSONValue.integer))
          #expect(statuses[code] == status)
          shown.insert(status)
        }
      }
    }
    #expect(shown == Set(statuses.values))
  }

  /// The table of problems: codes and their statuses.
  private static func statuses(_ document: OpenAPIDocument) throws -> [String: String] {
    let rows = try document.text("/components/schemas/ProblemDetails/description")
      .matches(of: /(?m)^\| `([a-z-]+)` \| (\d{3}) \|/)
    return try rows.reduce(into: [:]) { statuses, row in
      try #require(statuses[String(row.output.1)] == nil, "\(row.output.1) is listed twice")
      statuses[String(row.output.1)] = String(row.output.2)
    }
  }

  /// What stands behind `code:` in the sources of the product.
  private static func codesInSources() throws -> Set<String> {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let sources = package.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
    var codes: Set<String> = []
    for case let file as String in files where file.hasSuffix(".swift") {
      // Without the examples in comments.
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
        .split(separator: "\n").filter { !$0.contains("///") }.joined(separator: "\n")
      codes.formUnion(text.matches(of: /\bcode: "([^"]+)"/).map { String($0.output.1) })
    }
    return codes
  }
}

extension OpenAPIDocument {
  func text(_ place: String) throws -> String {
    try #require(try value(place).text, "no text stands at \(place)")
  }
}
