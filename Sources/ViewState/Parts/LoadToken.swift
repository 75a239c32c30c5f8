import CanonicalJSON

/// Identifies a load of a source, so that the result of an older load is recognised as late.
public struct LoadToken: Hashable, Sendable {
  /// The number of loads of the source that were started, this one included; 0 for ``none``.
  public let ordinal: Int

  /// Creates the token of the first load, the second and so on.
  public init(ordinal: Int) {
    self.ordinal = ordinal
  }

  /// The token of a source that was never loaded.
  public static let none = LoadToken(ordinal: 0)

  /// The token of the load after this one.
  public var next: LoadToken { LoadToken(ordinal: ordinal + 1) }
}

/// Coded as its number.
extension LoadToken: Codable {
  /// Reads a token.
  ///
  /// - Throws: `JSONShapeError` if the number is negative or no integer.
  public init(from decoder: any Decoder) throws {
    ordinal = try JSONReader(from: decoder).count()
  }

  public func encode(to encoder: any Encoder) throws { try ordinal.encode(to: encoder) }
}
