import HTTPTypes
import Synchronization
import TestSupport
import Testing
import ViewDeltaTesting
import ViewState

@testable import MicroHTTP
@testable import ViewDeltaServer

@Suite("A room of those who wait")
struct WaitingRoomTests {
  /// The state of a topic that questions are about.
  private final class Board: Sendable {
    private let state = Mutex((hasNews: false, asked: 0))

    /// The number of times that somebody asked.
    var asked: Int { state.withLock { $0.asked } }
    func post() { state.withLock { $0.hasNews = true } }

    func look() -> Bool {
      state.withLock { state in
        state.asked += 1
        return state.hasNews
      }
    }
  }

  private struct Topic: Question {
    let number: Int
    let board: Board
    var representation = Representation.json

    var requestPath: String { "/\(number)" }
    var takesLong = false

    func ask() -> ViewDeltaServer.Answer {
      let response = Response(status: .ok)
      return board.look()
        ? .changed(response, next: nil, watching: []) : .unchanged(response, watching: [])
    }

    static func == (left: Topic, right: Topic) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// A request that notes why its wait was over.
  private final class Guest: Waiter {
    private let wakes = Mutex<[Bool]>([])

    /// For each wake, whether there was news.
    var news: [Bool] { wakes.withLock { $0 } }

    func wake(_ response: Response, isNews: Bool, in batch: ResumeBatch) {
      wakes.withLock { $0.append(isNews) }
    }
  }

  @Test("asks once for all who wait for the same until the same time, and again for each change")
  func once() throws {
    let scheduler = ManualScheduler()
    let room = WaitingRoom(limits: WaitingLimits(), scheduler: scheduler)
    let topic = Topic(number: 1, board: Board())
    let guests = (0..<100).map { _ in Guest() }
    var together: [Waiters] = []
    for guest in guests {
      together.append(room.join(.init(waiter: guest, address: nil), for: .init(topic), until: 10).0)
    }
    #expect(together.allSatisfy { $0 === together[0] })
    #expect(topic.board.asked == 1)
    together[0].revisionPublished()
    #expect(topic.board.asked == 2)
    #expect(guests.allSatisfy { $0.news.isEmpty })
    topic.board.post()
    together[0].revisionPublished()
    #expect(topic.board.asked == 3)
    #expect(guests.allSatisfy { $0.news == [true] })
    // A stream that takes the answer later does not ask again.
    #expect(try together[0].latestAnswer().response.status == .ok)
    #expect(topic.board.asked == 3)
    // Nobody is left to be answered when the time is over.
    scheduler.advance(by: .seconds(2))
    #expect(topic.board.asked == 3)
    #expect(scheduler.pendingCount == 0)
  }

  /// A client that comes again as soon as it has its answer.
  private final class Returning: Waiter {
    let room: WaitingRoom
    private let places = Mutex(0)

    /// The number of places that it has taken again.
    var count: Int { places.withLock { $0 } }

    init(_ room: WaitingRoom) { self.room = room }

    func wake(_ response: Response, isNews: Bool, in batch: ResumeBatch) {
      if (try? room.takePlace(from: "a")) != nil { places.withLock { $0 += 1 } }
    }
  }

  @Test("gives the places of all back before the first of them has its answer")
  func returning() throws {
    let room = WaitingRoom(limits: WaitingLimits(total: 3), scheduler: ManualScheduler())
    let topic = Topic(number: 1, board: Board())
    let client = Returning(room)
    for _ in 1...3 {
      try room.takePlace(from: "a")
      _ = room.join(.init(waiter: client, address: "a"), for: .init(topic), until: 10)
    }
    topic.board.post()
    room.join(.init(waiter: Guest(), address: nil), for: .init(topic), until: 10).0
      .revisionPublished()
    #expect(client.count == 3 && room.count == 3)
  }

  /// A scheduler whose timers ring although they were cancelled.
  private struct DeafScheduler: Scheduler {
    struct Timer: Cancellable { func cancel() {} }

    let scheduler: ManualScheduler

    var now: Duration { scheduler.now }

    func schedule(
      after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
      _ = scheduler.schedule(after: delay, tolerance: tolerance, work)
      return Timer()
    }
  }

