/// What made a revision.
public enum RevisionCause: Hashable, Sendable {
  /// The screen came to be.
  case start
  /// Somebody sent the command of this name.
  case command(String)
  /// A load of the source ended with a value.
  case loaded(source: String)
  /// A load of the source ended with a failure of this code.
  case failed(source: String, code: String)
  /// A write to the store that the source reads.
  case storeWrite(source: String)
}
