/// Somebody who wants to hear of the next revision of a screen.
public protocol RevisionWatcher: AnyObject, Sendable {
  /// There is another revision than the one that was known, or there will be none any more. It is
  /// called after that can be seen, on any thread, with no lock held, and must not block.
  func revisionPublished()
}
