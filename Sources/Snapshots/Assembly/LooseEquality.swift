#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Notes comparisons that find two values equal although JSON writes them differently.
///
/// An id is equal to each id of its text, as a path names it, whether a body has it as `1` or as `"1"`. But a row
/// that was made of the one must not stand for the other. So `==` of such a type calls ``note()``, and
/// `isAlike(to:)` sees whether it was called:
///
/// ```swift
/// ResourceID(1) == "1"  // true
/// ResourceID(1).isAlike(to: "1")  // false
/// ```
package enum LooseEquality {
  /// The key of the number of notes of each thread. The thread has it as a pointer, which nothing follows.
  private static let count: pthread_key_t = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "no room for a thread-local value")
    return key
  }()

  /// How often this thread has called ``note()``.
  fileprivate static var noteCount: Int { Int(bitPattern: pthread_getspecific(count)) }

  /// Says that the comparison on this thread takes two values for equal that are written differently.
  package static func note() {
    pthread_setspecific(count, UnsafeRawPointer(bitPattern: noteCount &+ 1))
  }
}

extension Equatable {
  /// Returns whether the values are equal, and so are all that they are made of as JSON.
  ///
  /// - Complexity: That of `==`.
  package func isAlike(to other: Self) -> Bool {
    let noteCount = LooseEquality.noteCount
    return self == other && LooseEquality.noteCount == noteCount
  }
}
