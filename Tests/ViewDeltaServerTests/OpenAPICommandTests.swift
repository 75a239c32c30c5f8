import CanonicalJSON
import HTTPTypes
import Testing

@Suite("The commands and links in the OpenAPI document")
struct OpenAPICommandTests {
  @Test("are those of the screens, each a component with a name of its own")
  func commands() async throws {
    let document = try await OpenAPIDocument()
    let backend = try Backend(.all)
    var expected: Set<String> = []
    for screen in try await backend.get("/v1/view-models").json.member("screens").elements() {
      for command in try screen.member("commands").elements() {
        let type = try command.member("type").string().string
        let name =
          try screen.member("name").string().string.capitalized + type.capitalized + "Command"
        expected.insert("#/components/schemas/\(name)")
        let listed = try command.member("schema").value
        let described = try document.value("/components/schemas/\(name)")
        #expect(described["required"] == listed["required"], "\(name)")
        #expect(described["additionalProperties"] == false, "\(name)")
        let properties = try #require(described["properties"]?.members)
        #expect(properties["type"] == ["const": .string(type)], "\(name)")
        #expect(
          Set(properties.keys) == Set(try #require(listed["properties"]).members.keys), "\(name)")
      }
    }
    let offered = try document.value("/components/schemas/Command/anyOf").elements
    #expect(Set(offered.compactMap { $0["$ref"]?.text }) == expected && expected.count > 25)
  }

  @Test("lists every operation of catalogs and forms by its name")
  func operations() async throws {
    let document = try await OpenAPIDocument()
    let backend = try Backend(.all)
    for (viewModel, union) in [("catalog/1", "CatalogOperation"), ("form/1", "FormOperation")] {
      let refusal = await backend.call(
        .post, "/v1/view-models/\(viewModel)/commands",
        body: ["type": "apply", "operations": [["operation": "none"]]])
      let known = try refusal.string("detail").split(separator: ": there are ")[1]
        .split(separator: ", ").map(String.init)
      var described: [String] = []
      for option in try document.value("/components/schemas/\(union)/oneOf").elements {
        #expect(option["$ref"] != nil)
        let operation = try document.resolved(option)["properties"]?["operation"]
        let only = operation?["const"].map { [$0] } ?? []
        described += ((operation?["enum"]?.elements ?? []) + only).compactMap(\.text)
      }
      #expect(described.sorted() == known.sorted())
    }
  }

  @Test("lead to operations that there are, by parameters that they have")
  func links() async throws {
    let document = try await OpenAPIDocument()
    let operations = try document.operations
    var count = 0
    for operation in operations {
      for response in operation.value["responses"]?.members.values ?? [:].values {
        for link in try (document.resolved(response)["links"]?.members ?? [:]).values {
          let target = try #require(
            operations.first { $0.value["operationId"] == link["operationId"] })
          let own = target.value["parameters"]?.elements ?? []
          let shared =
            try document.value("/paths")[Text(target.path)]?["parameters"]?.elements ?? []
          let names = try (own + shared).map { try document.resolved($0)["name"]?.text }
          for name in try #require(link["parameters"]).members.keys {
            #expect(names.contains(name), "\(name) of \(target.method) \(target.path)")
          }
          let paths = target.path.matches(of: /{(\w+)}/).map { String($0.output.1) }
          #expect(Set(paths).isSubset(of: try #require(link["parameters"]).members.keys))
          count += 1
        }
      }
    }
    #expect(count > 20)
  }
}

extension String {
  /// The text with its first letter large.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
