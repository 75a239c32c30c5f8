import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

/// What a client does that knows nothing of a screen but its description.
@Suite("The opening command of a screen")
struct OpeningCommandTests {
  @Test("stands in its description and in the list, if the screen loads when it comes into view")
  func descriptions() async throws {
    let backend = try Backend(.all)
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    var openings: [String: String] = [:]
    var opened: [String: JSONValue] = [:]
    for screen in screens {
      let name = try screen.member("name").string().string
      let described = try await backend.get("/v1/view-models/\(name)").json
      openings[name] = try screen.optionalMember("opening")?.string().string
      #expect(try described.optionalMember("opening")?.string().string == openings[name])
      opened[name] = try screen.optionalMember("opens")?.value
    }
    #expect(openings == ["profile": "appear", "podcasts": "load"])
    #expect(opened == ["profile": ["posts", "profile"], "podcasts": ["podcasts"]])
  }

  @Test(
    "sent by 500 clients that come back after a restart starts one load",
    arguments: ["profile/1", "podcasts/1"])
  func herd(name: String) async throws {
    let backend = try Backend(.podcasts)
    let path = "/v1/view-models/\(name)"
    let opening = try await backend.get("/v1/view-models/\(name.prefix { $0 != "/" })")
      .string("opening")
    // All of them hear of the restart before the first sends anything.
    var revisions: [String] = []
    for number in 0..<500 {
      let reset = await backend.get("\(path)/diff?since=00000000.\(number)")
      #expect(reset.text.contains("notRequested"))
      revisions.append(try #require(reset["View-Revision"]))
    }
    let statuses = await withTaskGroup(of: Int.self) { group in
      for revision in revisions {
        group.addTask {
          await backend.call(
            .post, path + "/commands", [.ifMatch: "\"\(revision)\""],
            body: ["type": .string(opening)]
          ).status
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [202: 1, 412: 499])
    backend.scheduler.advance(by: .seconds(4))
    try await expectLoadedOnce(backend, path)
  }

  @Test("starts one load over 200 connections")
  func connections() async throws {
    let backend = try Backend()
    try await LiveServer.run(backend) { live in
      let clients = try (0..<200).map { _ in try live.client() }
      let tags = try clients.map { try $0.get(Backend.viewModel)["etag"] }
      for (client, tag) in zip(clients, tags) {
        let body = #"{"type":"appear"}"#
        let head = [
          "POST \(Backend.viewModel)/commands HTTP/1.1", "Host: localhost",
          "If-Match: \(tag ?? "")",
          "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
        ]
        try client.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
      }
      let statuses = try clients.map { try $0.readReply().status }
      #expect(statuses.count { $0 == 202 } == 1)
      #expect(statuses.count { $0 == 412 } == 199)
      backend.scheduler.advance(by: .seconds(4))
    }
    try await expectLoadedOnce(backend, Backend.viewModel)
  }

  private func expectLoadedOnce(_ backend: Backend, _ path: String) async throws {
    // The thread that applies the last commands may apply the ends of the loads too.
    var states: [Text: JSONValue] = [:]
    try await wait {
      // The refresh policy of the podcasts is no source.
      states = try await backend.get(path).json.member("states").object()
        .filter { $0.key != "refreshPolicy" }
      return states.values.allSatisfy { $0 == "loaded" }
    }
    let causes = try await backend.get(path + "/revisions").json.member("revisions").elements()
      .map { try $0.member("cause").member("kind").string().string }
    #expect(causes.count { $0 == "command" } == 1)
    #expect(causes.count { $0 == "loadResult" } == states.count)
  }
}
