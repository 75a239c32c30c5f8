import CanonicalJSON
import HTTPTypes
import Testing
import ViewDeltaServer

@Suite("The tag of a user or a post")
struct ResourceTagTests {
  @Test(
    "honours If-Match and If-None-Match",
    arguments: [
      (HTTPField.Name.ifMatch, "T", 200), (.ifMatch, "*", 200), (.ifMatch, "\"x\"", 412),
      (.ifMatch, "W/T", 412), (.ifMatch, "x", 400), (.ifNoneMatch, "\"x\"", 200),
      // The tag of the same version in another process.
      (.ifMatch, "E", 412), (.ifNoneMatch, "E", 200),
      (.ifNoneMatch, "x", 400),
      (.ifNoneMatch, "T", 412), (.ifNoneMatch, "*", 412),
    ])
  func conditions(field: HTTPField.Name, condition: String, status: Int) async throws {
    var backend = try Backend()
    for (path, body) in [
      ("/v1/users/1", ["username": "x"]),
      ("/v1/users/1/posts/1", ["title": "x", "body": "x"]),
    ] as [(String, JSONValue)] {
      for method in [HTTPRequest.Method.put, .patch, .delete] {
        // A refusal changes nothing.
        if status == 200 { backend = try Backend() }
        let before = await backend.get(path)
        let tag = try #require(before["ETag"])
        let foreign = tag.replacing(/^"[^-]+/, with: "\"other")
        let value = condition.replacing("E", with: foreign).replacing("T", with: tag)
        let answer = await backend.call(method, path, [field: value], body: body)
        #expect(answer.status == (method == .delete && status == 200 ? 204 : status))
        if status != 200 { #expect(await backend.get(path).body == before.body) }
      }
    }
  }

  @Test(
    "of a collection decides whether a resource is added to it",
    arguments: [
      (HTTPField.Name.ifMatch, "T", 201), (.ifMatch, "*", 201), (.ifMatch, "\"x\"", 412),
      (.ifMatch, "W/T", 412), (.ifMatch, "x", 400), (.ifNoneMatch, "\"x\"", 201),
      (.ifNoneMatch, "x", 400), (.ifNoneMatch, "T", 412), (.ifNoneMatch, "*", 412),
    ])
  func additions(field: HTTPField.Name, condition: String, status: Int) async throws {
    let backend = try Backend(.all)
    await backend.call(.post, "/v1/scoreboards", body: ["id": "b", "title": "x"])
    for (path, body) in [
      ("/v1/users", ["username": "x"]), ("/v1/users/2/posts", ["title": "x", "body": "x"]),
      ("/v1/scoreboards", ["title": "x"]),
      ("/v1/scoreboards/b/players", ["name": "x", "score": 1]),
    ] as [(String, JSONValue)] {
      let before = await backend.get(path)
      let value = condition.replacing("T", with: try #require(before["ETag"]))
      let fields: HTTPFields = [field: value, .idempotencyKey: "key"]
      let answer = await backend.call(.post, path, fields, body: body)
      #expect(answer.status == status, "\(path)")
      let after = await backend.get(path)
      #expect((after.body == before.body) == (status != 201), "\(path)")
      // The same request again has the outcome that it had, though the collection has changed since.
      let again = await backend.call(.post, path, fields, body: body)
      #expect(again.status == status && again.body == answer.body, "\(path)")
      #expect(await backend.get(path).body == after.body, "\(path)")
    }
  }

  @Test("is none to write to if one field wants it and the other one excludes it")
  func bothConditions() async throws {
    let backend = try Backend()
    let tag = try #require(await backend.get("/v1/users/1")["ETag"])
    let fields: HTTPFields = [.ifMatch: tag, .ifNoneMatch: tag]
    #expect(await backend.call(.delete, "/v1/users/1", fields).status == 412)
    #expect(
      await backend.call(.delete, "/v1/users/1", [.ifMatch: tag, .ifNoneMatch: "\"x\""]).status
        == 204)
  }

  @Test(
    "keeps its tag through a write of what it is already",
    arguments: ["/v1/users/1", "/v1/users/1/posts/1", "/v1/listeners/1", "/v1/forms/1"])
  func sameWrites(path: String) async throws {
    let backend = try Backend(.all)
    let before = await backend.get(path)
    let tag = try #require(before["ETag"])
    for (method, body) in [
      (.patch, [:]), (.put, try before.json.value), (.patch, try before.json.value),
    ] as [(HTTPRequest.Method, JSONValue)] {
      let answer = await backend.call(method, path, [.ifMatch: tag], body: body)
      #expect(answer.status == 200 && answer.body == before.body && answer["ETag"] == tag)
    }
    #expect(await backend.get(path, [.ifNoneMatch: tag]).status == 304)
  }

  @Test("loses no patch among many at once")
  func concurrentPatches() async throws {
    let backend = try Backend()
    let statuses = await withTaskGroup(of: Int.self) { group in
      for member: Text in ["email", "website", "avatarURL"] {
        group.addTask {
          await backend.call(.patch, "/v1/users/2", body: .object([member: "/set"])).status
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses == [200, 200, 200])
    #expect(
      await backend.get("/v1/users/2").text
        == #"{"avatarURL":"/set","email":"/set","id":2,"username":"bruno","website":"/set"}"#)
  }

  @Test("that many replace at once under one tag is replaced once", arguments: ["PUT", "PATCH"])
  func oneWriter(method: String) async throws {
    let backend = try Backend()
    let tag = try #require(await backend.get("/v1/users/1")["ETag"])
    let method = try #require(HTTPRequest.Method(method))
    let statuses = await withTaskGroup(of: Int.self) { group in
      for number in 1...30 {
        group.addTask {
          await backend.call(
            method, "/v1/users/1", [.ifMatch: tag],
            body: ["username": .string(Text("user \(number)"))]
          ).status
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 29)
  }

  @Test(
    "is written by each of many at once that demand only that it exists",
    arguments: [(HTTPField.Name.ifMatch, "*"), (.ifNoneMatch, "\"x\""), (.accept, "*/*")])
  func manyWriters(field: HTTPField.Name, condition: String) async throws {
    let backend = try Backend()
    let statuses = await withTaskGroup(of: Int.self) { group in
      for number in 1...60 {
        group.addTask {
          await backend.call(
            number.isMultiple(of: 2) ? .put : .patch, "/v1/users/1", [field: condition],
            body: ["username": .string(Text("user \(number)"))]
          ).status
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 60))
  }

  @Test("that many replace at once unless it has the next tag is replaced once")
  func oneExcluded() async throws {
    let backend = try Backend()
    let tag = try #require(await backend.get("/v1/users/1")["ETag"])
    let match = try #require(tag.firstMatch(of: /"(.+)-(\d+)"/))
    // The writes of a store are counted, so that the tag of the next one is known.
    let start = await backend.call(.patch, "/v1/users/2", body: ["email": "e"])
    let write = try #require(start["ETag"]?.firstMatch(of: /-(\d+)"/).flatMap { Int($0.output.1) })
    let next = "\"\(match.output.1)-\(write + 1)\""
    let statuses = await withTaskGroup(of: Int.self) { group in
      for number in 1...30 {
        group.addTask {
          await backend.call(
            .put, "/v1/users/1", [.ifNoneMatch: next],
            body: ["username": .string(Text("user \(number)"))]
          ).status
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 29)
    #expect(await backend.get("/v1/users/1")["ETag"] == next)
  }

  @Test("has tags that follow from the seed and the writes alone")
  func seeds() async throws {
    var tags: [[String?]] = []
    for seed: [UInt8] in [[1], [1], [2]] {
      let backend = try Backend { $0.configuration.seed = seed }
      await backend.call(.post, "/v1/users", body: ["username": "x"])
      await backend.send("appear")
      tags.append([
        await backend.get("/v1/users/3")["ETag"], await backend.get("/v1/users")["ETag"],
        await backend.get(Backend.viewModel)["ETag"],
      ])
    }
    #expect(tags[0] == tags[1] && !tags[0].contains(nil))
    #expect(zip(tags[0], tags[2]).allSatisfy { $0 != $1 })
  }
}
