public import ViewState

/// Runs a closure when it is told of a revision.
public final class ClosureWatcher: RevisionWatcher {
  private let run: @Sendable () -> Void

  /// - Parameter run: what to do each time; nothing, unless told otherwise.
  public init(_ run: @escaping @Sendable () -> Void = {}) {
    self.run = run
  }

  public func revisionPublished() { run() }
}

extension ScreenInstance {
  /// All kept revisions, oldest first.
  public var kept: [Revision] { kept(before: nil, limit: .max) }
}
