/// The resources of a store as a value, each belonging to a key: the key of the screen that shows
/// them.
protocol SourceResources: Sendable {
  /// What the store may turn out not to have.
  associatedtype Missing: Hashable, Sendable

  /// What is missing where a key names nothing.
  static var missingKey: Missing { get }

  /// Whether the key names something.
  func contains(_ key: ResourceID) -> Bool

  /// Whether the key named something once.
  func isDeleted(_ key: ResourceID) -> Bool
}
