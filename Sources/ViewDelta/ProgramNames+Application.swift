import CanonicalJSON
import ViewDeltaServer
import ViewState

extension ProgramNames {
  /// Adds what the program gives a meaning in a journal: what its description names, and what decoding the journal
  /// finds.
  func learn(from journal: RedactedJournal, _ features: () throws -> [any Feature]) throws {
    let application = try Application { try features() }
    insertNames(of: try JSONValue(parsing: application.openAPI, limits: .greatest))
    for (screen, _) in application.screens {
      insert(screen.name)
      for source in screen.sources { insert(source) }
    }
    try ProgramNames.$current.withValue(self) {
      let replay = try Replay(journal, features: { try features() })
      try replay.run { input in
        for revision in input.revisions { insertKey(of: revision.instanceName) }
        insertKey(of: Text(input.entry.name))
      }
    }
  }

  /// Adds the key of a view model, which is an id, unless it may have a session, which is a secret.
  private func insertKey(of name: Text) {
    let key = name.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).dropFirst().first
    if let key, !key.contains(UInt8(ascii: "@")) { insert(Text(Substring(key))) }
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
        case "enum", "const": value.forEachText { insert($1) }
        default: insertNames(of: value)
        }
      }
    case .string, .null, .bool, .integer, .number: break
    }
  }
}