  @Test("has one timer for all, and no further one if a timer rings that was cancelled")
  func timers() throws {
    let scheduler = ManualScheduler()
    for isDeaf in [false, true] {
      let used: any Scheduler = isDeaf ? DeafScheduler(scheduler: scheduler) : scheduler
      let room = WaitingRoom(limits: WaitingLimits(), scheduler: used)
      let (start, topic) = (room.tick(at: room.now), Topic(number: 1, board: Board()))
      for tick in [100, 200, 10] {
        _ = room.join(
          .init(waiter: Guest(), address: nil), for: .init(topic), until: start + Int64(tick))
      }
      #expect(isDeaf || scheduler.pendingCount == 1)
      for _ in 1...10 { scheduler.advance(by: .seconds(1)) }
      #expect(scheduler.pendingCount == 1)
      scheduler.advance(by: .seconds(10))
      #expect(scheduler.pendingCount == 0)
    }
  }

  @Test("has no more entries for a question than clients that waited for it at one time")
  func entries() {
    let room = WaitingRoom(limits: WaitingLimits(), scheduler: ManualScheduler())
    let topic = Topic(number: 1, board: Board())
    func join() -> (Waiters, index: Int) {
      room.join(.init(waiter: Guest(), address: nil), for: .init(topic), until: 10)
    }
    let (first, second) = (join(), join())
    for _ in 1...3 {
      first.0.leave(first.index)
      #expect(join().index == first.index)
    }
    #expect(second.index != first.index)
  }

  @Test("answers at once a client that took a place before it closed, and comes after that")
  func late() throws {
    let room = WaitingRoom(limits: WaitingLimits(), scheduler: ManualScheduler())
    try room.takePlace(from: "a")
    room.drain()
    let guest = Guest()
    let topic = Topic(number: 1, board: Board())
    _ = room.join(.init(waiter: guest, address: "a"), for: .init(topic), until: 10)
    #expect(guest.news == [false] && room.count == 0)
  }

  @Test("keeps nothing of a stream that has ended, before its time is over")
  func endedStream() throws {
    let room = WaitingRoom(limits: WaitingLimits(), scheduler: ManualScheduler())
    weak var former: EventStream?
    do {
      let topic = Topic(number: 1, board: Board())
      let stream = try EventStream(
        topic, for: .seconds(240), in: room, on: ReplyThread(), from: "a")
      guard case .wait = stream.next() else { throw ProblemDetails.unknownKey }
      former = stream
      stream.ended()
    }
    #expect(former == nil && room.count == 0)
  }

  @Test("sends a comment on an idle stream, also if its answers take long", .timeLimit(.minutes(5)))
  func idleStream() async throws {
    let scheduler = ManualScheduler()
    let room = WaitingRoom(limits: WaitingLimits(), scheduler: scheduler)
    let topic = Topic(number: 1, board: Board(), takesLong: true)
    let stream = try EventStream(
      topic, for: .seconds(240), in: room, on: ReplyThread(), from: "a")
    stream.attach(StreamSignal(connection: nil, resumes: nil))
    while scheduler.pendingCount == 0 {
      guard case .wait = stream.next() else { throw ProblemDetails.unknownKey }
      await Task.yield()
    }
    scheduler.advance(by: .seconds(16))
    guard case .send = stream.next() else {
      Issue.record("there is no comment")
      return
    }
  }

  @Test("looks for no answer that takes long for a stream that has ended before its turn")
  func lateTurn() async throws {
    let room = WaitingRoom(limits: WaitingLimits(), scheduler: ManualScheduler())
    let (thread, blocker, board) = (ReplyThread(), Blocker(), Board())
    thread.run { blocker.block() }
    let streams = try (1...5).map { number in
      let topic = Topic(number: number, board: board, takesLong: true)
      return try EventStream(topic, for: .seconds(240), in: room, on: thread, from: "a")
    }
    for stream in streams {
      stream.attach(StreamSignal(connection: nil, resumes: nil))
      guard case .wait = stream.next() else { throw ProblemDetails.unknownKey }
    }
    for stream in streams.dropLast() { stream.ended() }
    #expect(board.asked == 0)
    blocker.release()
    await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
    #expect(board.asked == 1)
  }

