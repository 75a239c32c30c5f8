public import CanonicalJSON

/// What made a revision.
public enum RevisionCause: Hashable, Sendable {
  /// The screen came to be.
  case start
  /// Somebody sent the command of this name.
  case command(Text)
  /// A load of the source ended with a value.
  case loaded(source: Text)
  /// A load of the source ended with a failure of this code.
  case failed(source: Text, code: Text)
  /// A write to the store that the source reads.
  case storeWrite(source: Text)
}
