import Testing

@testable import ViewState

@Suite("A journal that fails")
struct ToldFailuresTests {
  @Test("is told once for each reason, and once when it works again")
  func reasons() {
    var failures = ToldFailures()
    let (full, gone) = (
      JournalError.unavailable("it is full"), JournalError.unavailable("it is gone")
    )
    #expect(failures.note(nil) == nil)
    #expect(failures.note(full) == .failing(full))
    #expect(failures.note(.refused("it is full")) == nil)
    #expect(failures.note(gone) == .failing(gone))
    #expect(failures.note(full) == nil)
    #expect(failures.note(nil) == .recovered)
    #expect(failures.note(nil) == nil)
    #expect(failures.note(full) == .failing(full))
  }

  @Test("does not fill the log, in however many ways it fails")
  func limit() {
    var failures = ToldFailures()
    let told = (1...100).compactMap { failures.note(.unavailable("\($0)")) }
    #expect(told.count == 8)
  }
}
