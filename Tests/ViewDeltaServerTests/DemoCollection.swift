import CanonicalJSON
import Testing

/// A collection of the demo, for tests of what holds for each of them.
struct DemoCollection: CustomTestStringConvertible, Sendable {
  let path: String
  /// What creates an element.
  let body: JSONValue
  /// The code of a problem with an element that is not there.
  let unknown: String
  /// The screen that shows one element.
  let screen: String?

  var testDescription: String { path }

  private init(_ path: String, _ body: JSONValue, _ element: String, _ screen: String? = nil) {
    (self.path, self.body, self.screen) = (path, body, screen)
    unknown = "unknown-\(element)"
  }

  static let all = [
    DemoCollection("/v1/users", ["username": "x"], "user", "profile"),
    DemoCollection("/v1/users/1/posts", ["title": "x", "body": "x"], "post"),
    DemoCollection("/v1/listeners", ["name": "x"], "listener", "podcasts"),
    DemoCollection("/v1/listeners/1/podcasts", ["title": "x"], "podcast"),
    DemoCollection("/v1/scoreboards", ["title": "x"], "scoreboard", "scoreboard"),
    DemoCollection("/v1/scoreboards/1/players", ["name": "x"], "player"),
    DemoCollection("/v1/catalogs", [:], "catalog", "catalog"),
    DemoCollection("/v1/forms", ["title": "x"], "form", "form"),
    DemoCollection(
      "/v1/forms/1/entries", ["text": "x", "date": "2026-01-01T00:00:00Z"], "entry"),
    DemoCollection(
      "/v1/companies", ["name": "x", "city": "x", "taxNumber": "DE136695976"], "company"),
  ]

  /// Returns an element with another text or content.
  static func changed(_ element: JSONValue) -> JSONValue {
    let texts: [Text] = ["username", "title", "name", "text"]
    return element.mergePatched(
      with: texts.first { element[$0] != nil }.map { .object([$0: "other"]) }
        ?? ["sections": [["id": "a"]]])
  }
}
