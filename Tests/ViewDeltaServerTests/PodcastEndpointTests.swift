import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaServer

@Suite("The podcasts")
struct PodcastEndpointTests {
  static let listeners = "/v1/listeners"
  static let podcasts = "/v1/listeners/1/podcasts"
  static let viewModel = "/v1/view-models/podcasts/1"

  static func send(_ backend: Backend, _ body: JSONValue) async -> Answer {
    await backend.call(.post, viewModel + "/commands", body: body)
  }

  @Test(
    "of a listener are created, read, replaced, patched and deleted, and the view model follows")
  func lifecycle() async throws {
    let backend = try Backend(.podcasts)
    #expect(await Self.send(backend, ["type": "load"]).status == 202)
    backend.scheduler.advance(by: .zero)
    let created = await backend.call(.post, Self.podcasts, body: ["title": "New"])
    #expect(created.status == 201)
    let location = try #require(created["Location"])
    #expect(location == "\(Self.podcasts)/8" && created.text == #"{"id":8,"title":"New"}"#)
    #expect(await backend.get(Self.viewModel).text.contains(#""podcast/8","title":"New""#))
    #expect(await backend.get(Self.podcasts).text.hasSuffix(",\(created.text)]"))

    let tag = try #require(created["ETag"])
    #expect(await backend.get(location, [.ifNoneMatch: tag]).status == 304)
    let body: JSONValue = ["title": "Newer", "author": "A", "latestEpisode": ["title": "E"]]
    let replaced = await backend.call(.put, location, [.ifMatch: tag], body: body)
    #expect(replaced.status == 200 && replaced["ETag"] != tag)
    #expect(await backend.call(.put, location, [.ifMatch: tag], body: body).status == 412)
    #expect(await backend.call(.patch, location, body: ["title": "Newest"]).status == 200)
    #expect(await backend.get(Self.viewModel).text.contains(#""title":"Newest""#))
    #expect(await backend.get(location).text.contains(#""author":"A""#))
    #expect(await backend.call(.delete, location).status == 204)
    #expect(await backend.get(location).code == "unknown-podcast")
    #expect(await !backend.get(Self.viewModel).text.contains("podcast/8"))
  }

