import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A page of a collection")
struct CollectionPageTests {
  /// What else comes page by page.
  static let identifiers = [
    "/v1/catalogs/1/items", "/v1/catalogs/1/sections", "/v1/catalogs/1/sections/new",
  ]

  private static var paths: [String] { DemoCollection.all.map(\.path) + identifiers }

  /// A backend with at least twenty elements in each.
  static func filled() async throws -> Backend {
    let backend = try Backend(.all)
    for collection in DemoCollection.all {
      for _ in 1...20 {
        let answer = await backend.call(.post, collection.path, body: collection.body)
        #expect(answer.status == 201)
      }
    }
    var sections = (1...20).map { JSONValue.object(["id": .string("section \($0)")]) }
    let items = (1...20).map {
      JSONValue.object(["id": .string("ä/\($0)".replacing("/", with: " ")), "title": "x"])
    }
    sections.append(["id": "new", "items": .array(items)])
    let append: JSONValue = ["operation": "appendSections", "sections": .array(sections)]
    let answer = await backend.call(
      .post, "/v1/view-models/catalog/1/commands", body: ["type": "apply", "operations": [append]])
    #expect(answer.status == 200)
    return backend
  }

  /// The elements of a page, or their identifiers.
  static func elements(_ answer: Answer) throws -> [JSONValue] {
    let json = try answer.json
    for name: Text in ["itemIdentifiers", "sectionIdentifiers"]
    where (try? json.member(name)) != nil {
      return try json.member(name).elements().map(\.value)
    }
    return try json.elements().map(\.value)
  }

  @Test("leads to the next one, until every element came once, in the order of the collection")
  func walk() async throws {
    let backend = try await Self.filled()
    for path in Self.paths { try await Self.walk(path, backend) }
  }

  private static func walk(_ path: String, _ backend: Backend) async throws {
    let whole = await backend.get("\(path)?limit=1000")
    #expect(whole["Link"] == nil)
    let all = try elements(whole)
    #expect(all.count >= 20, "\(path)")

    var (walked, target): ([JSONValue], String?) = ([], "\(path)?limit=3")
    while let place = target {
      let page = await backend.get(place)
      #expect(page.status == 200)
      let elements = try elements(page)
      target = try page.nextPage
      #expect(target == nil ? (1...3).contains(elements.count) : elements.count == 3)
      #expect(target?.hasPrefix("\(path)?limit=3&after=") ?? true)
      walked += elements
    }
    #expect(walked == all, "\(path)")
  }

  @Test("has 100 elements unless told otherwise, and never more than 1,000")
  func limits() async throws {
    let users = (1...1_001).map { id -> JSONValue in
      ["id": .integer(id), "username": .string("user \(id)")]
    }
    let backend = try Backend(data: ["users": .array(users), "posts": []])
    for (query, count, link) in [
      ("", 100, "</v1/users?limit=100&after=100>; rel=\"next\""),
      ("?limit=1001", 1_000, "</v1/users?limit=1000&after=1000>; rel=\"next\""),
      ("?limit=99999999999999999999", 1_000, "</v1/users?limit=1000&after=1000>; rel=\"next\""),
      ("?limit=1&after=7", 1, "</v1/users?limit=1&after=8>; rel=\"next\""),
      ("?after=1000", 1, nil), ("?after=1001", 0, nil),
    ] as [(String, Int, String?)] {
      let page = await backend.get("/v1/users" + query)
      #expect(try page.json.elements().count == count, "\(query)")
      #expect(page["Link"] == link, "\(query)")
    }
  }

  @Test("is refused for a parameter that is empty, malformed or given twice")
  func refusals() async throws {
    let backend = try await Self.filled()
    for path in Self.paths {
      for query in [
        "limit=", "limit=0", "limit=-1", "limit=1.5", "limit=+5", "limit=x", "limit=1&limit=1",
        "after=", "after=1&after=1",
      ] {
        let answer = await backend.get("\(path)?\(query)")
        #expect(answer.status == 400 && answer.code == "bad-query", "\(path)?\(query)")
      }
    }
  }

  @Test("is gone where the element is that it should begin behind")
  func gone() async throws {
    let backend = try await Self.filled()
    for path in Self.paths {
      for after in ["nothing", "%2F", "e%CC%81"] {
        let answer = await backend.get("\(path)?after=\(after)")
        #expect(answer.status == 410 && answer.code == "after-gone", "\(path)?after=\(after)")
      }
    }
  }

  @Test("is gone where the last element of the one before was deleted meanwhile")
  func deletedMeanwhile() async throws {
    let backend = try await Self.filled()
    let page = await backend.get("/v1/users?limit=3")
    let next = try #require(try page.nextPage)
    #expect(next.hasSuffix("after=3"))
    await backend.call(.delete, "/v1/users/3")
    #expect(await backend.get(next).code == "after-gone")
    await backend.call(.post, "/v1/users", body: ["id": 3, "username": "again"])
    // It is there again, but at the end.
    #expect(try await backend.get(next).json.elements().isEmpty)
  }

