/// Work under way that can be called off.
public protocol Cancellable: Sendable {
  /// Calls the work off. Calling it twice, or after the work has ended, does nothing.
  ///
  /// Work that is just ending on another thread may still deliver its result; a screen tells it
  /// by its token.
  func cancel()
}
