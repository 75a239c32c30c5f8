/// Whether a screen can be shown for a key.
public enum KeyPresence: Hashable, Sendable {
  case present
  /// There was such a key, and it was deleted.
  case deleted
  case unknown
}
