import TestSupport
import Testing

@testable import ViewState

@Suite("Readers that wait for a position")
struct PositionReadersTests {
  @Test("learn that the journal does not have it only from a read that has begun after they came")
  func ends() throws {
    var readers = PositionReaders()
    let answers = Noted<Bool>()
    _ = try #require(readers.add(7) { answers.add($0) })
    // This read may have been under way.
    #expect(readers.takeReady(at: 6, isEnd: true).isEmpty)
    #expect(readers.takeReady(at: 6, isEnd: false).isEmpty)
    for end in readers.takeReady(at: 6, isEnd: true) { end(true) }
    #expect(answers.all == [true])
    #expect(readers.takeReady(at: 7, isEnd: true).isEmpty)
  }

  @Test("are answered once, by the position or by the end of their patience")
  func positions() throws {
    var readers = PositionReaders()
    let numbers = try (6...8).map { try #require(readers.add($0) { _ in }) }
    #expect(readers.takeReady(at: 7, isEnd: false).count == 2)
    #expect(numbers.map { readers.remove($0) == nil } == [true, true, false])
    #expect(readers.remove(numbers[2]) == nil)
  }
}
