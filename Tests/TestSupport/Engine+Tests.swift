package import CanonicalJSON
@_exported public import ViewDeltaTesting
public import ViewState

extension Engine {
  /// Returns an engine whose time does not advance.
  public static func still() -> Engine {
    Engine(environment: ScreenEnvironment(scheduler: ManualScheduler()))
  }

  /// Waits until all inputs before are applied.
  public func settle() async {
    await withCheckedContinuation { continuation in perform { continuation.resume() } }
  }

  /// The remembered outcomes of requests, as a checkpoint has them.
  package var outcomes: JSONValue {
    get throws { try JSONReader(checkpoint().parts["engine"] ?? .null).member("outcomes").value }
  }
}

extension ScreenRegistry {
  /// Creates a registry with screens.
  package init(
    _ engine: Engine, faults: Store<ScriptedFaults>? = nil, latencies: Latencies = Latencies(),
    of screens: any Screen...
  ) {
    self.init(engine, faults: faults, latencies: latencies)
    for screen in screens { register(screen) }
  }
}

extension Instance {
  /// The number of kept changes of the view model that clients see.
  package var changeCount: Int { kept.count - 1 }

  /// All kept revisions, oldest first.
  package var kept: [Revision] { shown(before: nil, limit: 100_000) }

  /// Sends a command.
  @discardableResult
  package func send(_ body: JSONValue) async throws -> CommandOutcome {
    try await send(SentCommand(JSONReader(body)), expecting: nil)
  }

  /// Sends a command without arguments.
  @discardableResult
  package func send(type: Text) async throws -> CommandOutcome {
    try await send(["type": .string(type)])
  }

  /// Sends a command, and proves the difference that it makes.
  @discardableResult
  package func sendProven(_ body: JSONValue) async throws -> CommandOutcome {
    let before = current
    let outcome = try await send(body)
    try prove(from: before)
    return outcome
  }

  /// Waits until another revision than this one is published, and returns it.
  @discardableResult
  package func change(after token: RevisionToken) async -> Revision {
    await withCheckedContinuation { continuation in
      let place = watch(after: token, ClosureWatcher { continuation.resume() })
      if place == nil { continuation.resume() }
    }
    return current
  }

  /// Proves the difference of the view model from a revision.
  package func prove(from before: Revision) throws {
    _ = try current.snapshot.provenDifference(from: before.snapshot)
  }
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
