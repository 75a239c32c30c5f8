import TestSupport
import Testing

@testable import ViewDeltaServer

@Suite("The queue of deadlines")
struct DeadlineQueueTests {
  @Test("gives back what is due, the earliest first, and once")
  func order() {
    var queue = DeadlineQueue<String, Int>()
    #expect(queue.next == nil)
    for (value, tick) in [(1, 5), (2, 2), (3, 0)] as [(Int, Int64)] { queue["a", at: tick] = value }
    queue["b", at: 2] = 4
    #expect(queue.next == .zero)
    #expect(queue.takeDue(at: .milliseconds(199)) == [3])
    #expect(queue.next == .milliseconds(200))
    #expect(Set(queue.values) == [1, 2, 4])
    #expect(Set(queue.takeDue(at: .milliseconds(200))) == [2, 4])
    #expect(queue.takeDue(at: .milliseconds(499)) == [])
    #expect(queue.takeDue(at: .seconds(9)) == [1])
    #expect(queue.next == nil)
  }

  @Test("does what a plain list does, whatever comes")
  func model() throws {
    try withSeeds(100) { generator in
      struct Place: Hashable {
        let key: Int
        let tick: Int64
      }
      var queue = DeadlineQueue<Int, Int>()
      var model: [Place: Int] = [:]
      var now: Int64 = 0
      for step in 0..<300 {
        let place = Place(
          key: generator.number(in: 0...5), tick: now + Int64(generator.number(in: 0...20)))
        switch generator.number(in: 0...3) {
        case 0, 1:
          queue[place.key, at: place.tick] = step
          model[place] = step
        case 2:
          queue[place.key, at: place.tick] = nil
          model[place] = nil
        default:
          now += Int64(generator.number(in: 0...7))
          let due = model.filter { $0.key.tick <= now }
          let taken = queue.takeDue(at: WaitingRoom.tick * Int(now))
          try require(taken.sorted() == due.values.sorted(), "what is due at \(now)")
          for place in due.keys { model[place] = nil }
        }
        try require(queue[place.key, at: place.tick] == model[place], "the value at \(place)")
        try require(queue.values.sorted() == model.values.sorted(), "all values")
        // An empty tick may still be named, so the next is no later than the first.
        if let first = model.keys.map(\.tick).min() {
          let next = queue.next ?? .seconds(1_000)
          try require(next <= WaitingRoom.tick * Int(first), "nothing is called too late")
        }
      }
    }
  }
}
