/// Why there is no view model of a name.
public enum ScreenLookupError: Error, Codable, Hashable, Sendable {
  case unknownScreen
  case unknownKey
  /// There was one, and what its key names was deleted.
  case deletedKey
  /// The screen of the key fails: its assembly throws or gives an id twice. An input that makes it
  /// right again ends that.
  case failed
}
