import CanonicalJSON
import Testing

@Suite("The rows in the OpenAPI document")
struct OpenAPIRowTests {
  @Test("are those that the scoreboards and a catalog show, with the members that they have")
  func scoreboards() async throws {
    let document = try await OpenAPIDocument()
    let types = try document.value("/components/schemas/Row/discriminator/mapping").members
    let backend = try Backend()
    for screen in ["scoreboards/all", "scoreboard/1", "scoreboard/4", "catalog/1"] {
      let snapshot = await backend.get("/v1/view-models/\(screen)")
      for section in try snapshot.json.member("sections").elements() {
        for row in try section.member("rows").elements() {
          let type = try row.member("type").string()
          let reference = try #require(types[type]?.text, "the row type \(type) is not listed")
          let schema = try document.value(String(reference.dropFirst()))
          let listed = try #require(schema["properties"]?.members.keys)
          let required = (schema["required"]?.elements ?? []).compactMap { $0.text }
          let members = try Set(row.object().keys)
          #expect(members.isSubset(of: listed) && members.isSuperset(of: required), "\(type)")
        }
      }
    }
  }
}
