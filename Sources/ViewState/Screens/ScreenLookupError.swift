/// The reason why there is no view model for a name.
public enum ScreenLookupError: Error, Codable, Hashable, Sendable {
  /// There is no screen with the name.
  case unknownScreen
  /// The screen has no view model for the key.
  case unknownKey
  /// The key of a personal screen names a session that does not have 22 to 128 letters, digits, `-` and `_`.
  case malformedSession
  /// The key was deleted.
  case deletedKey
  /// The state of the view model cannot be shown, until an input makes one that can.
  case failed
}
