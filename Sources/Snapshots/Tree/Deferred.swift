import Synchronization

/// A value that the first reader makes, such as a table that most lists never need.
package final class Deferred<Value: Sendable>: Sendable {
  private let kept: Mutex<Value?>

  /// - Parameter value: The value, if it is known already.
  package init(_ value: Value? = nil) {
    kept = Mutex(value)
  }

  /// The value; `nil` if no reader has asked for it.
  var known: Value? { kept.withLock { $0 } }

  /// Returns the value.
  ///
  /// - Parameter make: Makes the value, if it is not known, and gives the same each time.
  package func value(_ make: () -> Value) -> Value {
    if let known { return known }
    // Not under the lock, for it may take long. Of two threads that make it at once, the first one's stays.
    let made = make()
    return kept.withLock { kept in
      if let kept { return kept }
      kept = made
      return made
    }
  }
}
