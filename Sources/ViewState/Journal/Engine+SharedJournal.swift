import CanonicalJSON
import Foundation

/// Starts an engine with a journal that servers share.
extension Engine {
  /// What all servers that share a journal must have in common, so that they answer alike.
  private struct Configuration: Codable {
    let program: Text
    let settings: Settings
  }

  /// Enters a journal. If this program takes it over from servers of another one, waits until they have left.
  func enter(_ journal: any SharedJournal) throws(JournalError) {
    let own = Configuration(program: program, settings: environment.settings)
    do {
      let json = try JSONValue(encoding: own)
      for attempt in 0... {
        guard let other = try journal.enter(as: json) else { return }
        // Another build may write the rest in another way.
        let former = try JSONReader(other).member("program").string()
        // Each time, because a server of a still newer build may take it over meanwhile.
        guard environment.takesOver(former) else {
          let settings = try other.decode(Configuration.self).settings
          if let option = own.settings.firstDifference(from: settings), program == former {
            throw JournalError.refused("servers with \(option) use it")
          }
          break
        }
        try takeOver(journal, attempt)
      }
    } catch let error as JournalError {
      throw error
    } catch {}
    throw .refused(
      "servers with another build of the program use it: stop them all before, or start a newer build with --take-over"
    )
  }

  /// Asks servers of another program once more to leave, and waits a little.
  private func takeOver(_ journal: any SharedJournal, _ attempt: Int) throws(JournalError) {
    if attempt == 0 { environment.recordJournal(.takingOver) }
    if attempt == Self.entryAttempts {
      // They start again.
      try journal.takeOver(false)
      throw .unavailable("servers with another build of the program have not ended within 90 s")
    }
    try journal.takeOver(true)
    Thread.sleep(forTimeInterval: Self.entryInterval)
  }

  /// The time between two attempts to enter a journal after other servers, in seconds.
  private static let entryInterval = 0.1
  private static let entryAttempts = 900

  /// Begins a journal that servers share anew, without inputs that were skipped, so that all servers have the same.
  ///
  /// - Throws: `JournalError.replaced`, because the program must start again.
  func beginAnew(_ journal: any SharedJournal) throws(JournalError) {
    // What a server has applied meanwhile is not skipped.
    if try journal.hasOthers { throw .replaced("other servers have started") }
    // A server that has ended may have shown the inputs, so no token may be given again.
    try journal.begin(with: checkpoint(of: moment, seed: EngineRecord.noSeed))
    throw .replaced("it begins anew without inputs that have ended two starts")
  }
}
