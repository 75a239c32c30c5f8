import TestSupport
import Testing

@testable import ViewDeltaServer

@Suite("The queue of deadlines")
struct DeadlineQueueTests {
  @Test("gives back what is due, up to a tenth of a second early, the earliest first")
  func order() {
    var queue = DeadlineQueue<Int>()
    #expect(queue.next == nil)
    for (id, milliseconds) in [(1, 500), (2, 299), (3, 200), (4, 250), (5, 0)] {
      queue.insert(id, at: .milliseconds(milliseconds))
    }
    #expect(queue.next == .zero)
    #expect(queue.takeDue(at: .milliseconds(199)) == [5])
    #expect(queue.next == .milliseconds(200))
    #expect(queue.takeDue(at: .milliseconds(200)) == [2, 3, 4])
    #expect(queue.takeDue(at: .milliseconds(499)) == [])
    #expect(queue.takeDue(at: .seconds(9)) == [1])
    #expect(queue.next == nil)
  }

  @Test("forgets a deadline that is taken back, and no other")
  func removal() {
    var queue = DeadlineQueue<Int>()
    queue.insert(1, at: .milliseconds(150))
    queue.insert(2, at: .milliseconds(160))
    queue.remove(1, at: .milliseconds(150))
    queue.remove(3, at: .milliseconds(150))
    queue.remove(2, at: .milliseconds(950))
    #expect(queue.takeDue(at: .seconds(1)) == [2])
    queue.insert(1, at: .milliseconds(1_150))
    queue.remove(1, at: .milliseconds(1_150))
    queue.insert(4, at: .milliseconds(1_110))
    #expect(queue.takeDue(at: .seconds(2)) == [4])
    #expect(queue.next == nil)
  }

  @Test("does what a plain list does, whatever comes")
  func model() throws {
    try withSeeds(100) { generator in
      var queue = DeadlineQueue<Int>()
      var model: [Int: Duration] = [:]
      var now = Duration.zero
      for id in 0..<300 {
        switch generator.number(in: 0...3) {
        case 0, 1:
          let deadline = now + .milliseconds(generator.number(in: 0...2_000))
          queue.insert(id, at: deadline)
          model[id] = deadline
        case 2:
          guard let (other, deadline) = model.randomElement(using: &generator) else { continue }
          queue.remove(other, at: deadline)
          model[other] = nil
        default:
          now += .milliseconds(generator.number(in: 0...700))
          let due = model.filter { Self.bucket($0.value) * 100 <= now / .milliseconds(1) }
          let sorted = due.keys.sorted {
            (Self.bucket(due[$0] ?? .zero), $0) < (Self.bucket(due[$1] ?? .zero), $1)
          }
          try require(queue.takeDue(at: now) == sorted, "what is due at \(now)")
          for id in sorted { model[id] = nil }
        }
        // A deadline that was taken back may still be named, so the next is no later than the first.
        if let first = model.values.min() {
          try require((queue.next ?? .seconds(1_000)) <= first, "nothing is called too late")
        }
      }
    }
  }

  private static func bucket(_ deadline: Duration) -> Double {
    (deadline / .milliseconds(100)).rounded(.down)
  }
}
