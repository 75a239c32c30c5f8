import CanonicalJSON
import Synchronization
import TestSupport
import Testing
import ViewState

@Suite("What clients are promised", .serialized)
struct PromiseTests {
  /// What the clients of one run were shown, and what was written meanwhile.
  private struct History: Sendable {
    /// Of each watcher.
    var hops: [[Watcher.Hop]]
    /// The revisions that are still kept, in order, with their bytes.
    var kept: [(revision: String, bytes: [UInt8])]
    /// The ids of the posts that writers made and did not delete.
    var posts: Set<Int>
    var final: [UInt8]
  }

  @Test("is kept on every connection while many write and many watch, in every way")
  func whole() async throws {
    try await withSeeds(2) { generator in
      let history = try await Self.record(&generator, logLimits: RevisionLogLimits())
      try Self.checkOrder(history)
      try Self.checkContent(history)
      try Self.checkWrites(history)
      let kinds = Set(history.hops.joined().map(\.kind))
      try require(kinds.isSubset(of: ["diff", "snapshot"]), "a reset without a reason: \(kinds)")
      try require(history.hops.joined().count > 30, "too little was seen")
    }
  }

  @Test("is kept, but for resets that say so, where the history is cut short all the time")
  func truncated() async throws {
    try await withSeeds(2) { generator in
      let limits = RevisionLogLimits(count: 2, age: .zero)
      let history = try await Self.record(&generator, logLimits: limits)
      try Self.checkContent(history)
      try Self.checkWrites(history)
    }
  }

  /// Ordered, unique, monotonic: no client is shown a revision twice or goes back.
  private static func checkOrder(_ history: History) throws {
    let order = Dictionary(
      uniqueKeysWithValues: history.kept.enumerated().map { ($1.revision, $0) })
    for hops in history.hops {
      let places = hops.map { order[$0.revision] ?? -1 }
      try require(zip(places, places.dropFirst()).allSatisfy(<), "out of order: \(places)")
      try require(places.first ?? -1 > 0, "a revision that never was: \(places)")
    }
  }

  /// Atomic, convergent: a revision has the same bytes for all, and they are the server's.
  private static func checkContent(_ history: History) throws {
    var known = Dictionary(uniqueKeysWithValues: history.kept.map { ($0.revision, $0.bytes) })
    for hop in history.hops.joined() {
      let bytes = known[hop.revision] ?? hop.bytes
      try require(bytes == hop.bytes, "two contents of \(hop.revision)")
      known[hop.revision] = bytes
    }
    for hops in history.hops {
      try require(hops.last?.bytes == history.final, "a replica that did not converge")
    }
  }

  /// What was accepted is there, and nothing else.
  private static func checkWrites(_ history: History) throws {
    let sections = try JSONReader(JSONValue(parsing: history.final)).member("sections").elements()
    let rows = try sections.last?.member("rows").elements() ?? []
    let ids = try rows.compactMap {
      Int(try $0.member("id").string().string.dropFirst("post/".count))
    }
    try require(Set(ids) == history.posts.union([1]), "\(ids) are not \(history.posts)")
  }

  private static func record(
    _ generator: inout SeededGenerator, logLimits: RevisionLogLimits
  ) async throws -> History {
    let backend = try Backend(logLimits: logLimits)
    await backend.load()
    let seeds = (0..<12).map { _ in generator.next() }
    return try await LiveServer.run(backend) { live in
      let posts = Mutex<Set<Int>>([])
      let writing = Mutex(3)
      let writers = (0..<3).map { number -> @Sendable () throws -> [Watcher.Hop] in
        {
          let ids = try write(live, SeededGenerator(seed: seeds[number]))
          posts.withLock { $0.formUnion(ids) }
          let isLast = writing.withLock { count in
            count -= 1
            return count == 0
          }
          if isLast { try live.retitle("The last word") }
          return []
        }
      }
      let watchers = (0..<8).map { number -> @Sendable () throws -> [Watcher.Hop] in
        {
          let ways = Watcher.Way.allCases
          var watcher = try Watcher(live, ways[number % ways.count], seed: seeds[4 + number])
          return try watcher.follow(until: "The last word")
        }
      }
      let hops = try onThreads(writers + watchers).suffix(8)
      let client = try live.client()
      let kept = try JSONReader(
        JSONValue(parsing: client.get(Backend.viewModel + "/revisions?limit=1000").body)
      ).member("revisions").elements().map { try $0.member("revision").string().string }
      return History(
        hops: Array(hops),
        kept: try kept.map { ($0, try client.get("\(Backend.viewModel)?at=\($0)").body) },
        posts: posts.withLock { $0 }, final: try client.get(Backend.viewModel).body)
    }
  }

  /// Makes, changes, moves and deletes posts.
  ///
  /// - Returns: the ids of those that are left.
  private static func write(_ live: LiveServer, _ seeded: SeededGenerator) throws -> Set<Int> {
    var generator = seeded
    let client = try live.client()
    var ids: [Int] = []
    let path = "/v1/users/1/posts"
    func send(_ method: String, _ target: String, _ body: String?) throws -> HTTPReply {
      let reply = try client.request(
        method, target, fields: ["Content-Type: application/json"], body: body)
      try require((200..<300).contains(reply.status), "\(method) \(target): \(reply.text)")
      return reply
    }
    for step in 0..<30 {
      let date = "2026-0\(generator.number(in: 1...9))-1\(generator.number(in: 0...9))"
      switch generator.number(in: 0...4) {
      case 0 where !ids.isEmpty:
        let id = ids.remove(at: generator.number(in: 0...(ids.count - 1)))
        _ = try send("DELETE", "\(path)/\(id)", nil)
      case 1 where !ids.isEmpty, 2 where !ids.isEmpty:
        _ = try send("PATCH", "\(path)/\(generator.pick(ids))", #"{"date":"\#(date)"}"#)
      case 3:
        _ = try send("PATCH", "/v1/users/1", #"{"friendsCount":\#(generator.number(in: 0...9))}"#)
      default:
        let reply = try send("POST", path, #"{"title":"T\#(step)","body":"B","date":"\#(date)"}"#)
        ids.append(try JSONReader(JSONValue(parsing: reply.body)).member("id").integer())
      }
    }
    return Set(ids)
  }
}
