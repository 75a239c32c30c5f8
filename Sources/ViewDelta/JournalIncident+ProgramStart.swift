import Logging
import ViewState

extension JournalIncident {
  /// Logs the incident. If the server cannot go on, also starts the program anew, or ends it for its successor.
  func handle(logging logger: Logger) {
    switch self {
    case .warning(let reason):
      logger.warning("the journal: \(reason)")
    case .failing(let error):
      logger.error(
        "the journal fails, so each change gets a 503",
        metadata: ["reason": "\(error)"])
    case .recovered:
      logger.notice("the journal works again, so changes are accepted")
    case .unwritable(let reason):
      logger.error(
        "an input cannot be recorded, because it cannot be written as JSON",
        metadata: ["reason": "\(reason)"])
    case .replaced(let error):
      if ProgramStart.isEnding { return }
      logger.error(
        "the journal has lost changes or was replaced, so the server restarts",
        metadata: ["reason": "\(error)"])
      ProgramStart.countRestart()
      ProgramStart.again()
    case .takingOver:
      logger.notice("the server asks those of an older build to end, and waits")
    case .takenOver:
      logger.notice("a server of a newer build takes the journal over, so this server ends")
      ProgramStart.endForSuccessor()
    case .differs(let position):
      let wait = ProgramStart.countRestart()
      logger.error(
        "the state differs from that of other servers, so the server restarts",
        metadata: ["position": "\(position)", "wait": "\(wait) s"])
      ProgramStart.again(after: wait)
    case .checkpointFailed(let error):
      logger.error(
        "a checkpoint was not written, so a start takes longer, and another build may refuse the last inputs",
        metadata: ["reason": "\(error)"])
    case .replaying(let position):
      logger.notice(
        "the server is still starting: it reads the journal",
        metadata: ["position": "\(position)"])
    case .skipped(let position, let input):
      logger.error(
        "an input is skipped, because two starts have ended while they applied it",
        metadata: ["input": "\(input)", "position": "\(position)"])
    }
  }
}
