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

  @Test("of a listener are shown as they are written")
  func writes() async throws {
    let backend = try Backend(.podcasts)
    #expect(await Self.send(backend, ["type": "load"]).status == 202)
    backend.scheduler.advance(by: .zero)
    let created = await backend.call(.post, Self.podcasts, body: ["title": "New"])
    #expect(created.status == 201)
    let location = try #require(created["Location"])
    #expect(location == "\(Self.podcasts)/8" && created.text == #"{"id":8,"title":"New"}"#)
    #expect(await backend.get(Self.viewModel).text.contains(#""podcast/8","title":"New""#))
    #expect(await backend.get(Self.podcasts).text.hasSuffix(",\(created.text)]"))

    let body: JSONValue = ["title": "Newer", "author": "A", "latestEpisode": ["title": "E"]]
    #expect(await backend.call(.put, location, body: body).status == 200)
    #expect(await backend.call(.patch, location, body: ["title": "Newest"]).status == 200)
    #expect(await backend.get(Self.viewModel).text.contains(#""title":"Newest""#))
    #expect(await backend.get(location).text.contains(#""author":"A""#))
    #expect(await backend.call(.delete, location).status == 204)
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
      let row = try #require(try await backend.get(viewModel).row("podcasts/error")).value
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
}
