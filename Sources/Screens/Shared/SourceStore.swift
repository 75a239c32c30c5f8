import Synchronization
import ViewState

/// Resources in memory, whoever wants to hear of their changes, and loads that take their time and
/// fail where a script wants it: what all stores have in common that screens load from.
///
/// One lock orders everything: a write, the news of it to the screens that show it, and the value
/// that a load brings. So a screen that has heard of a write can never be handed an older value by
/// a load that had read before. Nothing but the bookkeeping runs under the lock.
final class SourceStore<
  Resources: SourceResources, Source: Hashable & Sendable, Change: SourceChange
>: Sendable {
  typealias Failure = StoreError<Resources.Missing>
  /// Called under the lock: it may do no more than post. `nil` where it has nothing to post.
  typealias Subscriber = @Sendable (Change) -> Wake?

  struct Contents: Sendable {
    var resources: Resources
    var subscribers: [ResourceID: [Int: Subscriber]] = [:]
    var nextSubscriber = 0
    var faults: [ResourceID: [Source: FaultScript]] = [:]
  }

  let contents: Mutex<Contents>
  let scheduler: any Scheduler
  let latency: [Source: Duration]

  /// - Parameter latency: how long a load of a source takes where no fault script says otherwise;
  ///   a source that is not named takes no time.
  init(_ resources: Resources, scheduler: any Scheduler, latency: [Source: Duration]) {
    contents = Mutex(Contents(resources: resources))
    self.scheduler = scheduler
    self.latency = latency
  }

  /// Looks something up.
  func read<Value: Sendable>(_ read: (Resources) -> Value) -> Value {
    contents.withLock { read($0.resources) }
  }

  /// Looks something up that may not be there.
  func find<Value: Sendable>(
    _ find: (Resources) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let result = contents.withLock { contents in
      Result { () throws(Failure) in try find(contents.resources) }
    }
    return try result.get()
  }

  /// Checks that the key names something.
  ///
  /// - Throws: `ScreenLookupError` where it names nothing, or nothing any more.
  func lookUp(_ key: ResourceID) throws(ScreenLookupError) {
    let (isKnown, isDeleted) = read { ($0.contains(key), $0.isDeleted(key)) }
    if !isKnown { throw isDeleted ? .deletedKey : .unknownKey }
  }
}
