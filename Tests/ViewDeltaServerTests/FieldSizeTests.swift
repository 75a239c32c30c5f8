import CanonicalJSON
import HTTPTypes
import Testing

@Suite("The texts of a resource")
struct FieldSizeTests {
  /// A text, where it is written, and the most bytes that it may have.
  struct Field: CustomTestStringConvertible, Sendable {
    let path: String
    let body: JSONValue
    let pointer: String
    let limit: Int
    /// The beginning of the text.
    let start: String

    init(
      _ path: String, _ body: JSONValue, _ pointer: String, _ limit: Int, start: String = ""
    ) {
      (self.path, self.body, self.pointer, self.limit) = (path, body, pointer, limit)
      self.start = start
    }

    var testDescription: String { "\(path) \(pointer)" }

    /// The body with a text of so many bytes, in characters of two.
    func body(bytes: Int) -> JSONValue {
      let rest = bytes - start.utf8.count
      let text = start + String(repeating: "é", count: rest / 2) + (rest % 2 == 0 ? "" : "x")
      return Self.put(.string(text), in: body, at: pointer.split(separator: "/").map { Text($0) })
    }

    private static func put(_ text: JSONValue, in body: JSONValue, at place: [Text]) -> JSONValue {
      guard let name = place.first else { return text }
      var members: [Text: JSONValue] = if case .object(let members) = body { members } else { [:] }
      members[name] = put(text, in: members[name] ?? [:], at: Array(place.dropFirst()))
      return .object(members)
    }
  }

  static let fields: [Field] = [
    Field("/v1/users", ["username": "x"], "/username", 1_000),
    Field("/v1/users", [:], "/name", 1_000),
    Field("/v1/users", ["username": "x"], "/email", 1_000),
    Field("/v1/users", ["username": "x"], "/website", 2_048),
    Field("/v1/users", ["username": "x"], "/address/city", 1_000),
    Field("/v1/users", ["username": "x"], "/avatarURL", 2_048, start: "/"),
    Field("/v1/users", ["username": "x"], "/image", 2_048, start: "/"),
    Field("/v1/users/1/posts", ["body": "x"], "/title", 1_000),
    Field("/v1/users/1/posts", ["title": "x"], "/body", 65_536),
    Field("/v1/listeners", [:], "/name", 1_000),
    Field("/v1/listeners/1/podcasts", [:], "/title", 1_000),
    Field("/v1/listeners/1/podcasts", [:], "/author", 1_000),
    Field("/v1/listeners/1/podcasts", [:], "/artworkURL", 2_048, start: "/"),
    Field("/v1/listeners/1/podcasts", [:], "/podcastURL", 2_048, start: "https://a.b/"),
    Field("/v1/listeners/1/podcasts", [:], "/feedURL", 2_048, start: "http://a.b?"),
    Field("/v1/listeners/1/podcasts", [:], "/latestEpisode/title", 1_000),
    Field("/v1/listeners/1/podcasts", [:], "/latestEpisode/date", 1_000),
    Field("/v1/scoreboards", [:], "/title", 1_000),
    Field("/v1/scoreboards/1/players", [:], "/name", 1_000),
    Field("/v1/forms", [:], "/title", 1_000),
    Field("/v1/forms/1/entries", ["date": "2026-01-01"], "/text", 1_000),
    Field("/v1/companies", ["city": "x", "taxNumber": "DE136695976"], "/name", 1_000),
    Field("/v1/companies", ["name": "x", "taxNumber": "DE136695976"], "/city", 1_000),
  ]

  @Test("have as many bytes as their description says, and not one more", arguments: fields)
  func limits(field: Field) async throws {
    let backend = try Backend(.all)
    let right = await backend.call(.post, field.path, body: field.body(bytes: field.limit))
    #expect(right.status == 201, "\(right.text)")
    let wrong = await backend.call(.post, field.path, body: field.body(bytes: field.limit + 1))
    #expect(wrong.status == 422 && wrong.code == "invalid-member")
    #expect(wrong.pointer == field.pointer)

    let one = try #require(right["Location"])
    let patch = await backend.call(.patch, one, body: field.body(bytes: field.limit + 1))
    #expect(patch.status == 422, "\(patch.text)")
  }

  @Test("of a data file are refused at the start in the same way")
  func dataFile() throws {
    let long = JSONValue.string(String(repeating: "x", count: 1_001))
    let error = try #require(throws: JSONShapeError.self) {
      try DataFileTests.backend(["users": [["id": 1, "username": "a", "email": long]]])
    }
    #expect(error.pointer.description == "/users/0/email")
    #expect(error.message == "expected at most 1000 bytes of text")
  }

  @Test("that an entry keeps as they were sent have no more bytes than a request")
  func documents() throws {
    for (count, isRight) in [(1_048_568, true), (1_048_569, false)] {
      let answers: JSONValue = ["a": .string(String(repeating: "x", count: count))]
      #expect(answers.canonicalBytes().count == count + 8)
      let entry: JSONValue = ["id": 1, "text": "T", "date": "2026-01-01", "answers": answers]
      let form: JSONValue = ["id": 1, "title": "F", "activity": [entry]]
      if isRight {
        _ = try DataFileTests.backend(["forms": [form]])
      } else {
        let error = try #require(throws: JSONShapeError.self) {
          try DataFileTests.backend(["forms": [form]])
        }
        #expect(error.pointer.description == "/forms/0/activity/0/answers")
      }
    }
  }
}
