import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The kept incidents")
struct IncidentLogTests {
  private let scheduler = ManualScheduler()

  private func log() -> IncidentLog {
    IncidentLog(
      ScreenEnvironment(
        scheduler: scheduler,
        now: { [scheduler] in Timestamp(secondsSince1970: 0).advanced(by: scheduler.now) }))
  }

  private func incident(_ number: Int, of name: Text) -> ScreenIncident {
    ScreenIncident(screen: name, kind: .overdue(position: number))
  }

  private func numbers(_ log: IncidentLog, of name: Text) -> [Int] {
    log.incidents(of: name).map { incident in
      guard case .overdue(let position?) = incident.kind else { return -1 }
      return position
    }
  }

  @Test("come newest first, each with its time, and only those of the view model")
  func order() {
    let log = log()
    for number in 1...3 {
      log.record(incident(number, of: "a/1"))
      scheduler.advance(by: .seconds(1))
    }
    log.record(incident(4, of: "a/2"))
    #expect(numbers(log, of: "a/1") == [3, 2, 1])
    #expect(log.incidents(of: "a/1").map(\.time.description).last == "1970-01-01T00:00:00Z")
    #expect(log.incidents(of: "a/1").map(\.time.description).first == "1970-01-01T00:00:02Z")
    log.removeAll(of: "a/1")
    #expect(numbers(log, of: "a/1") == [] && numbers(log, of: "a/2") == [4])
  }

  @Test("of one view model do not drop those of the others")
  func oneOfMany() {
    let log = log()
    log.record(incident(0, of: "calm"))
    for number in 1...2_000 { log.record(incident(number, of: "loud")) }
    #expect(numbers(log, of: "calm") == [0])
    #expect(numbers(log, of: "loud") == Array((1_951...2_000).reversed()))
  }

  @Test("go in their order, also those of a view model that had many")
  func dropping() {
    let log = log()
    for number in 1...2_000 { log.record(incident(number, of: "loud")) }
    for number in 1...1_000 { log.record(incident(number, of: "a/\(number)")) }
    #expect(numbers(log, of: "loud") == [])
    #expect((1...1_000).allSatisfy { numbers(log, of: "a/\($0)") == [$0] })
  }

  @Test(
    "are logged by the process that they came up in, and not by one that starts with its journal")
  func replay() async throws {
    let journal = MemoryJournal()
    let logged = Noted<ScreenIncident>()
    for _ in 1...2 {
      let engine = try Engine(
        environment: ScreenEnvironment(scheduler: scheduler, record: logged.add), journal: journal)
      let registry = ScreenRegistry(engine, of: FragileScreen())
      try engine.start()
      let instance = try registry.instance(screen: "fragile", key: "1")
      if engine.position == 0 { _ = try? await instance.set(to: FragileScreen.broken) }
      #expect(instance.incidents.count == 1)
      #expect(logged.all.count == 1)
    }
  }

  @Test("do not drop what failed if a client repeats commands that the state does not allow")
  func repetition() {
    let log = log()
    log.record(incident(1, of: "a/1"))
    for number in 1...100 {
      let source = number.isMultiple(of: 2) ? "posts" : "profile"
      log.record(
        ScreenIncident(
          screen: "a/1",
          kind: .transition(source: source, .duplicate, action: "load", state: "isLoading")))
    }
    #expect(log.incidents(of: "a/1").count == 3)
    #expect(numbers(log, of: "a/1").last == 1)
    #expect(log.totals[.transition] == 100)
  }

  @Test("are those of a simple list, whatever is recorded and removed")
  func bounds() throws {
    try withSeeds(2) { generator in
      let log = log()
      var list: [(name: Text, number: Int)] = []
      var counts: [Text: Int] = [:]
      for number in 1...3_000 {
        let name: Text = "a/\(generator.number(in: 0...generator.pick([3, 60, 1_500])))"
        if generator.number(in: 0...200) == 0 {
          log.removeAll(of: name)
          list.removeAll { $0.name == name }
          counts[name] = nil
        } else {
          log.record(incident(number, of: name))
          list.append((name, number))
          counts[name, default: 0] += 1
          if counts[name, default: 0] > 50, let first = list.firstIndex(where: { $0.name == name })
          {
            counts[name, default: 0] -= 1
            list.remove(at: first)
          }
          if list.count > 1_000 { counts[list.removeFirst().name, default: 0] -= 1 }
        }
        if number % 500 == 0 {
          for name in Set(list.map(\.name)).union(["a/0"]) {
            let expected = list.filter { $0.name == name }.map(\.number)
            try require(
              numbers(log, of: name) == expected.reversed(), "\(name) after \(number)")
          }
        }
      }
    }
  }
}
