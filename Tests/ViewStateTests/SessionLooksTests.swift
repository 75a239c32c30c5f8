import Testing

@testable import ViewState

@Suite("The looks at sessions")
struct SessionLooksTests {
  private var looks = SessionLooks(interval: .seconds(900))

  /// Adds looks at a time.
  ///
  /// - Returns: Their numbers.
  private mutating func add(_ count: Int, at now: Duration = .zero) -> [Int] {
    (0..<count).map { _ in looks.add({ _ in }, at: now) }
  }

  @Test("are taken after the interval, a few in each second if many are due")
  mutating func pace() {
    _ = add(40)
    #expect(looks.nextTurn == .seconds(900))
    #expect(looks.takeDue(at: .seconds(899)).isEmpty)
    #expect(looks.takeDue(at: .seconds(900)).count == 16)
    #expect(looks.nextTurn == .seconds(901), "the next ones are due, but have to wait")
    #expect(looks.takeDue(at: .milliseconds(900_999)).isEmpty)
    #expect(looks.takeDue(at: .seconds(901)).count == 16)
    #expect(looks.takeDue(at: .seconds(902)).count == 8)
    #expect(looks.nextTurn == nil && looks.count == 0)
  }

  @Test("that are cancelled are neither taken nor counted, and go when they are more than half")
  mutating func cancelled() {
    let numbers = add(4)
    for number in numbers.prefix(2) { looks.cancel(number) }
    #expect(looks.count == 2)
    #expect(looks.takeDue(at: .seconds(900)).count == 2 && looks.count == 0)
    for number in add(4, at: .seconds(900)) { looks.cancel(number) }
    #expect(looks.count == 0 && looks.nextTurn == nil, "no timer waits for one that is gone")
  }
}
