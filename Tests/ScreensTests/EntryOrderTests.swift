import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("The posts of a user")
struct EntryOrderTests {
  /// The posts as a list in the order of writing, and how they are shown.
  private struct Model {
    var posts: [Post] = []

    /// By date, the newest first; then the one written last; the undated at the end.
    var shown: [Post] {
      posts.reversed().filter { $0.date != nil }.enumerated()
        .sorted { left, right in
          guard let date = left.element.date, let other = right.element.date else { return false }
          return date == other ? left.offset < right.offset : date > other
        }
        .map(\.element) + posts.reversed().filter { $0.date == nil }
    }
  }

  private static func post(_ id: Int, _ generator: inout SeededGenerator) throws -> Post {
    var members: [Text: JSONValue] = [
      "id": .integer(id), "userId": 1, "title": .string("\(generator.next())"), "body": "",
    ]
    if generator.chance(0.7) {
      members["date"] = .string("2026-01-0\(generator.number(in: 1...4))")
    }
    return try Post(JSONReader(.object(members)))
  }

  @Test("stand in their order after every write, also those that a file has")
  func order() async throws {
    try await withSeeds(60) { generator in
      var model = Model()
      for id in 1...generator.number(in: 1...12) {
        model.posts.append(try Self.post(id, &generator))
      }
      let data = try ProfileData(
        reading: JSONReader([
          "users": [["id": 1, "username": "x"]], "posts": .array(model.posts.map(\.json)),
        ]))
      let store = ProfileStore(
        data,
        in: Engine(
          environment: ScreenEnvironment(
            scheduler: ManualScheduler(), now: { Timestamp(secondsSince1970: 1_767_312_000) })))
      for id in 100...140 {
        let index = generator.number(in: 0...max(0, model.posts.count - 1))
        switch generator.number(in: 0...2) {
        case 0 where !model.posts.isEmpty:
          try await store.deleteChild(model.posts[index].id, of: "1")
          model.posts.remove(at: index)
        case 1 where !model.posts.isEmpty:
          let id = try #require(Int(model.posts[index].id.text.string))
          model.posts[index] = try Self.post(id, &generator)
          try await store.replace(model.posts[index], of: "1")
        default:
          var post = try Self.post(id, &generator)
          // The store dates what is created without a date.
          post.date = post.date ?? Timestamp("2026-01-02")
          let new = post
          try await store.createChild(of: "1") { _ in new }
          model.posts.append(new)
        }
        try require(try store.children(of: "1") == model.shown, "the order is another one")
      }
    }
  }
}
