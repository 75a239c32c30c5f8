public import CanonicalJSON

/// The cause recorded for a revision.
public enum RevisionCause: Hashable, Sendable {
  /// The view model was made from its initial state.
  case start
  /// A client sent the command with this name.
  case command(Text)
  /// A load of the source ended with a value.
  case loaded(source: Text)
  /// A load of the source ended with a failure of this code.
  case failed(source: Text, code: Text)
  /// A client wrote to the store that the source reads.
  case storeWrite(source: Text)
}
