import CanonicalJSON
import Snapshots
import TestSupport
import ViewDeltaRedis
import ViewState

/// A server on a journal that others share.
final class SharedWorld: Sendable {
  let engine: Engine
  let registry: ScreenRegistry
  let incidents: Noted<JournalIncident>

  init(
    _ journal: String, _ screen: CountScreen, _ incidents: Noted<JournalIncident> = Noted(),
    replicas: Int = 0, program: Text = "1", _ scheduler: any Scheduler = ClockScheduler()
  ) throws {
    self.incidents = incidents
    let environment = ScreenEnvironment(scheduler: scheduler, recordJournal: incidents.add)
    engine = try Engine(
      environment: environment, journal: RedisJournal(journal, replicas: replicas),
      program: program)
    registry = ScreenRegistry(engine, of: screen)
    try engine.start()
  }

  func send(_ type: Text, to key: Text = "a") async throws {
    let command = try SentCommand(JSONReader(["type": .string(type)]))
    _ = try await registry.send(command, to: "count", key)
  }

  /// The number that the server shows.
  var number: JSONValue? { get throws { try number(of: "a") } }

  func number(of key: Text) throws -> JSONValue? {
    let rows = try registry.instance(screen: "count", key: key).current.snapshot.sections[0].rows
    return rows.first?.fields["n"]
  }
}
