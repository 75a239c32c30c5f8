import CanonicalJSON
import MicroHTTP
import ViewState

/// Finds view models and makes their replies, for all endpoints. One object, so that a request that waits
/// holds one reference.
final class ViewModels: Sendable {
  let registry: ScreenRegistry
  let replies: ViewReplies

  init(registry: ScreenRegistry, replies: ViewReplies) {
    self.registry = registry
    self.replies = replies
  }

  /// Finds the view model of a path.
  ///
  /// - Throws: A 404 problem if there is none, a 410 problem if it was deleted, a 500 problem if it fails.
  func instance(at path: InstancePath) throws(ProblemDetails) -> Instance {
    let instance = try recipient(at: path)
    if let failure = instance.failure { throw ProblemDetails(failure) }
    return instance
  }

  /// Returns whether the view model of a path must be made, for which other connections should not wait.
  func mustMake(_ path: InstancePath) -> Bool {
    registry.mustMake(screen: path.screen, key: path.key)
  }

  /// Makes view models.
  ///
  /// - Returns: Those that can be made. They stay made as long as they are held.
  func made(_ paths: [InstancePath]) -> [Instance] { paths.compactMap { try? instance(at: $0) } }

  /// Returns the view model that a path led to before if it still leads there, or else finds another one.
  ///
  /// A path leads to one view model until that is deleted; then the same key may have been created anew.
  ///
  /// - Throws: A 404 problem if there is none, a 410 problem if it was deleted, a 500 problem if it fails.
  func instance(
    at path: InstancePath, lastFound known: Instance?
  ) throws(ProblemDetails) -> Instance {
    guard let known else { return try instance(at: path) }
    switch known.failure {
    case nil: return known
    case .deletedKey: return try instance(at: path)
    case let failure?: throw ProblemDetails(failure)
    }
  }

  /// Finds the view model that receives a command, even if it fails: the command may repair it.
  ///
  /// - Throws: A 404 problem if there is none, a 410 problem if it was deleted.
  func recipient(at path: InstancePath) throws(ProblemDetails) -> Instance {
    do throws(ScreenLookupError) {
      return try registry.instance(screen: path.screen, key: path.key)
    } catch {
      throw ProblemDetails(error)
    }
  }
}

/// The name of one view model, such as `profile/1`.
struct InstancePath: Hashable, Sendable {
  let screen: Text
  let key: Text

  /// The name as one text, such as `profile/1`.
  var name: Text { "\(screen)/\(key)" }

  /// The path of the view model in a URL, percent-encoded.
  var target: String {
    let segments = [screen, key].map { ResourceID(named: $0).pathSegment }
    return "/v1/view-models/\(segments[0])/\(segments[1])"
  }
}

extension InstancePath {
  /// Reads the parameters `screen` and `key` of the path of a request. One that is missing is empty, which
  /// is the name of no screen.
  init(_ request: Request) {
    let parameters = request.parameters
    self.init(
      screen: Text(parameters["screen"] ?? ""), key: Text(parameters["key"] ?? ""))
  }

  /// Reads `screen/key`; returns `nil` for another text.
  init?(_ name: Text) {
    // By bytes: Swift takes a slash with an accent behind it for one character that is no slash.
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self.init(screen: Text(Substring(parts[0])), key: Text(Substring(parts[1])))
  }
}

extension ProblemDetails {
  init(_ error: ScreenLookupError) {
    switch error {
    case .unknownScreen: self = .unknownScreen
    case .unknownKey: self = .unknownKey
    case .malformedSession: self = .malformedSession
    case .deletedKey: self = .deletedKey
    case .failed: self = .screenFailed
    }
  }
}
