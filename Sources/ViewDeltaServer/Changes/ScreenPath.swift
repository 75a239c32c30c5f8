import CanonicalJSON
import MicroHTTP

/// Names one view model: `profile/1`.
struct ScreenPath: Hashable, Sendable {
  let screen: Text
  let key: Text

  init(screen: Text, key: Text) {
    self.screen = screen
    self.key = key
  }

  /// The view model in the path of a request; one of an empty name where there is none, which no
  /// registry knows.
  init(_ request: Request) {
    let parameters = request.parameters
    self.init(
      screen: Text(parameters["screen"] ?? ""), key: Text(parameters["key"] ?? ""))
  }

  /// Reads `screen/key`; `nil` where that is not what it is.
  init?(_ name: Text) {
    // A slash is one byte, also before an accent, which Swift takes for one character with it.
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(screen: Text(Substring(parts[0])), key: Text(Substring(parts[1])))
  }
}
