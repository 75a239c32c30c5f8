import MicroHTTP

/// Names one view model: `profile/1`.
struct ScreenPath: Hashable, Sendable {
  let screen: String
  let key: String

  init(screen: String, key: String) {
    self.screen = screen
    self.key = key
  }

  /// The view model in the path of a request; one of an empty name where there is none, which no
  /// registry knows.
  init(_ request: Request) {
    let parameters = request.parameters
    self.init(screen: parameters["screen"] ?? "", key: parameters["key"] ?? "")
  }

  /// Reads `screen/key`; `nil` where that is not what it is.
  init?(_ name: String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(screen: String(parts[0]), key: String(parts[1]))
  }
}
