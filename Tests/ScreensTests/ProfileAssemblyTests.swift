import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

/// What the screen shows in each of its states.
@Suite("The rows of the profile screen")
struct ProfileAssemblyTests {
  /// A state of one half, and the rows it is shown by.
  struct Half<Value: Sendable>: Sendable {
    let name: String
    let state: Loadable<Value>
    let rows: [Text]
  }

  static let user = try! User(
    JSONReader([
      "id": 1, "username": "ada", "website": "ada.example.com", "address": ["city": "Lagos"],
      "avatarURL": "https://example.com/a.png", "friendsCount": 42,
    ]))
  static let posts = KeyedSequence(
    [2, 1].map { id in
      try! Post(JSONReader(["id": .integer(id), "userId": 1, "title": "T", "body": "B"]))
    })

  static let profiles: [Half<User>] = [
    Half(name: "notRequested", state: .notRequested, rows: ["profile/header"]),
    Half(name: "isLoading", state: .isLoading(previous: nil), rows: ["profile/header"]),
    Half(
      name: "loaded", state: .loaded(user),
      rows: ["profile/header", "profile/location", "profile/website"]),
    Half(name: "failed", state: .failed(.unavailable, previous: nil), rows: ["profile/error"]),
  ]
  static let lists: [Half<KeyedSequence<Post>>] = [
    Half(name: "notRequested", state: .notRequested, rows: []),
    Half(name: "isLoading", state: .isLoading(previous: nil), rows: ["posts/loading"]),
    Half(name: "loaded", state: .loaded(posts), rows: ["post/2", "post/1"]),
    Half(name: "loaded and empty", state: .loaded([]), rows: ["posts/empty"]),
    Half(name: "failed", state: .failed(.timedOut, previous: nil), rows: ["posts/error"]),
  ]

  func assemble(
    _ profile: Loadable<User>, _ posts: Loadable<KeyedSequence<Post>>, _ policy: RefreshPolicy
  ) throws -> Snapshot {
    let fixture = try ProfileFixture()
    var state = ProfileScreen.State()
    state.profile = LoadState(profile)
    state.posts = LoadState(posts)
    return try ProfileScreen(store: fixture.store, policy: policy).snapshot(of: state)
  }

