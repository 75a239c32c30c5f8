import CanonicalJSON
import HTTPTypes
import Testing

@Suite("A question for one row")
struct RowEndpointTests {
  private static let viewModel = "/v1/view-models/form/1"

  @Test("is answered with the path of an id, and with the row at a path")
  func bothWays() async throws {
    let backend = try Backend(.forms)
    let snapshot = try await backend.get(Self.viewModel).json
    for (section, element) in try snapshot.member("sections").elements().enumerated() {
      for (index, row) in try element.member("rows").elements().enumerated() {
        let id = try row.member("id").string()
        let byID = await backend.get("\(Self.viewModel)/rows?id=\(id)")
        let byPath = await backend.get("\(Self.viewModel)/rows?path=\(section),\(index)")
        #expect(byID.text == byPath.text && byID.status == 200)
        #expect(byID["View-Revision"] == (try snapshot.member("revision").string().string))
        let expected: JSONValue = [
          "path": [.integer(section), .integer(index)], "row": row.value, "screen": "form/1",
          "section": try element.member("id").value,
        ]
        #expect(try byID.json.value == expected)
      }
    }
  }

  @Test("finds a row where operations have put it")
  func moved() async throws {
    let backend = try Backend(.forms)
    let new: JSONValue = ["id": "new", "rows": [["id": "line", "kind": "splitter"]]]
    let append: JSONValue = ["operation": "appendSection", "newSection": new]
    let apply: JSONValue = ["type": "apply", "operations": [append]]
    #expect(await FormEndpointTests.send(backend, apply).status == 200)
    let found = await backend.get("\(Self.viewModel)/rows?id=line")
    #expect(
      found.text
        == #"{"path":[6,0],"row":{"id":"line","type":"formSplitter"},"screen":"form/1","section":"new"}"#
    )
  }

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend(.forms) }

  @Test(
    "is refused without exactly one of a right id and a right path",
    arguments: [
      ("", 400, "bad-query"), ("?id=name&path=1,0", 400, "bad-query"), ("?id=", 400, "bad-query"),
      ("?id=a&id=b", 400, "bad-query"), ("?path=1", 400, "bad-query"),
      ("?path=-1,0", 400, "bad-query"), ("?path=1,0,0", 400, "bad-query"),
      ("?path=1,1234567890", 400, "bad-query"), ("?id=nobody", 404, "unknown-row"),
      ("?path=99,0", 404, "unknown-row"), ("?path=0,1", 404, "unknown-row"),
    ])
  func refusals(query: String, status: Int, code: String) async throws {
    let backend = try Self.refusing.get()
    let answer = await backend.get("\(Self.viewModel)/rows\(query)")
    #expect(answer.status == status && answer.code == code, "\(answer.text)")
    #expect(await backend.get("/v1/view-models/form/99/rows?id=a").code == "unknown-key")
    #expect(
      await backend.get("\(Self.viewModel)/rows?id=name", [.accept: "text/html"]).status == 406)
  }
}
