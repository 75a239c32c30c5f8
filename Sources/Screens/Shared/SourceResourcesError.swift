/// Why a store did not do a write.
protocol SourceResourcesError: Error, Equatable, Sendable {
  /// The key names nothing.
  static var unknownKey: Self { get }
  /// There is a resource with this id already.
  static func duplicateID(_ id: ResourceID) -> Self
}
