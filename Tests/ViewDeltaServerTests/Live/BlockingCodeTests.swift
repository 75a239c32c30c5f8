import CanonicalJSON
import Foundation
import HTTPTypes
import MicroHTTP
import Snapshots
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("Code of a program that blocks its threads", .serialized)
struct BlockingCodeTests {
  private struct BlockingFeature: Feature {
    let blocker: Blocker

    func register(in application: inout ApplicationBuilder) {
      application.add(BlockingScreen(blocker: blocker))
      application.on(.get, "/v1/blocking", ["summary": "Blocks."]) { [blocker] _ in
        blocker.block()
        return Response(status: .noContent)
      }
    }
  }

  private struct BlockingScreen: Screen {
    struct State: ScreenState { var number = LoadState<Int>() }

    static let name: Text = "blocking"
    static let summary = "A number that takes long."
    static let number = RowType("number", of: Int.self) { Field("n", \Int.self) }

    let blocker: Blocker

    var rowTypes: [RowTypeDescriptor] { Self.number }
    var parts: [any ScreenPart<State>] {
      let source = Source<Int> { [blocker] _ in
        blocker.block()
        return 7
      }
      return [
        Loading("number", \.number, from: source) { number, _ in
          if let number { Self.number("number", number) }
        }
      ]
    }
  }

  @Test("keeps no other request from its answer, and its loads time out")
  func answers() async throws {
    let blocker = Blocker()
    let backend = try FeatureTests.backend { BlockingFeature(blocker: blocker) }
    let scheduler = backend.scheduler
    try await LiveServer.run(backend) { live in
      let client = try live.client()
      func send(_ command: String, to key: Int) throws -> HTTPReply {
        try client.request(
          "POST", "/v1/view-models/blocking/\(key)/commands", json: #"{"type":"\#(command)"}"#)
      }
      // More than Swift's own pool has threads.
      let count = min(40, ProcessInfo.processInfo.activeProcessorCount + 4)
      for key in 1...count { #expect(try send("appear", to: key).status == 202) }
      let routes = try (1...4).map { _ in
        let client = try live.client()
        try client.send("GET /v1/blocking HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return client
      }
      try awaitTrue("\(count + 4) calls, not \(blocker.begun)") { blocker.begun == count + 4 }

      #expect(try client.get("/metrics").status == 200)
      #expect(try client.get("/v1/view-models/blocking/other").status == 200)
      #expect(try client.get("/v1/view-models/blocking/1").text.contains("isLoading"))
      scheduler.advance(by: .seconds(10))
      try awaitTrue("a load that times out") {
        try client.get("/v1/view-models/blocking/1").text.contains(#""code":"timed-out""#)
      }
      #expect(blocker.ended == 0)
      for _ in 1...count + 4 { blocker.release() }
      for route in routes { #expect(try route.readReply(hasBody: false).status == 204) }
    }
  }
}
