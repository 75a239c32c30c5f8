import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing

@Suite("The rows in the OpenAPI document")
struct OpenAPIRowTests {
  @Test("are those that the screens show, with the members that they have")
  func screens() async throws {
    let document = try await OpenAPIDocument()
    let types = try document.value("/components/schemas/Row/discriminator/mapping").members
    let backend = try Backend(.all)
    for listener in 1...5 {
      await backend.call(
        .post, "/v1/view-models/podcasts/\(listener)/commands", body: ["type": "load"])
    }
    backend.scheduler.advance(by: .zero)
    // One is being loaded again.
    await backend.call(.post, "/v1/view-models/podcasts/1/commands", body: ["type": "load"])
    try await Self.fillIn(backend)
    for viewModel in [
      "form/1", "form/2", "settings/general", "settings/notifications", "settings/privacy",
      "scoreboards/all", "scoreboard/1", "scoreboard/4", "catalog/1",
    ]
      + (1...5).map({ "podcasts/\($0)" })
    {
      let snapshot = await backend.get("/v1/view-models/\(viewModel)")
      for section in try snapshot.json.member("sections").elements() {
        for row in try section.member("rows").elements() {
          let type = try row.member("type").string().string
          let reference = try #require(types[type]?.text, "the row type \(type) is not listed")
          let schema = try document.value(String(reference.dropFirst()))
          let members = try Set(row.object().keys.map(\.string))
          // Screens may have different rows of one type.
          let isDescribed = try document.alternatives(of: schema).contains { option in
            let listed = try #require(option["properties"]?.members.keys)
            let required = (option["required"]?.elements ?? []).compactMap { $0.text }
            return members.isSubset(of: listed) && members.isSuperset(of: required)
          }
          #expect(isDescribed, "\(type)")
        }
      }
    }
  }

  /// Has the forms show a row of every type.
  private static func fillIn(_ backend: Backend) async throws {
    await backend.call(.put, "/v1/faults/registry/2", body: ["then": "hang"])
    let tax: JSONValue = ["id": "t", "kind": "taxNumber", "label": "T"]
    let insert: JSONValue = ["operation": "insertAtStart", "rows": [tax]]
    await backend.call(
      .post, "/v1/view-models/form/2/commands", body: ["type": "apply", "operations": [insert]])
    let values: [(Int, Text, JSONValue)] = [
      (1, "isFirm", true), (1, "taxNumber", "DE136695976"), (1, "firmName", "F"),
      (2, "t", "DE136695976"), (2, "email", "nobody"),
    ]
    for (form, row, value) in FormReplicaTests.right.map({ (1, $0, $1) }) + values {
      await backend.call(
        .post, "/v1/view-models/form/\(form)/commands",
        body: ["type": "didChange", "row": .string(row), "value": value])
    }
    for command in ["loadActivity", "submit"] {
      await backend.call(
        .post, "/v1/view-models/form/1/commands", body: ["type": .string(command)])
    }
    await backend.call(
      .post, "/v1/view-models/form/2/commands", body: ["type": "loadActivity"])
    backend.scheduler.advance(by: .zero)
  }
}
