/// What a subscriber of a key hears.
protocol SourceChange: Sendable {
  /// Whether what the key named is gone.
  var isRemoval: Bool { get }
}
