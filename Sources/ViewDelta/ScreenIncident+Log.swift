import Logging
import ViewState

extension ScreenIncident {
  /// Limits the lines of all incidents.
  private static let pace = LogPace()

  /// Logs the incident.
  func log(to logger: Logger) {
    switch kind {
    case .loadFailure(let source, let failure):
      var metadata = metadata(of: failure)
      metadata["source"] = "\(source)"
      Self.pace.log(.notice, "a load failed", metadata, to: logger)
    case .saveFailure(let part, let change, let failure):
      var metadata = metadata(of: failure)
      metadata["change"] = "\(change)"
      metadata["part"] = "\(part)"
      Self.pace.log(.notice, "a change was not saved", metadata, to: logger)
    case .assembly(let fault):
      let metadata: Logger.Metadata = ["reason": "\(fault)", "viewModel": "\(screen)"]
      Self.pace.log(.error, "a view model failed", metadata, to: logger)
    case .overdue(let position?):
      let metadata: Logger.Metadata = ["position": "\(position)", "viewModel": "\(screen)"]
      Self.pace.log(.error, "applying an input takes longer than 1 s", metadata, to: logger)
    case .overdue(nil):
      let metadata: Logger.Metadata = ["viewModel": "\(screen)"]
      Self.pace.log(.error, "making a view model takes longer than 1 s", metadata, to: logger)
    case .transition:
      logger.debug(
        "an action was refused",
        metadata: ["incident": "\(kind)", "viewModel": "\(screen)"])
    }
  }

  private func metadata(of failure: LoadFailure) -> Logger.Metadata {
    [
      "code": "\(failure.code)", "reason": "\(failure.reason ?? failure.message)",
      "viewModel": "\(screen)",
    ]
  }
}
