import ArgumentParser
import Testing
import ViewDeltaServer
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

  @Test("leave a tenth of the connections to requests that do not wait, unless they say how many")
  func waiting() throws {
    let options = try ServeOptions.parse(["--waiter-limit-per-address", "7"])
    #expect(options.waiting(connectionLimit: 100) == WaitingLimits(total: 90, perAddress: 7))
    #expect(options.waiting(connectionLimit: 1).total == 1)
    let limited = try ServeOptions.parse(["--waiter-limit", "0"])
    #expect(limited.waiting(connectionLimit: 100).total == 0)
  }

  @Test("share the memory for returning clients among what is kept for them")
  func keptMemory() throws {
    var configuration = ApplicationConfiguration()
    try ServeOptions.parse(["--kept-memory", "12"]).apply(to: &configuration)
    let environment = configuration.environment
    #expect(environment.logLimits.totalByteCount == 8 << 20)
    #expect(environment.touchedByteCount == 8 << 20)
    #expect(environment.untouchedByteCount == 2 << 20)
    #expect(configuration.replyCacheByteLimit == 2 << 20)
  }

  @Test("give sources the last of the times that they name, in whichever order they come")
  func latencies() throws {
    let named = ["--latency", "posts=1s", "--latency", "posts=2s"]
    let all = ["--latency", "3s", "--latency", "4s"]
    for arguments in [named + all, all + named] {
      var latencies = Latencies(["posts": .seconds(5), "profile": .seconds(5)])
      LatencyOption.apply(try ServeOptions.parse(arguments).latency, to: &latencies)
      #expect(latencies["posts"] == .seconds(2) && latencies["profile"] == .seconds(4))
    }
    var latencies = Latencies(["posts": .seconds(5), "profile": .seconds(5)])
    LatencyOption.apply(try ServeOptions.parse(named).latency, to: &latencies)
    #expect(latencies["posts"] == .seconds(2) && latencies["profile"] == .seconds(5))
  }
}