  @Test(
    "are those of both halves in all twenty combinations, under either policy",
    arguments: profiles.indices, lists.indices)
  func combinations(profile: Int, list: Int) throws {
    let (profile, list) = (Self.profiles[profile], Self.lists[list])
    for policy in RefreshPolicy.allCases {
      let snapshot = try assemble(profile.state, list.state, policy)
      #expect(snapshot.sections.map(\.id) == ["profile", "posts"])
      #expect(snapshot.rowIDs == profile.rows + ["posts/header"] + list.rows)
      #expect(
        snapshot.states == [
          "profile": Text(profile.state.stateName), "posts": Text(list.state.stateName),
        ])
    }
  }

  @Test("are those of a first load during a refresh that blanks")
  func blank() throws {
    let loading = try assemble(
      .isLoading(previous: Self.user), .isLoading(previous: Self.posts), .blank)
    #expect(loading.rowIDs == ["profile/header", "posts/header", "posts/loading"])
    let failed = try assemble(
      .failed(.unavailable, previous: Self.user), .failed(.unavailable, previous: Self.posts),
      .blank)
    #expect(failed.rowIDs == ["profile/error", "posts/header", "posts/error"])
  }

  @Test("are of exactly eight types, with these fields")
  func fields() throws {
    let full = try assemble(.loaded(Self.user), .loaded(Self.posts), .blank)
    let bare = try assemble(.failed(.unavailable, previous: nil), .isLoading(previous: nil), .blank)
    let other = try assemble(.notRequested, .failed(.timedOut, previous: nil), .blank)
    let empty = try assemble(.isLoading(previous: nil), .loaded([]), .blank)
    let rows = [full, bare, other, empty].flatMap { $0.sections.flatMap { Array($0.rows) } }
    let texts = Set(rows.map(\.description)).sorted()
    #expect(
      texts == [
        #"{"action":{"command":{"type":"loadPosts"},"title":"Retry"},"code":"timed-out","detail":"The source did not answer in time.","id":"posts/error","text":"Couldn't load posts.","type":"contentError"}"#,
        #"{"action":{"command":{"type":"loadProfile"},"title":"Retry"},"code":"unavailable","detail":"The source is unavailable.","id":"profile/error","text":"Couldn't load profile.","type":"profileError"}"#,
        #"{"avatarURL":"https://example.com/a.png","friendsCount":{"isLoading":false,"text":"42"},"friendsCountText":"42 friends","id":"profile/header","type":"profileHeader","username":{"isLoading":false,"text":"ada"}}"#,
        #"{"body":"B","id":"post/1","title":"T","type":"post"}"#,
        #"{"body":"B","id":"post/2","title":"T","type":"post"}"#,
        #"{"friendsCount":{"isLoading":false,"text":""},"id":"profile/header","type":"profileHeader","username":{"isLoading":false,"text":""}}"#,
        #"{"friendsCount":{"isLoading":true,"text":""},"id":"profile/header","type":"profileHeader","username":{"isLoading":true,"text":""}}"#,
        #"{"id":"posts/empty","text":"No posts yet","type":"contentEmpty"}"#,
        #"{"id":"posts/header","text":"Posts","type":"contentHeader"}"#,
        #"{"id":"posts/loading","text":"Loading…","type":"contentLoading"}"#,
        #"{"id":"profile/location","name":"Location","type":"profileAttribute","value":"Lagos"}"#,
        #"{"id":"profile/website","name":"Website","type":"profileAttribute","value":"ada.example.com"}"#,
      ])
    #expect(Set(rows.map(\.type)).count == 8)
  }

  @Test("are those of an assembly from nothing, byte for byte, after each of many writes")
  func history() async throws {
    try await withSeeds(4) { random in
      let size = random.pick([1, 30, 200])
      let fixture = try ProfileFixture(data: [
        "users": [["id": 1, "username": "ada"]],
        "posts": .array(
          (1...size).map { ["id": .integer($0), "userId": 1, "title": "T", "body": "B"] }),
      ])
      try await fixture.load()
      for step in 0..<40 {
        try await Self.write(step, to: fixture, &random)
        let shown = fixture.instance.current.snapshot
        let alone = try assemble(
          .loaded(fixture.store.value.parent("1").resource),
          .loaded(KeyedSequence(fixture.store.children(of: "1"))), .keepPrevious)
        try require(
          shown == alone
            && shown.encoded(kind: .snapshot, screen: "profile/1", revision: "r")
              == alone.encoded(kind: .snapshot, screen: "profile/1", revision: "r"),
          "\(shown.rowIDs) instead of \(alone.rowIDs)")
      }
    }
  }

  /// Creates, replaces or deletes a post, or loads all of them again.
  private static func write(
    _ step: Int, to fixture: ProfileFixture, _ random: inout SeededGenerator
  ) async throws {
    let posts = try fixture.store.children(of: "1")
    let dates = ["2026-01-01", "2026-01-02", "2026-01-03"].map { Timestamp($0) } + [nil]
    let date = random.pick(dates)
    switch random.number(in: 0...9) {
    case 0...2:
      try await fixture.store.createChild(of: "1") { id in
        var post = try Post(
          JSONReader(["userId": 1, "title": "New", "body": .string("\(step)")]), assigned: id)
        post.date = date
        return post
      }
    case 3...5 where !posts.isEmpty:
      try await fixture.store.deleteChild(random.pick(posts).id, of: "1")
    case 6:
      try await fixture.send("loadPosts")
      fixture.scheduler.advance(by: .seconds(4))
    default:
      guard !posts.isEmpty else { return }
      var post = random.pick(posts)
      post.title = "Edited \(step)"
      post.date = date
      try await fixture.store.replace(post, of: "1")
    }
  }

  @Test("leave out what the user does not have")
  func absences() throws {
    let user = try User(JSONReader(["id": 1, "username": "bare"]))
    let snapshot = try assemble(.loaded(user), .notRequested, .blank)
    #expect(snapshot.rowIDs == ["profile/header", "posts/header"])
    let header = try #require(snapshot.path(ofRow: "profile/header").map { snapshot[$0] })
    #expect(header.fields["friendsCount"] == nil)
    #expect(header.fields["avatarURL"] == nil)
  }
}
