import Foundation
import TestSupport
import Testing
import ViewDelta
import ViewDeltaClient

@Suite("The name to which an app connects", .timeLimit(.minutes(5)))
struct ConnectionNameTests {
  /// The hits of a search, two to a page.
  private struct Search: Screen {
    struct Hit: Pageable, Codable {
      let id: Int
      var position: Int { id }
    }

    struct State: ScreenState { var hits = PagingState<Hit>() }

    static let name: Text = "search"
    static let keyName = "query"
    static let summary = "The notes with a text, page by page."
    static let hit = RowType("hit", of: Hit.self, "A note.") { Field("n", \.id) }

    let store: Store<ResourceCollection<Note>>

    var parts: [any ScreenPart<State>] {
      [
        LoadingPages(
          "hits", \.hits,
          from: PageSource(size: 2, reading: store) { notes, query in
            KeyedSequence(
              notes.elements.enumerated().filter { $1.text.string.contains(query.string) }
                .map { Hit(id: $0.offset) })
          },
          as: Self.hit, id: { "hit/\($0.id)" }, empty: "No note", failure: "No luck",
          end: { "All \($0) notes" })
      ]
    }
  }

  private struct SearchFeature: Feature {
    func register(in application: inout ApplicationBuilder) throws {
      let file = try application.takeData("notes")?.nullableMember("notes")
      let store = Store(
        "notes", try ResourceCollection<Note>("note", reading: file), in: application.engine)
      application.add(Search(store: store))
    }
  }

  private static let server = URL(string: "http://localhost")!

  @Test("may contain a query, for which a long list is searched at its origin page by page")
  func search() async throws {
    let backend = try FeatureTests.backend {
      $0.data = [
        "notes": .array(
          ["Rye bread", "Salt", "Late bread & salt", "Rye bread"].enumerated().map {
            ["id": .integer($0 + 1), "text": .string($1)]
          })
      ]
    } features: {
      SearchFeature()
    }
    func rows(_ path: String) async throws -> [Text] {
      try await backend.get(path).rows.map { try $0.member("id").string() }
    }
    func send(_ command: JSONValue, _ path: String) async throws {
      #expect(await backend.call(.post, path + "/commands", body: command).status == 202)
      backend.scheduler.advance(by: .zero)
    }
    let bread = "/v1/view-models/search/bread"
    try await send(["type": "appear"], bread)
    #expect(try await rows(bread) == ["hit/0", "hit/2", "hits/progress"])
    try await send(["type": "loadNextHits"], bread)
    #expect(try await rows(bread) == ["hit/0", "hit/2", "hit/3", "hits/end"])
    let both = "/v1/view-models/search/bread%20%26%20salt"
    try await send(["type": "appear"], both)
    #expect(try await rows(both) == ["hit/2", "hits/end"])
  }

  @Test(
    "is refused for good if it has no screen or no key, or is unknown",
    arguments: ["groceries", "groceries/", "/home", "", "/", "recipes", "recipes/home"])
  func noKey(name: Text) async throws {
    let backend = try WriteAScreenTests.backend()
    let connection = ViewModelConnection(
      to: name, on: Self.server, by: BackendTransport(backend))
    var statuses: [Int] = []
    for await update in connection.updates() {
      guard case .ended(let problem) = update else {
        Issue.record("\(name): \(update)")
        break
      }
      statuses.append(problem.status)
    }
    #expect(statuses == [404])
    let error = await #expect(throws: ConnectionError.self) {
      try await connection.send(["type": "clear"])
    }
    guard case .refused(let problem)? = error else { return }
    #expect(problem.status == 404)
  }
}
