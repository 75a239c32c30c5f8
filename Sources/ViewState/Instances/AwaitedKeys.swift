import CanonicalJSON
import Synchronization

/// The watchers of keys for which a screen has no view model.
struct AwaitedKeys: Sendable {
  /// By the elements of the keys.
  private var watchers: [Text: [Int: any RevisionWatcher]] = [:]
  private var watcherCount = 0

  /// Adds a watcher.
  ///
  /// - Returns: Its number.
  mutating func add(_ watcher: any RevisionWatcher, of element: Text) -> Int {
    watcherCount += 1
    watchers[element, default: [:]][watcherCount] = watcher
    return watcherCount
  }

  /// Removes the watcher with a number; does nothing if it was taken already.
  mutating func remove(_ number: Int, of element: Text) {
    watchers[element]?[number] = nil
    if watchers[element]?.isEmpty == true { watchers[element] = nil }
  }

  /// Removes the watchers of some elements, or of all, and returns them.
  ///
  /// - Complexity: O(*n* + *m*) expected, where *n* is the number of elements and *m* that of their watchers.
  mutating func take(_ elements: @autoclosure () -> [Text]? = nil) -> [any RevisionWatcher] {
    if watchers.isEmpty { return [] }
    guard let elements = elements() else {
      defer { watchers = [:] }
      return watchers.values.flatMap(\.values)
    }
    return elements.flatMap { element in
      watchers.removeValue(forKey: element).map { Array($0.values) } ?? []
    }
  }
}

extension ScreenHost {
  /// Watches a key without a view model; see ``ScreenRegistry/watchAbsent(screen:key:_:)``.
  func watchAbsent(_ text: Text, _ watcher: any RevisionWatcher) -> (any Cancellable)? {
    // Of a malformed key there will never be one.
    let element = (try? key(text).element) ?? text
    let number = awaited.withLock { $0.add(watcher, of: element) }
    let watch = Cancellation { [self] in awaited.withLock { $0.remove(number, of: element) } }
    // Looked for afterwards, so that no write comes unnoticed in between.
    guard let found = try? instance(for: text), !found.isEnded else { return watch }
    watch.cancel()
    return nil
  }

  /// Removes the watchers of the keys for which a change of a store may give a view model, and returns them.
  func takeWatchers(awaiting change: StoreChange, of store: Int) -> [any RevisionWatcher] {
    let shown = shownStores.filter { $0.index == store }
    if shown.contains(where: \.isWhole) { return awaited.withLock { $0.take() } }
    if shown.isEmpty { return [] }
    return awaited.withLock { $0.take(change.keys) }
  }
}
