import CanonicalJSON
import Testing

@testable import ViewState

@Suite("The inputs that were sent to a journal that servers share")
struct SentInputsTests {
  private struct Silent: Turn {
    let isInput = true
    let isRequest = true
    func json() -> JSONValue { .null }
    func apply(in engine: Engine, at time: Timestamp) -> @Sendable () -> Void { {} }
    func refuse() -> Bool { true }
    func giveUp() {}
  }

  @Test("know when the first of those was sent whose senders were told nothing yet")
  func firstTime() {
    var sent = SentInputs()
    #expect(sent.firstTime(after: nil) == nil)
    for second in [1, 1, 4, 7] { sent.begin([Silent()], at: .seconds(second)) }
    #expect(sent.firstTime(after: nil) == .seconds(1))
    // The alarm of the first two must not be that of the third: it would come too early, and the next too late.
    #expect(sent.firstTime(after: .seconds(1)) == .seconds(4))
    #expect(sent.firstTime(after: .seconds(5)) == .seconds(7))
    #expect(sent.firstTime(after: .seconds(7)) == nil)
    #expect(sent.sent(before: .seconds(4)).count == 3)
  }
}
