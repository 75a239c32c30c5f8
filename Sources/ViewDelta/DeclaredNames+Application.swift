import CanonicalJSON
import ViewDeltaServer
import ViewState

extension DeclaredNames {
  /// Adds what the program gives a meaning in a journal: what its description names, and what decoding the journal
  /// finds.
  func learn(from journal: RedactedJournal, _ features: () throws -> [any Feature]) throws {
    let application = try Application { try features() }
    insertNames(in: try JSONValue(parsing: application.openAPI, limits: .greatest))
    for (screen, _) in application.screens {
      insert(screen.name)
      for source in screen.sources { insert(source) }
      for failure in screen.failures { insert(failure.code) }
    }
    try DeclaredNames.$current.withValue(self) {
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
}
