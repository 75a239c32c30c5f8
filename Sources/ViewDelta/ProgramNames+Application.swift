import CanonicalJSON
import Synchronization
import ViewDeltaServer
import ViewState

extension ProgramNames {
  /// Adds what the program gives a meaning in a journal: what its description names, what an application without data
  /// has in its stores, and what decoding the journal finds.
  ///
  /// - Returns: The names of the screens whose keys may have sessions.
  func learn(
    from journal: RedactedJournal, _ features: () throws -> [any Feature]
  ) throws -> Set<Text> {
    let environment = ScreenEnvironment(scheduler: ClockScheduler())
    let empty = FirstCheckpoint()
    var configuration = ApplicationConfiguration(environment: environment)
    (configuration.data, configuration.journal) = (.object([:]), empty)
    let application = try Application(configuration) { try features() }
    insertNames(of: try JSONValue(parsing: application.openAPI, limits: .greatest))
    for (screen, _) in application.screens {
      insert(screen.name)
      for source in screen.sources { insert(source) }
    }
    for (name, part) in empty.checkpoint?.parts ?? [:] where name != "engine" {
      insertAll(of: part)
    }

    try ProgramNames.$current.withValue(self) {
      let replay = try Replay(journal, environment, features: { try features() })
      try replay.run { input in
        for revision in input.revisions { insertKey(of: revision.screen) }
        insertKey(of: Text(input.entry.name))
      }
    }
    return Set(application.screens.filter(\.descriptor.isPersonal).map(\.descriptor.name))
  }

  /// Adds the key of a view model, which is an id, unless it may have a session, which is a secret.
  private func insertKey(of name: Text) {
    let key = name.string.split(separator: "/", maxSplits: 1).dropFirst().first
    if let key, !key.contains("@") { insert(Text(key)) }
  }

  /// Adds the names of members in JSON schemas, and the values that schemas list.
  private func insertNames(of schemas: JSONValue) {
    switch schemas {
    case .array(let elements): for element in elements { insertNames(of: element) }
    case .object(let members):
      for (name, value) in members {
        switch name {
        case "example", "examples", "default": break
        case "properties":
          // Of these, each name is that of a member, also `default`.
          guard case .object(let properties) = value else { break }
          for (property, schema) in properties {
            insert(property)
            insertNames(of: schema)
          }
        case "enum", "const", "required": insertAll(of: value)
        default: insertNames(of: value)
        }
      }
    case .string, .null, .bool, .integer, .number: break
    }
  }

  /// Adds all strings of a document.
  private func insertAll(of document: JSONValue) {
    switch document {
    case .string(let text): insert(text)
    case .array(let elements): for element in elements { insertAll(of: element) }
    case .object(let members):
      for (name, value) in members {
        insert(name)
        insertAll(of: value)
      }
    case .null, .bool, .integer, .number: break
    }
  }
}

/// A journal that has the first checkpoint and nothing else.
private final class FirstCheckpoint: Journal {
  private let written = Mutex<Checkpoint?>(nil)

  var checkpoint: Checkpoint? { written.withLock { $0 } }
  var byteCount: Int { 0 }

  func write(_ checkpoint: Checkpoint) { written.withLock { $0 = $0 ?? checkpoint } }
  func marks() -> [Checkpoint.Mark] { [] }
  func checkpoint(at position: Int) -> Checkpoint? { nil }
  func append(_ entries: [Entry]) {}
  func entries(after position: Int, limit: Int) -> [Entry] { [] }
  func trim(to position: Int) {}
}
