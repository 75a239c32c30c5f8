public import HTTPTypes

/// A route of a ``Router``, as it was registered.
public struct RouteDescription: Sendable, Hashable {
  /// The method. GET stands for HEAD too.
  public let method: HTTPRequest.Method
  /// The pattern, for example `/v1/users/{id}`.
  public let pattern: String
}
