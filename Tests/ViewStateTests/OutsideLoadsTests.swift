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
    for request: JSONValue, as number: Int, anew isReload: Bool = false,
    _ run: @escaping @Sendable () async -> Void = {}
  ) -> any Cancellable {
    let load = OutsideLoad(
      identity: identity, key: "key", request: request, limit: 1, isReload: isReload
    ) { [begun] in
      begun.add(request)
      await run()
      return request
    }
    return loads.wait(for: load, as: "part") { [ended] _ in ended.add(number) }
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
