import CanonicalJSON
import HTTPTypes
import Logging
import MicroHTTP
import TestSupport
import Testing
import ViewState

@testable import ViewDeltaServer

@Suite("A computed number that JSON cannot represent")
struct UnwritableNumberTests {
  /// A value that no document can have, as the code of a feature may compute it.
  static let unwritable: JSONValue = ["sums": [1, .integer(1 << 54)]]

  static func backend() throws -> Backend {
    try FeatureTests.backend { Sums() }
  }

  @Test("is counted as a problem, and logged with its place")
  func reply() {
    let reply = Response.json(Self.unwritable)
    #expect(reply.problem == "unwritable-number" && reply.fault?.hasPrefix("/sums/1: ") == true)
  }

  @Test(
    "is a 500 problem in the reply of a feature's route, a page and a resource",
    arguments: ["/v1/sums-report", "/v1/sums", "/v1/sums/1"])
  func replies(path: String) async throws {
    let backend = try Self.backend()
    for fields: HTTPFields in [[:], [.acceptEncoding: "gzip"], [.ifNoneMatch: "*"]] {
      let answer = await backend.get(path, fields)
      #expect(answer.status == 500 && answer.code == "unwritable-number", "\(answer.text)")
      #expect(answer["ETag"] == nil)
    }
    #expect(await backend.get("/v1/view-models/summing/1").status == 200)
  }

  @Test("is a 500 problem in the details of a command, which is done once for its key")
  func details() async throws {
    let backend = try Self.backend()
    let path = "/v1/view-models/summing/1"
    let answer = await backend.call(.post, path + "/commands", body: ["type": "sum"])
    #expect(answer.status == 500 && answer.code == "unwritable-number", "\(answer.text)")
    let key: HTTPFields = [.idempotencyKey: "once"]
    let first = await backend.call(.post, path + "/commands", key, body: ["type": "sum"])
    #expect(first.status == 500)
    let second = await backend.call(.post, path + "/commands", key, body: ["type": "sum"])
    #expect(second.status == 422 && second.code == "idempotency-key-reused")
    #expect(try await backend.get(path).rows[0].member("count").integer() == 2)
  }

  @Test("is logged with its place when the reply is sent")
  func log() async throws {
    let recorder = LogRecorder()
    let server = try Server(
      configuration: ServerConfiguration(), router: Self.backend().application.router,
      logger: Logger(label: "test") { _ in recorder })
    let port = try server.start().port
    let status = try await SocketThread.run {
      try SocketClient(port: port).get("/v1/sums-report").status
    }
    await server.shutdown(grace: .seconds(2))
    #expect(status == 500)
    let line = try #require(recorder.lines.all.first)
    #expect(line.hasPrefix("error a request failed"), "\(line)")
    #expect(line.contains("/sums/1") && line.contains("/v1/sums-report"), "\(line)")
  }
}

/// A feature whose own code computes the numbers.
private struct Sums: Feature {
  struct Sum: Resource {
    static let fields: [Field<Sum>] = []

    let id: ResourceID
    var json: JSONValue { UnwritableNumberTests.unwritable }
  }

  func register(in application: inout ApplicationBuilder) {
    application.add(SummingScreen(), keys: .only(["1"]))
    application.add(
      CollectionEndpoints<Sum>(
        path: "/v1/sums",
        page: { (_, _) throws(StoreError) in
          CollectionPage(elements: [Sum(id: 1)], hasMore: false, version: 1)
        },
        read: { (_) throws(StoreError) in Versioned(resource: Sum(id: 1), version: 1) },
        write: { (_, _, _) throws(StoreError) in throw .full }))
    application.on(.get, "/v1/sums-report", ["summary": "A report"]) { _ in
      .json(UnwritableNumberTests.unwritable)
    }
  }
}

private struct SummingScreen: Screen {
  struct State: ScreenState { var count = 0 }

  static let name: Text = "summing"
  static let summary = "Counts sums."
  static let sum = Command("sum", "Sums up.") {
    (state: inout State, transaction: inout Transaction) in
    state.count += 1
    transaction.details = ["sum": UnwritableNumberTests.unwritable]
  }
  static let total = RowType("total", of: State.self) { Field("count", \.count) }

  var commands: [AnyCommand<State>] { Self.sum }
  var rowTypes: [RowTypeDescriptor] { Self.total }

  func body(_ state: State) -> [ListSection] { ListSection("sums") { Self.total("total", state) } }
}