  @Test("say why they cannot be loaded: a missing feed and a malformed one differ for people, too")
  func failures() async throws {
    let backend = try Backend(.podcasts)
    let made = await backend.call(.post, Self.listeners, body: ["name": "n"])
    let path = try #require(made["Location"])
    let viewModel = try "/v1/view-models/podcasts/" + #require(path.split(separator: "/").last)
    func failure() async throws -> [JSONValue?] {
      await backend.call(.post, viewModel + "/commands", body: ["type": "load"])
      backend.scheduler.advance(by: .zero)
      let rows = try await backend.get(viewModel).json.member("sections").elements()[0].member(
        "rows")
      let row = try #require(try rows.elements().first { $0.value["id"] == "podcasts/error" }).value
      return [row["code"], row["detail"]]
    }
    #expect(
      try await failure() == ["missing", "The listener has not followed any podcast yet."])
    let podcast = await backend.call(.post, path + "/podcasts", body: ["title": " "])
    let id = try podcast.json.member("id").integer()
    #expect(
      try await failure() == ["malformed", .string("The podcast \(id) has no title.")])
    let incidents = try await IncidentEndpointTests.incidents(backend, of: viewModel)
    #expect(incidents.map { $0["code"] } == ["malformed", "missing"])
  }

  @Test("have a picture and a page of their own, on the web or on this server, which rows show")
  func addresses() async throws {
    let backend = try Backend(.podcasts)
    let members: JSONValue = ["artworkURL": "/pictures/a.svg", "podcastURL": "https://a.b/ä"]
    let podcast = await backend.call(
      .post, Self.podcasts, body: members.mergePatched(with: ["title": "T\u{301}"]))
    #expect(podcast.status == 201)
    _ = await Self.send(backend, ["type": "load"])
    backend.scheduler.advance(by: .zero)
    #expect(
      await backend.get(Self.viewModel).text.contains(
        #""podcastURL":"https://a.b/ä","title":"T\#u{301}""#))
    let location = try #require(podcast["Location"])
    for wrong: JSONValue in [
      "https://\u{301}x", "ftp://x", "//a.b/", "javascript:alert(1)", "<img src=x>", "", 1,
    ] {
      for member: Text in ["artworkURL", "podcastURL"] {
        let answer = await backend.call(.patch, location, body: .object([member: wrong]))
        #expect(answer.status == 422 && answer.pointer == "/\(member)", "\(wrong)")
      }
    }
    #expect(await backend.get(location).text == podcast.text)
  }

  @Test("have listeners, whose view models go with them")
  func listeners() async throws {
    let backend = try Backend(.podcasts)
    let created = await backend.call(.post, Self.listeners, body: ["name": "Fatima"])
    let location = try #require(created["Location"])
    #expect(created.status == 201 && location == "\(Self.listeners)/6")
    let viewModel = "/v1/view-models/podcasts/6"
    #expect(await backend.get(viewModel).text.contains(#""listener":"Fatima""#))
    #expect(await backend.get(location + "/podcasts").code == "missing-feed")
    #expect(await backend.call(.patch, location, body: ["name": "F."]).status == 200)
    #expect(await backend.get(viewModel).text.contains(#""listener":"F.""#))
    #expect(await backend.call(.put, location, body: ["name": "G."]).text.contains("G."))
    #expect(await backend.get(Self.listeners).text.contains(#"{"id":6,"name":"G."}"#))
    await backend.call(.post, viewModel + "/commands", body: ["type": "load"])
    backend.scheduler.advance(by: .zero)
    #expect(await backend.get(viewModel).text.contains(#""code":"missing""#))
    #expect(await backend.call(.post, location + "/podcasts", body: ["title": "T"]).status == 201)
    #expect(await backend.call(.delete, location).status == 204)
    #expect(await backend.get(location).code == "unknown-listener")
    #expect(await backend.get(viewModel).status == 410)
    #expect(await backend.get("/v1/view-models/podcasts/99").code == "unknown-key")
  }

  @Test("are refused with the member at fault, and nothing changes")
  func refusals() async throws {
    let backend = try Backend(.podcasts)
    let before = await backend.get(Self.podcasts).text
    for (method, path, body, status, pointer) in [
      (.post, "", [:], 422, "/name"), (.post, "", ["name": 1], 422, "/name"),
      (.post, "", ["name": "N", "id": 1], 409, "/id"),
      (.put, "/1", ["name": "N", "id": 2], 422, "/id"),
      (.post, "/1/podcasts", ["title": 1], 422, "/title"),
      (.post, "/1/podcasts", ["title": "T", "id": 1], 409, "/id"),
      (.post, "/1/podcasts", ["latestEpisode": "E"], 422, "/latestEpisode"),
      (.put, "/1/podcasts/1", ["id": 2], 422, "/id"),
      (.post, "/99/podcasts", ["title": "T"], 404, nil), (.patch, "/99", [:], 404, nil),
      (.patch, "/1/podcasts/99", [:], 404, nil), (.patch, "/99/podcasts/1", [:], 404, nil),
    ] as [(HTTPRequest.Method, String, JSONValue, Int, String?)] {
      let answer = await backend.call(method, Self.listeners + path, body: body)
      #expect(answer.status == status, "\(method) \(path) \(body)")
      #expect(answer.pointer == pointer, "\(method) \(path) \(body)")
    }
    #expect(await backend.get(Self.podcasts).text == before)
  }

  @Test("load as the demo data says: a list, an empty one, none, and one that is broken")
  func demo() async throws {
    let backend = try Backend(.podcasts)
    for (listener, sign) in [
      ("1", #""podcast/3""#), ("3", #""contentEmpty""#), ("4", #""code":"missing""#),
      ("5", #""code":"malformed""#),
    ] {
      let viewModel = "/v1/view-models/podcasts/\(listener)"
      await backend.call(.post, viewModel + "/commands", body: ["type": "load"])
      backend.scheduler.advance(by: .zero)
      #expect(await backend.get(viewModel).text.contains(sign), "listener \(listener)")
    }
  }

  @Test("take their time, fail and hang as a script says")
  func faults() async throws {
    let backend = try Backend(.podcasts) {
      $0.configuration.latencies["podcasts"] = .seconds(3)
    }
    let faults = "/v1/faults/podcasts/1"
    let script: JSONValue = ["outcomes": ["fail", "hang"], "latencyMilliseconds": 10]
    #expect(await backend.call(.put, faults, body: script).status == 200)
    _ = await Self.send(backend, ["type": "load"])
    backend.scheduler.advance(by: .milliseconds(10))
    #expect(await backend.get(Self.viewModel).text.contains(#""code":"unavailable""#))
    #expect(await backend.get(faults).text.contains(#""outcomes":["hang"]"#))
    _ = await Self.send(backend, ["type": "load"])
    backend.scheduler.advance(by: .seconds(10))
    #expect(await backend.get(Self.viewModel).text.contains(#""code":"timed-out""#))
    #expect(await backend.call(.delete, faults).status == 204)
    _ = await Self.send(backend, ["type": "load"])
    backend.scheduler.advance(by: .milliseconds(2_999))
    #expect(await backend.get(Self.viewModel).text.contains(#""podcasts":"isLoading""#))
    backend.scheduler.advance(by: .milliseconds(1))
    #expect(await backend.get(Self.viewModel).text.contains(#""podcasts":"loaded""#))
    #expect(await backend.get("/v1/faults/podcasts/99").code == "unknown-key")
    #expect(await backend.call(.put, "/v1/faults/podcasts/99", body: [:]).status == 404)
  }
}