  @Test("gives every element that stays exactly once, whatever else comes and goes in between")
  func walkAmongWrites() async throws {
    try await withSeeds(12) { generator in
      let users = (1...30).map { id -> JSONValue in ["id": .integer(id), "username": "x"] }
      let backend = try Backend(data: ["users": .array(users), "posts": []])
      var (present, staying) = (Set(1...30), Set(1...30))
      var (seen, target): ([Int], String?) = ([], "/v1/users?limit=4")
      while let place = target {
        let page = await backend.get(place)
        try require(page.status == 200, page.text)
        seen += try page.json.elements().map { try $0.member("id").integer() }
        target = try page.nextPage
        for _ in 0..<generator.number(in: 0...3) {
          let user = generator.pick(Array(present.sorted()))
          switch generator.number(in: 0...2) {
          case 0:
            let created = await backend.call(.post, "/v1/users", body: ["username": "new"])
            present.insert(try created.json.member("id").integer())
          case 1 where user != seen.last && present.count > 5:
            await backend.call(.delete, "/v1/users/\(user)")
            present.remove(user)
            staying.remove(user)
          default: await backend.call(.patch, "/v1/users/\(user)", body: ["username": "renamed"])
          }
        }
      }
      try require(Set(seen).count == seen.count, "some came twice: \(seen)")
      try require(staying.isSubset(of: seen), "some did not come: \(staying.subtracting(seen))")
    }
  }

  @Test("ends before it is larger than 1 MiB, and has one element at least")
  func bytes() async throws {
    let body = JSONValue.string(String(repeating: "x", count: 64 * 1024))
    let posts = (1...40).map { id -> JSONValue in
      ["id": .integer(id), "userId": 1, "title": "x", "body": body]
    }
    let backend = try Backend(
      .scoreboards, data: ["users": [["id": 1, "username": "x"]], "posts": .array(posts)])
    var (count, target): (Int, String?) = (0, "/v1/users/1/posts?limit=1000")
    while let place = target {
      let page = await backend.get(place)
      #expect(page.body.count <= 1024 * 1024)
      count += try page.json.elements().count
      target = try page.nextPage
    }
    #expect(count == 40)

    let players = (1...1_000).map { id -> JSONValue in
      ["id": .integer(id), "name": .string(String(repeating: "y", count: 1_000))]
    }
    for id in [50, 51] {
      let board: JSONValue = ["id": .integer(id), "title": "T", "players": .array(players)]
      #expect(await backend.call(.post, "/v1/scoreboards", body: board).status == 201)
    }
    let large = await backend.get("/v1/scoreboards?after=50")
    #expect(try large.json.elements().count == 1 && large.body.count > 1_000_000)
    let both = await backend.get("/v1/scoreboards?limit=2&after=4")
    #expect(try both.json.elements().count == 1)
    #expect(try both.nextPage == "/v1/scoreboards?limit=2&after=50")
  }

  @Test("has an entity tag that lasts as long as the collection is as it was")
  func tags() async throws {
    let backend = try await Self.filled()
    for collection in DemoCollection.all {
      let path = collection.path
      let first = try await Self.tag(path, backend)
      let created = await backend.call(.post, path, body: collection.body)
      var tags = [first, try await Self.tag(path, backend)]
      let one = try #require(created["Location"])
      let changed = DemoCollection.changed(try created.json.value)
      #expect(await backend.call(.put, one, body: changed).status == 200, "\(path)")
      tags.append(try await Self.tag(path, backend))
      #expect(await backend.call(.delete, one).status == 204)
      tags.append(try await Self.tag(path, backend))
      #expect(Set(tags).count == 4, "\(path)")
      #expect(await backend.get(path, [.ifNoneMatch: first]).status == 200)
    }
  }

  /// The tag of a collection, which is good for a 304.
  private static func tag(_ path: String, _ backend: Backend) async throws -> String {
    let page = await backend.get(path)
    #expect(page["Cache-Control"] == "no-cache" && page["Vary"] == "Accept, Accept-Encoding")
    let tag = try #require(page["ETag"])
    let known = await backend.get(path, [.ifNoneMatch: tag])
    #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == tag)
    return tag
  }

  @Test("of users does not change with their posts, and that of posts not with those of others")
  func otherTags() async throws {
    let backend = try Backend()
    let users = try #require(await backend.get("/v1/users")["ETag"])
    let others = try #require(await backend.get("/v1/users/2/posts")["ETag"])
    await backend.call(.post, "/v1/users/1/posts", body: ["title": "x", "body": "x"])
    #expect(await backend.get("/v1/users", [.ifNoneMatch: users]).status == 304)
    #expect(await backend.get("/v1/users/2/posts", [.ifNoneMatch: others]).status == 304)
  }

  @Test("is encoded once for all who ask for it, in each coding")
  func sharing() async throws {
    let backend = try await Self.filled()
    let router = backend.application.router
    for path in Self.paths + ["/v1/scoreboards/1", "/v1/catalogs/1"] {
      for fields in [[:], [.acceptEncoding: "gzip"]] as [HTTPFields] {
        let request = Request(method: .get, target: path, fields: fields)
        let first = await router.respond(to: request)
        #expect(first.status == .ok)
        #expect(await router.respond(to: request).isIdentical(to: first), "\(path)")
      }
    }
  }
}
