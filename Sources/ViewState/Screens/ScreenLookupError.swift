/// The reason why there is no view model for a name.
public enum ScreenLookupError: Error, Codable, Hashable, Sendable {
  case unknownScreen
  case unknownKey
  /// The key was deleted.
  case deletedKey
  /// The state of the view model cannot be shown, until an input makes one that can.
  case failed
}
