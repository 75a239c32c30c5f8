import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The calls of sources outside of the engine", .timeLimit(.minutes(5)))
struct OutsideLoadsTests {
  private let loads = OutsideLoads()
  private let identity = SourceIdentity()
  private let begun = Noted<JSONValue>()
  private let ended = Noted<Int>()

  /// Asks for a call of a source that runs one at a time.
  @discardableResult
  private func ask(
    for request: JSONValue, as number: Int, of session: Text = "key@a", anew isReload: Bool = false,
    after latency: Duration = .zero,
    _ run: @escaping @Sendable () async -> Void = {}
  ) -> any Cancellable {
    let load = OutsideLoad(
      identity: identity, key: "key", request: request, limit: 1, isReload: isReload,
      latency: latency
    ) { [begun] in
      begun.add(request)
      await run()
      return request
    }
    return loads.wait(for: load, of: session, as: "part") { [ended] _ in ended.add(number) }
  }

  @Test("answer those who wait for the same in the order in which they came")
  func order() {
    loads.hold()
    for number in 1...20 { ask(for: "a", as: number) }
    #expect(loads.answer("part", .success(1)))
    #expect(ended.all == Array(1...20))
  }

  @Test("are made once for all who wait for their turn, also if one of them asks anew")
  func turn() async throws {
    let (first, input) = AsyncStream<Void>.makeStream()
    ask(for: "a", as: 1) { for await _ in first {} }
    try await wait { begun.all == ["a"] }
    ask(for: "b", as: 2)
    ask(for: "b", as: 3, anew: true)
    ask(for: "c", as: 4)
    input.finish()
    try await wait { ended.all.count == 4 }
    #expect(begun.all == ["a", "b", "c"])
  }

  @Test("wait for their turn in one session, and not for the calls of another one")
  func sessions() async throws {
    let (first, input) = AsyncStream<Void>.makeStream()
    ask(for: "a", as: 1) { for await _ in first {} }
    try await wait { begun.all == ["a"] }
    ask(for: "b", as: 2)
    ask(for: "c", as: 3)
    ask(for: "d", as: 4, of: "key@b")
    try await wait { ended.all == [4] }
    // It begins in this session, for both.
    ask(for: "b", as: 5, of: "key@b")
    try await wait { ended.all == [4, 2, 5] }
    // Its call goes on for those who are left.
    let endless = AsyncStream<Void> { _ in }
    let leaving = ask(for: "e", as: 6, of: "key@c") { for await _ in endless {} }
    try await wait { begun.all.count == 4 }
    ask(for: "e", as: 7, of: "key@d")
    leaving.cancel()
    ask(for: "e", as: 8, of: "key@d", anew: true)
    try await wait { ended.all == [4, 2, 5, 7, 8] }
    input.finish()
    try await wait { ended.all.count == 7 }
    #expect(begun.all == ["a", "d", "b", "e", "e", "c"])
  }

  @Test("do not wait for those of another session that asks for one of them, too")
  func busy() async throws {
    let (first, input) = AsyncStream<Void>.makeStream()
    let second = AsyncStream<Void> { _ in }
    ask(for: "a", as: 1) { for await _ in first {} }
    ask(for: "b", as: 2)
    ask(for: "c", as: 3, of: "key@b") { for await _ in second {} }
    try await wait { begun.all.count == 2 }
    ask(for: "b", as: 4, of: "key@b", anew: true)
    input.finish()
    try await wait { ended.all.sorted() == [1, 2, 4] }
    #expect(begun.all.last == "b")
  }

  @Test("do not wait for those of another session that makes one of them anew")
  func full() async throws {
    let (first, second) = (AsyncStream<Void> { _ in }, AsyncStream<Void> { _ in })
    ask(for: "a", as: 1) { for await _ in first {} }
    ask(for: "b", as: 2, of: "key@b") { for await _ in second {} }
    try await wait { begun.all.count == 2 }
    ask(for: "a", as: 3, of: "key@b", anew: true)
    try await wait { ended.all == [1, 3] }
    #expect(begun.all.last == "a")
  }

  @Test("end for those who wait for them, however often one is made anew meanwhile")
  func anew() async throws {
    let gates = (0...4).map { _ in AsyncStream<Void>.makeStream() }
    for (number, gate) in gates.enumerated() {
      ask(for: "a", as: number, of: "key@\(number)", anew: true) { for await _ in gate.stream {} }
      try await wait { begun.all.count == number + 1 }
    }
    // Nobody waits for the first call any more, and the first who has waited for it waits for the second one.
    gates[1].continuation.finish()
    try await wait { ended.all == [0] }
    // A later one has the newer value, which also suits those who wait for an older one.
    gates[3].continuation.finish()
    try await wait { ended.all == [0, 1, 2] }
    gates[4].continuation.finish()
    try await wait { ended.all == [0, 1, 2, 3, 4] }
    #expect(loads.waiting.isEmpty)
  }

  @Test("fail for those who wait for them, and not for those who wait for an older one")
  func failure() async throws {
    let (second, input) = AsyncStream<Void>.makeStream()
    let first = AsyncStream<Void> { _ in }
    ask(for: "a", as: 1) { for await _ in first {} }
    try await wait { begun.all.count == 1 }
    ask(for: "a", as: 2, of: "key@b", anew: true) { for await _ in second {} }
    try await wait { begun.all.count == 2 }
    let failing = OutsideLoad(
      identity: identity, key: "key", request: "a", limit: 1, isReload: true, latency: .zero
    ) { throw LoadFailure.unavailable }
    _ = loads.wait(for: failing, of: "key@c", as: "part") { [ended] _ in ended.add(3) }
    // The second one has moved to the call that fails, and the first one has moved before.
    try await wait { ended.all == [2, 3] }
    input.finish()
    try await wait { ended.all == [2, 3, 1] }
  }

  @Test("are not made if they are cancelled while they are delayed")
  func delay() async throws {
    ask(for: "a", as: 1, after: .seconds(3600)).cancel()
    ask(for: "b", as: 2)
    try await wait { ended.all == [2] }
    #expect(begun.all == ["b"])
  }

  @Test("are not made if nobody waits for them any more when a thread is free")
  func cancelled() async throws {
    let blocker = Blocker()
    let count = 48
    for _ in 1...count {
      Task(executorPreference: OutsideThreads.sources) { blocker.block() }
    }
    try await wait { blocker.begun == count }
    ask(for: "a", as: 1).cancel()
    ask(for: "b", as: 2)
    for _ in 1...count { blocker.release() }
    try await wait { ended.all == [2] }
    #expect(begun.all == ["b"])
  }
}