  @Test("does what a plain list of requests does, whatever comes")
  func model() throws {
    struct Request {
      let guest: Guest
      let topic: Int
      let tick: Int64
      let waiters: Waiters
      let index: Int
      var news: [Bool] = []
      var hasLeft = false

      var isWaiting: Bool { news.isEmpty && !hasLeft }
    }
    try withSeeds(60) { generator in
      let scheduler = ManualScheduler()
      let room = WaitingRoom(limits: WaitingLimits(total: 1_000), scheduler: scheduler)
      var topics = (0..<4).map { Topic(number: $0, board: Board()) }
      var requests: [Request] = []
      var isDraining = false
      func note(_ isNews: Bool, _ isConcerned: (Request) -> Bool) {
        for index in requests.indices
        where requests[index].isWaiting && isConcerned(requests[index]) {
          requests[index].news = [isNews]
        }
      }
      for _ in 0..<300 {
        switch generator.number(in: 0...99) {
        case 0..<50:
          let topic = generator.number(in: 0...3)
          let now = Int64(room.now / WaitingRoom.tick)
          let tick = now + Int64(generator.number(in: 0...3))
          let guest = Guest()
          guard (try? room.takePlace(from: "a")) != nil else {
            try require(isDraining, "a place is refused")
            continue
          }
          let (waiters, index) = room.join(
            .init(waiter: guest, address: "a"), for: .init(topics[topic]), until: tick)
          requests.append(
            Request(
              guest: guest, topic: topic, tick: tick, waiters: waiters, index: index,
              news: guest.news))
          try require(guest.news.isEmpty, "woken before there is a reason")
        case 50..<70 where !requests.isEmpty:
          let index = generator.number(in: 0...(requests.count - 1))
          guard !requests[index].hasLeft else { continue }
          if requests[index].isWaiting { requests[index].hasLeft = true }
          requests[index].waiters.leave(requests[index].index)
        case 70..<80:
          let number = generator.number(in: 0...3)
          topics[number].board.post()
          for request in requests where request.topic == number {
            request.waiters.revisionPublished()
          }
          note(true) { $0.topic == number }
          topics[number] = Topic(number: number, board: Board())
        case 99 where requests.count > 100:
          isDraining = true
          room.drain()
          note(false) { _ in true }
        default:
          scheduler.advance(by: WaitingRoom.tick * generator.number(in: 0...3))
          let now = Int64(room.now / WaitingRoom.tick)
          note(false) { $0.tick <= now }
        }
        // A deadline at the present time is due at once, on the scheduler's next turn.
        scheduler.advance(by: .zero)
        let now = Int64(room.now / WaitingRoom.tick)
        note(false) { $0.tick <= now }
        for (number, request) in requests.enumerated() {
          try require(
            request.guest.news == request.news,
            "request \(number): \(request.guest.news) in place of \(request.news)")
        }
        try require(room.count == requests.count { $0.isWaiting }, "the number of places")
      }
      room.drain()
      try require(room.count == 0 && room.isDraining, "the drain")
    }
  }
}

@Suite("The places for those who wait")
struct WaitingPlacesTests {
  @Test("are refused beyond the limits, and free again for each who leaves")
  func limits() {
    var places = WaitingPlaces(limits: WaitingLimits(total: 3, perAddress: 2))
    func refusal(of address: String) -> String? {
      do throws(ProblemDetails) { try places.take(from: address) } catch { return error.code }
      return nil
    }
    #expect(refusal(of: "a") == nil)
    #expect(refusal(of: "a") == nil)
    #expect(refusal(of: "a") == "too-many-waiting-here")
    #expect(refusal(of: "b") == nil)
    #expect(refusal(of: "c") == "too-many-waiting")
    #expect(refusal(of: "a") == "too-many-waiting")
    places.leave("a")
    #expect(places.count == 2)
    #expect(refusal(of: "a") == nil)
    #expect(refusal(of: "b") == "too-many-waiting")
    places.isDraining = true
    places.leave("b")
    #expect(refusal(of: "b") == "shutting-down")
  }
}
