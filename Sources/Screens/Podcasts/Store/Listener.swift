public import CanonicalJSON
public import ViewState

/// Somebody who follows podcasts.
public struct Listener: Hashable, Sendable {
  /// Unique among the listeners, and the key of the listener's screen.
  public let id: ResourceID
  /// The name shown.
  public var name: Text
}

extension Listener: Resource {
  public static let summary = "A person who follows podcasts."

  public static let fields = [
    Field("name", \Listener.name, .text(atMostBytes: JSONReader.longestShownText))
  ]

  public init(id: ResourceID) { self.init(id: id, name: "") }
}
