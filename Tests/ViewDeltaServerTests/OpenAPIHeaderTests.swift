import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing

@Suite("The OpenAPI document and the headers of replies")
struct OpenAPIHeaderTests {
  private typealias Question = (
    method: HTTPRequest.Method, target: String, fields: HTTPFields, body: JSONValue?
  )

  /// Fields that are for intermediaries, or that OpenAPI describes elsewhere.
  private static let others: Set = ["content-type", "content-encoding", "x-accel-buffering"]

  @Test("agree: each field is in the document, and each required one is in the reply")
  func fields() async throws {
    let backend = try Backend(.all)
    let start = try await backend.revision
    await backend.send("appear")
    let revision = try await backend.revision
    let view = Backend.viewModel
    let reads = [
      "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/users", "/v1/users/1",
      "/v1/users/1/posts", "/v1/users/1/posts/1", "/v1/scoreboards/1", "/v1/catalogs/1/items",
      "/v1/catalogs/1/items/alps", "/v1/faults/posts/1", "/v1/view-models",
      "/v1/view-models/profile", view, "\(view)?at=\(revision)", "\(view)/diff",
      "\(view)/diff?since=\(start)", "\(view)/diff?since=\(revision)", "\(view)/diff?since=x",
      "\(view)/diff?since=\(start)&until=\(revision)", "\(view)/revisions",
      "\(view)/revisions?limit=1", "\(view)/incidents", "\(view)/rows?path=0,0",
    ]
    var questions: [Question] = []
    for path in reads {
      questions.append((.get, path, [:], nil))
      questions.append((.get, path, [.accept: "text/html"], nil))
      if let tag = await backend.get(path)["ETag"] {
        questions.append((.get, path, [.ifNoneMatch: tag], nil))
        questions.append((.get, path, [.ifMatch: "\"other\""], nil))
      }
    }
    questions += [
      (.head, "\(view)/events", [:], nil), (.head, "/v1/events?screen=profile/1", [:], nil),
      (.post, "/v1/users", [:], ["username": "x"]), (.put, "/v1/users/2", [:], ["username": "y"]),
      (.patch, "/v1/users/2", [:], [:]), (.delete, "/v1/users/2", [:], nil),
      (.put, "/v1/faults/posts/1", [:], [:]), (.delete, "/v1/faults/posts/1", [:], nil),
      (.post, "\(view)/commands", [:], ["type": "cancelPosts"]),
      (.post, "\(view)/commands", [:], ["type": "loadPosts"]),
      (.post, "\(view)/commands", [.ifMatch: "\"other\""], ["type": "loadPosts"]),
      (.post, "/v1/sync", [:], ["screens": ["profile/1": [:]]]),
      (.post, "/v1/differences", [:], ["from": [], "to": []]),
    ]
    // A client that has the snapshot to which a large diff leads.
    let catalog = "/v1/view-models/catalog/1"
    let items = (1...400).map { JSONValue.object(["id": .string("i\($0)"), "title": "t"]) }
    let section: JSONValue = ["id": "many", "items": .array(items)]
    let operation: JSONValue = ["operation": "appendSections", "sections": [section]]
    _ = await backend.call(
      .post, "\(catalog)/commands", [:], body: ["type": "apply", "operations": [operation]])
    let full = try #require(await backend.get(catalog)["View-Revision"])
    _ = await backend.call(
      .post, "\(catalog)/commands", [:],
      body: ["type": "apply", "operations": [["operation": "deleteAllItems"]]])
    let tag = try #require(await backend.get(catalog)["ETag"])
    questions.append((.get, "\(catalog)/diff?since=\(full)", [.ifNoneMatch: tag], nil))
    let document = try await OpenAPIDocument()
    let operations = try document.operations
    for question in questions {
      let (method, target, fields, body) = question
      let answer = await backend.call(method, target, fields, body: body)
      let name = "\(method) \(target) \(fields) \(answer.status)"
      let operation = try #require(Self.operation(method, target, in: operations), "\(name)")
      try check(answer, of: operation, in: document, name)
    }
  }

  @Test("have the same texts of problems")
  func examples() async throws {
    let document = try await OpenAPIDocument()
    let (backend, closed) = (try Backend(.all), try Backend(.all, allowsFaults: false))
    let view = Backend.viewModel
    let other: HTTPFields = [.ifMatch: "\"other\""]
    for (component, answer) in [
      ("NotAcceptable", await backend.get("/v1/users", [.accept: "text/html"])),
      ("FaultTargetNotFound", await closed.get("/v1/faults/posts/1")),
      ("FaultTargetNotFound", await backend.get("/v1/faults/likes/1")),
      ("ScreenNotFound", await backend.get("/v1/view-models/likes")),
      ("ViewModelNotFound", await backend.get("/v1/view-models/profile/99")),
      ("ViewModelGone", await backend.get("\(view)?at=x")),
      ("RowNotFound", await backend.get("\(view)/rows?id=x")),
      ("PageGone", await backend.get("/v1/users?after=99")),
      ("NotAmongThese", await backend.get("/v1/users", other)),
      ("PreconditionFailed", await backend.call(.patch, "/v1/users/1", other, body: [:])),
      ("CommandPreconditionFailed", await backend.send("appear", other)),
    ] {
      let code = try #require(answer.code)
      let place = "/components/responses/\(component)/content/application~1problem+json/examples"
      let example = try document.value("\(place)/\(code)/value")
      for member in ["title", "detail", "type"] {
        #expect(try answer.string(Text(member)) == example[Text(member)]?.text, "\(code)")
      }
    }
  }

  @Test("say that the HTTP library itself refuses a head that it has no memory for")
  func library() async throws {
    let reply = try await LiveServer.run(try Backend(.all)) { live in
      let client = try live.client()
      let field = "X: " + String(repeating: "x", count: 33 * 1024)
      try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n")
      return try client.readReply()
    }
    #expect(reply.status == 431 && reply["content-type"] == nil && reply.text.contains("<html>"))
    let description = try await OpenAPIDocument().value("/info/description").text
    #expect(description?.contains("does not fit into the memory of a connection") == true)
  }

  private func check(
    _ answer: Answer, of operation: OpenAPIDocument.Operation, in document: OpenAPIDocument,
    _ name: String
  ) throws {
    let reply = try #require(operation.value["responses"]?["\(answer.status)"], "\(name)")
    let headers = try document.resolved(reply)["headers"]?.members ?? [:]
    let names = Set(headers.keys.map { $0.lowercased() }).union(Self.others)
    for field in answer.fields {
      #expect(names.contains(field.name.canonicalName), "\(name): \(field.name)")
    }
    for (field, header) in headers {
      let value = answer[field]
      if try document.resolved(header)["required"] == true {
        #expect(value != nil, "\(name): \(field)")
      }
      // This description says that the tag is the quoted revision.
      if header["$ref"]?.text == "#/components/headers/ETag" {
        #expect(value == answer["View-Revision"].map { "\"\($0)\"" }, "\(name)")
      }
    }
  }

  /// Finds the operation that describes a request.
  private static func operation(
    _ method: HTTPRequest.Method, _ target: String, in operations: [OpenAPIDocument.Operation]
  ) -> OpenAPIDocument.Operation? {
    let wanted = method == .head ? "GET" : method.rawValue
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    return operations.first { operation in
      let segments = operation.path.split(separator: "/")
      return operation.method == wanted && segments.count == path.count
        && zip(segments, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
  }
}
