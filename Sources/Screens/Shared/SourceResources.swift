/// The resources of a store as a value, each belonging to a key: the key of the screen that shows
/// them.
protocol SourceResources: Sendable {
  associatedtype Failure: SourceResourcesError

  /// Whether the key names something.
  func contains(_ key: ResourceID) -> Bool

  /// Whether the key named something once.
  func isDeleted(_ key: ResourceID) -> Bool
}

/// Why a store did not do a write.
protocol SourceResourcesError: Error, Equatable, Sendable {
  /// The key names nothing.
  static var unknownKey: Self { get }
  /// There is a resource with this id already.
  static func duplicateID(_ id: ResourceID) -> Self
}

/// What a subscriber of a key hears.
protocol SourceChange: Sendable {
  /// Whether what the key named is gone.
  var isRemoval: Bool { get }
}
