import ArgumentParser
import Testing
import ViewState

@testable import ViewDelta

@Suite("The options of a server")
struct ServeOptionTests {
  @Test("limit the journal by the time and the size that they say")
  func retention() throws {
    let options = try ServeOptions.parse(["--journal-keep", "7d", "--journal-limit", "5"])
    // The time is made of a number with a fraction.
    #expect((.seconds(604_799)...(.seconds(604_801))).contains(options.retention.age))
    #expect(options.retention.byteCount == 5 * 1024 * 1024)
    let usual = try ServeOptions.parse([])
    #expect(usual.retention == JournalRetention())
  }

  @Test("limit the memory of states and of a load in the settings that all servers share")
  func settings() throws {
    let options = try ServeOptions.parse(["--state-memory", "3", "--load-timeout", "1.5s"])
    #expect(options.settings.stateByteCount == 3 * 1024 * 1024)
    #expect(options.settings.loadTimeout == .milliseconds(1_500))
    #expect(try ServeOptions.parse([]).settings == Settings())
  }
}
