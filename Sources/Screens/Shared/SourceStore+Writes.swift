import Synchronization
import ViewState

extension SourceStore {
  /// Changes the resources and posts the news under one lock, then waits until the screens that
  /// show what it changed have published it, so that whoever was told of the write also sees it.
  ///
  /// - Parameter change: returns, beside the result, whose resources changed and what is news.
  func write<Value: Sendable>(
    _ change: (inout Resources) throws(Failure) -> (Value, ResourceID, [Change])
  ) async throws(Failure) -> Value {
    let result = contents.withLock { contents in
      Result { () throws(Failure) in
        let (value, key, changes) = try change(&contents.resources)
        return (value, contents.tell(key, changes))
      }
    }
    let (value, wakes) = try result.get()
    for wake in wakes { await wake.settled() }
    return value
  }

  /// Makes a resource with the next free id and inserts it, once more where somebody else took
  /// that id in between. Each further try means that the next id has moved, so it ends.
  func create<Resource>(
    _ make: (ResourceID) throws -> Resource, assigned: (Resources) -> ResourceID,
    insert: (Resource) async throws(Failure) -> Versioned<Resource>
  ) async throws -> Versioned<Resource> {
    while true {
      let free = read(assigned)
      let resource = try make(free)
      do throws(Failure) {
        return try await insert(resource)
      } catch {
        let isTaken = error == Failure.duplicateID(free) && read(assigned) != free
        if !isTaken { throw error }
      }
    }
  }
}

extension SourceStore.Contents {
  /// Posts the changes to everybody who shows what belongs to the key.
  mutating func tell(_ key: ResourceID, _ changes: [Change]) -> [Wake] {
    var wakes: [Wake] = []
    for change in changes {
      wakes += (subscribers[key] ?? [:]).values.compactMap { $0(change) }
      if change.isRemoval {
        subscribers[key] = nil
        faults[key] = nil
      }
    }
    return wakes
  }
}
