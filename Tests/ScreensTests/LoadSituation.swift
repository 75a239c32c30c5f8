import CanonicalJSON
import ViewState

/// What a part of a screen that loads may be in: the four states, told apart by whether there was
/// something to show before.
enum LoadSituation: String, CaseIterable, Sendable {
  case notRequested, isLoading, isReloading, loaded, failed, failedAgain

  /// The situation after a command, written down a second time.
  func after(load: Bool, cancel: Bool) -> LoadSituation {
    switch (self, load, cancel) {
    case (.notRequested, true, _), (.failed, true, _): .isLoading
    case (.loaded, true, _), (.failedAgain, true, _): .isReloading
    case (.isLoading, _, true): .failed
    case (.isReloading, _, true): .loaded
    default: self
    }
  }

  var isRunning: Bool { self == .isLoading || self == .isReloading }

  var stateName: Text {
    switch self {
    case .notRequested: "notRequested"
    case .isLoading, .isReloading: "isLoading"
    case .loaded: "loaded"
    case .failed, .failedAgain: "failed"
    }
  }

  /// Whether there is something to show, now or from before.
  var hasContent: Bool { self == .loaded || self == .isReloading || self == .failedAgain }

  /// Brings parts of a screen into situations, on a time that the test moves.
  ///
  /// - Parameters:
  ///   - load: starts a load of a part, which fails or not.
  ///   - finish: lets all loads end.
  static func arrange<Part>(
    _ parts: [(part: Part, situation: LoadSituation)],
    load: (Part, FaultScript.Outcome) async throws -> Void, finish: () -> Void
  ) async throws {
    for (part, situation) in parts where situation.hasContent { try await load(part, .succeed) }
    finish()
    for (part, situation) in parts where situation.stateName == "failed" {
      try await load(part, .fail)
    }
    finish()
    for (part, situation) in parts where situation.isRunning { try await load(part, .succeed) }
  }
}
