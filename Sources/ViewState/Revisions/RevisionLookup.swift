/// What a screen knows of a revision that a client names.
public enum RevisionLookup: Sendable {
  /// It is kept, or the current one.
  case kept(Revision)
  /// It was one of this history and is no longer kept.
  case expired
  /// This history has not reached it.
  case future
  /// It belongs to another history.
  case foreign
}
