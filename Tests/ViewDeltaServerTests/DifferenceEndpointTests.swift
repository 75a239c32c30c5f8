import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer

@Suite("The difference of two lists")
struct DifferenceEndpointTests {
  static let path = "/v1/differences"

  /// A becomes the second one, B goes, X comes, C changes and D moves to the start.
  static let lists: JSONValue = [
    "from": [["id": "a"], ["id": "b"], ["id": 3, "n": 1], ["id": "d"]],
    "to": [["id": "d"], ["id": "a"], ["id": "x"], ["id": 3, "n": 2]],
  ]
  static let changeset =
    #"{"deletes":[{"at":1,"id":"b"}],"inserts":[{"at":2,"element":{"id":"x"}}],"moves":[{"from":3,"id":"d","to":0}],"updates":[{"from":2,"id":3,"set":{"n":2},"to":3}]}"#
  static let patch =
    #"[{"op":"remove","path":"/1"},{"from":"/2","op":"move","path":"/0"},{"op":"add","path":"/2","value":{"id":"x"}},{"op":"add","path":"/3/n","value":2}]"#
  static let script =
    #"[{"at":1,"id":"b","op":"delete"},{"from":2,"id":"d","op":"move","to":0},{"at":2,"element":{"id":"x"},"op":"insert"},{"at":3,"id":3,"op":"update","set":{"n":2}}]"#

  /// One for all tests, because a difference depends on the request alone.
  private static let backend = Result { try Backend() }

  static let json = "application/json"
  static let jsonPatch = "application/json-patch+json"

