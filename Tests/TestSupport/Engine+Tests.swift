@_exported public import ViewDeltaTesting
public import ViewState

extension Engine {
  /// Returns an engine whose time does not advance.
  public static func still() -> Engine {
    Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
  }
}

extension ScreenInstance {
  /// The number of kept changes of the view model that clients see.
  public var changeCount: Int { kept.count - 1 }

  /// All kept revisions, oldest first.
  public var kept: [Revision] { shown(before: nil, limit: 100_000) }
}

/// Runs a closure for each revision.
public final class ClosureWatcher: RevisionWatcher {
  private let run: @Sendable () -> Void

  /// Creates a watcher.
  ///
  /// - Parameter run: The closure to run for each revision; by default it does nothing.
  public init(_ run: @escaping @Sendable () -> Void = {}) {
    self.run = run
  }

  public func revisionPublished() { run() }
}
