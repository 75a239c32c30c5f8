import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Testing
import ViewDeltaServer

@Suite("A poll of many view models is refused")
struct SyncRefusalTests {
  /// Bodies that are not of the right shape, and the place of the fault.
  static let faults: [(String, String)] = [
    ("[]", ""), ("7", ""), ("{}", "/screens"), (#"{"screens":[]}"#, "/screens"),
    (#"{"screens":{}}"#, "/screens"), (#"{"screens":null}"#, "/screens"),
    (#"{"screens":{"profile/1":{}},"more":1}"#, "/more"),
    (#"{"screens":{"profile/1":{}},"wait":-1}"#, "/wait"),
    (#"{"screens":{"profile/1":{}},"wait":1.5}"#, "/wait"),
    (#"{"screens":{"profile/1":{}},"wait":1e300}"#, "/wait"),
    (#"{"screens":{"profile/1":{}},"wait":"20"}"#, "/wait"),
    (#"{"screens":{"profile/1":{}},"wait":true}"#, "/wait"),
    (#"{"screens":{"profile/1":[]}}"#, "/screens/profile~11"),
    (#"{"screens":{"profile/1":"R"}}"#, "/screens/profile~11"),
    (#"{"screens":{"profile/1":{"sinc":"R"}}}"#, "/screens/profile~11/sinc"),
    (#"{"screens":{"profile/1":{"since":7}}}"#, "/screens/profile~11/since"),
    (#"{"screens":{"profile/1":{"since":""}}}"#, "/screens/profile~11/since"),
    (#"{"screens":{"profile/1":{"since":"a b"}}}"#, "/screens/profile~11/since"),
    (#"{"screens":{"profile/1":{"have":"UPPER"}}}"#, "/screens/profile~11/have"),
    (#"{"screens":{"profile/1":{"have":1}}}"#, "/screens/profile~11/have"),
    (#"{"screens":{"profile":{}}}"#, "/screens/profile"),
    (#"{"screens":{"":{}}}"#, "/screens/"), (#"{"screens":{"/":{}}}"#, "/screens/~1"),
    (#"{"screens":{"profile/":{}}}"#, "/screens/profile~1"),
    (#"{"screens":{"profile/1/2":{}}}"#, "/screens/profile~11~12"),
  ]

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend() }

  @Test("with 422 and the place of the member at fault, and changes nothing", arguments: faults)
  func shape(body: String, pointer: String) async throws {
    let backend = try Self.refusing.get()
    let answer = await Self.send(body, to: backend)
    #expect(answer.status == 422)
    #expect(answer.code == "invalid-member")
    #expect(answer.pointer == pointer)
    #expect(answer["Content-Type"] == "application/problem+json")
    #expect(backend.waitingCount == 0)
  }

  @Test("beyond a hundred view models", arguments: [(100, 200), (101, 422), (1_000, 422)])
  func count(count: Int, status: Int) async throws {
    let backend = try Backend()
    let names = (1...count).map { #""profile/\#($0)":{}"# }
    let answer = await Self.send(#"{"screens":{\#(names.joined(separator: ","))}}"#, to: backend)
    #expect(answer.status == status)
    if status == 422 { #expect(answer.pointer == "/screens") }
  }

  /// A hundred view models with the longest keys and revisions there are, with each character escaped, and
  /// room for as long a `have`.
  static let longest: String = {
    func escaped(_ text: String) -> String {
      let digits = text.utf8.map { byte in
        let digits = String(byte, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      return "\"" + digits.joined() + "\""
    }
    let screens = (100..<200).map { number in
      let key = String(repeating: "k", count: 125) + "\(number)"
      let since = escaped(String(repeating: "R", count: 64))
      let room = String(repeating: " ", count: 300)
      return escaped("scoreboards/" + key) + ":{\(escaped("since")):\(since)\(room)}"
    }
    return "{\(escaped("screens")):{\(screens.joined(separator: ","))}}"
  }()

  @Test("with 413 for more than the longest body that can be right, before it is looked at")
  func size() async throws {
    let backend = try Backend(.scoreboards)
    #expect(await Self.send(Self.longest, to: backend).status == 200)
    let garbage = String(repeating: "[", count: 256 * 1024)
    #expect(await Self.send(garbage, to: backend).code == "bad-json")
    let answer = await Self.send(garbage + "[", to: backend)
    #expect(answer.status == 413 && answer.code == "body-too-large")
  }

  @Test("for what is in a large body only after the thread that serves it could go on")
  func largeBody() async throws {
    let backend = try Backend(.scoreboards)
    for body in [Self.longest, String(repeating: "[", count: 5_000)] {
      let request = Self.request(body)
      guard case .later = backend.application.router.reply(to: request) else {
        Issue.record("a body of \(body.utf8.count) bytes is read before the reply is decided")
        return
      }
    }
    #expect(await Self.send(String(repeating: "[", count: 5_000), to: backend).status == 400)
  }

  @Test(
    "with 400 for what is no JSON",
    arguments: [
      "", "{", #"{"screens":{"profile/1":{},"profile/1":{}}}"#,
      #"{"screens":{"profile/1":{}},"wait":9007199254740993}"#,
    ])
  func json(body: String) async throws {
    let answer = await Self.send(body, to: try Backend())
    #expect(answer.status == 400)
    #expect(answer.code == "bad-json")
  }

  @Test("with 406, 415 and 405 for what it does not give, take and answer")
  func negotiation() async throws {
    let backend = try Backend()
    let body: JSONValue = ["screens": ["profile/1": [:]]]
    #expect(backend.sync(body, [.accept: "text/html"]).answer?.status == 406)
    #expect(backend.sync(body, [.contentType: "text/plain"]).answer?.status == 415)
    let get = await backend.get("/v1/sync")
    #expect(get.status == 405)
    #expect(get["Allow"] == "POST, OPTIONS")
  }

  private static func send(_ body: String, to backend: Backend) async -> Answer {
    Answer(await backend.application.router.respond(to: request(body)))
  }

  private static func request(_ body: String) -> Request {
    Request(
      method: .post, target: "/v1/sync", fields: [.contentType: "application/json"],
      body: Array(body.utf8))
  }
}