  @Test(
    "comes in the form that the body or Accept names",
    arguments: [
      (nil, nil, json, changeset), (nil, json, json, changeset),
      (nil, jsonPatch, jsonPatch, patch), (nil, "\(json);q=0.5, \(jsonPatch)", jsonPatch, patch),
      ("changeset", "*/*", json, changeset), ("script", json, json, script),
      ("script", "\(jsonPatch), \(json);q=0.1", json, script), ("patch", nil, jsonPatch, patch),
      ("patch", jsonPatch, jsonPatch, patch), ("patch", json, json, patch),
    ] as [(String?, String?, String, String)])
  func forms(form: String?, accept: String?, type: String, text: String) async throws {
    let answer = try await Self.send(Self.body(form), accept.map { [.accept: $0] } ?? [:])
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == type)
    #expect(answer["Cache-Control"] == "no-store")
    #expect(answer["Vary"] == "Accept, Accept-Encoding")
    #expect(answer.text == text)
  }

  @Test(
    "is refused in a type that the form does not have",
    arguments: [
      (nil, "text/html"), ("script", jsonPatch), ("changeset", jsonPatch), ("patch", "text/*"),
    ] as [(String?, String)])
  func notAcceptable(form: String?, accept: String) async throws {
    let answer = try await Self.send(Self.body(form), [.accept: accept])
    #expect(answer.status == 406 && answer.code == "not-acceptable")
  }

  @Test("is empty between equal lists, whatever the order of members")
  func nothing() async throws {
    let lists: JSONValue = [
      "from": [["id": 1, "a": 1, "b": [nil]]], "to": [["b": [nil], "id": 1.0, "a": 1]],
    ]
    #expect(try await Self.send(lists).text == "{}")
    #expect(try await Self.send(["from": [], "to": []], [.accept: Self.jsonPatch]).text == "[]")
  }

  @Test("is compressed if it is large")
  func compressed() async throws {
    let many = (0..<200).map { JSONValue.object(["id": .integer($0)]) }
    let body: JSONValue = ["from": [], "to": .array(many)]
    let answer = try await Self.send(body, [.acceptEncoding: "gzip"])
    #expect(answer["Content-Encoding"] == "gzip" && answer.body.count < 2_000)
  }

  static let faults: [(String, String)] = [
    ("[]", ""), ("null", ""), ("{}", "/from"), (#"{"from":[]}"#, "/to"),
    (#"{"from":{},"to":[]}"#, "/from"), (#"{"from":[],"to":null}"#, "/to"),
    (#"{"from":[],"to":"x"}"#, "/to"), (#"{"from":[],"to":[],"since":1}"#, "/since"),
    (#"{"from":[],"to":[],"form":"diff"}"#, "/form"),
    (#"{"from":[],"to":[],"form":null}"#, "/form"), (#"{"from":[7],"to":[]}"#, "/from/0"),
    (#"{"from":[],"to":[{"id":1},[]]}"#, "/to/1"), (#"{"from":[{}],"to":[]}"#, "/from/0/id"),
    (#"{"from":[{"ID":1}],"to":[]}"#, "/from/0/id"),
    (#"{"from":[{"id":null}],"to":[]}"#, "/from/0/id"),
    (#"{"from":[{"id":true}],"to":[]}"#, "/from/0/id"),
    (#"{"from":[{"id":1.5}],"to":[]}"#, "/from/0/id"),
    (#"{"from":[{"id":["a"]}],"to":[]}"#, "/from/0/id"),
    (#"{"from":[],"to":[{"id":"a"},{"id":"b"},{"id":"a"}]}"#, "/to/2/id"),
    (#"{"from":[{"id":1},{"id":1.0}],"to":[]}"#, "/from/1/id"),
  ]

  @Test("is refused with 422 and the place of the member at fault", arguments: faults)
  func shape(body: String, pointer: String) async throws {
    let answer = try await Self.send(text: body)
    #expect(answer.status == 422 && answer.code == "invalid-member")
    #expect(answer.pointer == pointer)
  }

  @Test("takes ids that only look alike for different ones")
  func lookAlikes() async throws {
    let ids: [JSONValue] = [1, "1", "\u{e9}", "e\u{301}", "K", "\u{212a}", ""]
    let list = ids.map { JSONValue.object(["id": $0]) }
    let body: JSONValue = ["from": .array(list), "to": .array(list.reversed())]
    let answer = try await Self.send(body)
    #expect(try answer.json.memberNames == ["moves"])
    #expect(try answer.json.member("moves").elements().count == 6)
  }

  @Test("has limits of depth, of elements and of bytes", .timeLimit(.minutes(5)))
  func limits() async throws {
    func list(_ count: Int) -> String {
      "[" + (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
    }
    #expect(try await Self.send(text: #"{"from":[],"to":\#(list(10_000))}"#).status == 200)
    let many = try await Self.send(text: #"{"from":\#(list(10_001)),"to":[]}"#)
    #expect(many.status == 422 && many.pointer == "/from")

    let deep = #"{"from":[],"to":[{"id":1,"x":\#(String(repeating: "[", count: 10_000))"#
    let refusal = try await Self.send(text: deep)
    #expect(refusal.status == 400 && refusal.code == "bad-json")
    for (size, status) in [(1024 * 1024, 200), (1024 * 1024 + 1, 413)] {
      let start = #"{"from":[],"to":[{"id":1,"x":""#
      let text = start + String(repeating: "y", count: size - start.utf8.count - 4) + "\"}]}"
      #expect(try await Self.send(text: text).status == status)
    }
  }

  @Test("is not computed on the thread that serves the connection")
  func thread() async throws {
    let request = Self.request(Self.lists.description)
    guard case .later = try Self.backend.get().application.router.reply(to: request) else {
      Issue.record("the reply is made at once")
      return
    }
  }

  @Test("leaves the connections of its thread to others, in chunks, in a pipeline, or given up")
  func connections() async throws {
    try await LiveServer.run(try Backend(), configure: { $0.threads = 1 }) { live in
      let ids = (0..<1_000).map { JSONValue.object(["id": .integer($0)]) }
      let body: JSONValue = ["from": .array(ids), "to": .array(ids.reversed()), "form": "script"]
      let head = "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(Self.json)\r\n"
      let text = body.description
      func send(_ client: SocketClient) throws {
        try client.send(head + "Content-Length: \(text.utf8.count)\r\n\r\n" + text)
      }
      let clients = try (0..<5).map { _ in try live.client() }
      for client in clients { try send(client) }
      let gone = try live.client()
      try send(gone)
      gone.close()
      let chunked = try live.client()
      let size = String(text.utf8.count, radix: 16)
      try chunked.send(
        head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(text)\r\n0\r\n\r\n")
      #expect(try live.client().get("/healthz").status == 200)
      #expect(try chunked.readReply().status == 200)
      for client in clients {
        try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let reply = try client.readReply()
        #expect(reply.status == 200)
        let steps = try JSONReader(JSONValue(parsing: reply.body)).elements()
        #expect(steps.count == 999)
        #expect(try client.readReply().status == 200)
      }
    }
  }

  @Test("is one for each of many requests at once")
  func manyAtOnce() async throws {
    let backend = try Self.backend.get()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let body: JSONValue = ["from": [], "to": [["id": .integer(number)]], "form": "script"]
          let answer = await backend.call(.post, Self.path, body: body)
          try require(
            answer.text == #"[{"at":0,"element":{"id":\#(number)},"op":"insert"}]"#, answer.text)
        }
      }
      try await group.waitForAll()
    }
  }

  private static func body(_ form: String?) -> JSONValue {
    guard case .object(var members) = lists else { return lists }
    members["form"] = form.map { .string($0) }
    return .object(members)
  }

  private static func send(_ body: JSONValue, _ fields: HTTPFields = [:]) async throws -> Answer {
    await (try backend.get()).call(.post, path, fields, body: body)
  }

  private static func send(text: String) async throws -> Answer {
    Answer(await (try backend.get()).application.router.respond(to: request(text)))
  }

  private static func request(_ text: String) -> Request {
    Request(
      method: .post, target: path, fields: [.contentType: json], body: Array(text.utf8))
  }
}
