import MicroHTTP
import ViewState

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

extension ScreenRegistry {
  /// The view model of a path.
  ///
  /// - Throws: a 404 problem where there is none, a 410 problem where it was deleted.
  func screen(at path: ScreenPath) throws(ProblemDetails) -> any ScreenInstance {
    do throws(ScreenLookupError) {
      return try instance(screen: path.screen, key: path.key)
    } catch {
      throw ProblemDetails(error)
    }
  }
}

extension Result where Failure == ScreenLookupError {
  /// What was found.
  ///
  /// - Throws: a 404 problem where it is none, a 410 problem where it was deleted.
  func orProblem() throws(ProblemDetails) -> Success {
    do { return try get() } catch { throw ProblemDetails(error) }
  }
}

extension ProblemDetails {
  fileprivate init(_ error: ScreenLookupError) {
    switch error {
    case .unknownScreen: self = .unknownScreen
    case .unknownKey: self = .unknownKey
    case .deletedKey: self = .deletedKey
    }
  }
}
