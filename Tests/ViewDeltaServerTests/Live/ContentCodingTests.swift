import CanonicalJSON
import Gzip
import HTTPTypes
import Testing
import ViewState

@testable import MicroHTTP
@testable import ViewDeltaServer

@Suite("The coding of a reply")
struct ContentCodingTests {
  static let gzip: HTTPFields = [.acceptEncoding: "gzip"]

  /// A backend whose loaded view model has some kilobytes.
  static func large() async throws -> Backend {
    let posts = (1...40).map { id in
      JSONValue.object([
        "id": .integer(id), "userId": 1, "title": .string("Title \(id)"),
        "body": .string(String(repeating: "Post \(id). ", count: 20)),
      ])
    }
    let backend = try Backend(
      data: [
        "users": [["id": 1, "username": "ada"], ["id": 2, "name": "b"]], "posts": .array(posts),
      ])
    await backend.load()
    return backend
  }

  /// One for all cases that only read.
  private static let read = Task { try await large() }

  @Test(
    "is the one that the client likes best",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("GZip", true), ("x-gzip", true), ("*", true),
      ("identity", false), ("deflate, br", false), ("gzip, deflate, br", true),
      ("gzip\u{37E}q=1", false),
      ("br,\u{301}gzip, gzip", true), ("gzip;q=0", false), ("gzip;q=0.000", false),
      ("gzip;q=0.001", true), ("gzip;q=1.0", true),
      ("gzip;q=0.5, identity", false), ("gzip;q=0.5, identity;q=0.5", true),
      ("identity;q=0.4, gzip;q=0.5", true), ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
      ("*;q=0", false), ("*;q=0, gzip", true), ("gzip;q=0, *", false), ("identity;q=0", false),
      ("identity;q=0, *;q=0.1", true), ("identity;q=0, gzip;q=0", false), ("gzip;q=2", false),
      ("gzip;q=-1", false), ("gzip;q=", false), ("gzip;q=x", false), ("gzip;q=nan", false),
      ("gzip ; q=0.5", true), (" gzip ", true), (",,gzip,,", true), ("gzipped", false),
    ])
  func choice(field: String?, isCoded: Bool) async throws {
    let backend = try await Self.read.value
    let answer = await backend.get(
      Backend.viewModel, field.map { [.acceptEncoding: $0] } ?? [:])
    #expect(answer.status == 200)
    #expect(answer["Content-Encoding"] == (isCoded ? "gzip" : nil))
    #expect(answer["Vary"] == "Accept, Accept-Encoding")
  }

  @Test("is gzip from one KiB on", arguments: [0, 1, 1_023, 1_024, 1_025, 100_000])
  func size(count: Int) throws {
    let plain = Response(
      status: .ok, fields: [.eTag: "\"R\""], body: [UInt8](repeating: 97, count: count))
    let coded = plain.coded(.gzip)
    #expect(coded.fields[.contentEncoding] == (count >= 1_024 ? "gzip" : nil))
    #expect(coded.fields[.eTag] == (count >= 1_024 ? "\"R-gzip\"" : "\"R\""))
    #expect(coded.isIdentical(to: plain) == (count < 1_024))
    #expect(plain.coded(.identity).isIdentical(to: plain))
  }

  @Test("holds the very bytes of the plain reply, is made once, and is named by a tag of its own")
  func equality() async throws {
    let backend = try await Self.large()
    let kept = try await backend.revisions()
    let (first, last) = (kept[0], kept[kept.count - 1])
    for target in [
      "", "?at=\(last)", "/diff", "/diff?since=\(first)", "/diff?since=\(first)&until=\(last)",
      "/diff?since=00000000.1",
    ] {
      let path = Backend.viewModel + target
      let plain = await backend.get(path)
      let coded = await backend.get(path, Self.gzip)
      #expect(plain.body.count >= 1_024)
      #expect(plain["Content-Encoding"] == nil)
      #expect(coded["Content-Encoding"] == "gzip")
      #expect(coded.body.count < plain.body.count / 2)
      #expect(coded.body == Gzip.compress(plain.body))
      #expect(coded["ETag"] == plain["ETag"].map { $0.dropLast() + "-gzip\"" })
      for field in ["Vary", "Cache-Control", "View-Revision", "Content-Type"] {
        #expect(coded[field] != nil && coded[field] == plain[field])
      }
      let request = Request(method: .get, target: path, fields: Self.gzip)
      let once = await backend.application.router.respond(to: request)
      let again = await backend.application.router.respond(to: request)
      #expect(once.isIdentical(to: again))
    }
  }

  @Test(
    "is gzip, too, for what is no view model: the document of the API, a poll of many view models")
  func others() async throws {
    let backend = try await Self.large()
    let plain = await backend.get("/openapi.json")
    let coded = await backend.get("/openapi.json", Self.gzip)
    #expect(coded.body == Gzip.compress(plain.body, level: 6))
    #expect(coded["ETag"] == plain["ETag"].map { $0.dropLast() + "-gzip\"" })
    let body: JSONValue = ["screens": ["profile/1": [:]]]
    let sync = try #require(backend.sync(body).answer)
    let codedSync = try #require(backend.sync(body, Self.gzip).answer)
    #expect(codedSync["Content-Encoding"] == "gzip")
    #expect(codedSync.body == Gzip.compress(sync.body))
  }

  @Test("is none for what is small, for a 204 and for an error")
  func small() async throws {
    let backend = try Backend()
    let revision = try await backend.revision
    let snapshot = await backend.get(Backend.viewModel, Self.gzip)
    #expect(snapshot["Content-Encoding"] == nil)
    #expect(snapshot["ETag"] == "\"\(revision)\"")
    let nothing = await backend.diff("since=\(revision)", Self.gzip)
    #expect(nothing.status == 204 && nothing["Content-Encoding"] == nil)
    let problem = await backend.get("/v1/view-models/profile/99", Self.gzip)
    #expect(problem.status == 404 && problem["Content-Encoding"] == nil)
  }

  @Test("makes a 304 of either tag, and none of another")
  func conditional() async throws {
    let backend = try await Self.large()
    let tag = try await backend.revision
    for (condition, status) in [
      ("\"\(tag)\"", 304), ("\"\(tag)-gzip\"", 304), ("W/\"\(tag)-gzip\"", 304),
      ("\"x\", \"\(tag)-gzip\"", 304), ("*", 304), ("\"\(tag)-br\"", 200),
      ("\"\(tag)-gzip-gzip\"", 200), ("\"x-gzip\"", 200),
    ] {
      for target in ["", "/diff", "?at=\(tag)"] {
        let answer = await backend.get(
          Backend.viewModel + target, [.acceptEncoding: "gzip", .ifNoneMatch: condition])
        #expect(answer.status == status, "\(condition)")
        if status == 304 {
          #expect(answer.body.isEmpty)
          // The tag is that of the representation that the client holds.
          let tag = try #require(answer["ETag"])
          #expect(condition == "*" || condition.contains(tag))
        }
      }
    }
    // Who takes no gzip cannot use what it may hold of it.
    let plain = await backend.get(Backend.viewModel, [.ifNoneMatch: "\"\(tag)-gzip\""])
    #expect(plain.status == 200)
  }

  @Test("does not hinder a command that is tied to the revision")
  func commands() async throws {
    let backend = try await Self.large()
    let tag = try #require(await backend.get(Backend.viewModel, Self.gzip)["ETag"])
    #expect(tag.hasSuffix("-gzip\""))
    #expect(await backend.send("loadPosts", [.ifMatch: tag]).status == 202)
    let stale = await backend.send("cancelPosts", [.ifMatch: tag])
    #expect(stale.status == 412)
  }

  @Test("is the same whether the reply was waited for or not")
  func waited() async throws {
    let backend = try await Self.large()
    let since = try await backend.revision
    let poll = backend.poll("since=\(since)&wait=20", Self.gzip)
    await backend.retitle(String(repeating: "A long title. ", count: 70))
    let answer = try #require(poll.answer)
    #expect(answer["Content-Encoding"] == "gzip")
    let plain = await backend.diff("since=\(since)")
    #expect(answer.body == Gzip.compress(plain.body))
    let again = await backend.diff("since=\(since)", Self.gzip)
    #expect(again.body == answer.body)
  }
}
