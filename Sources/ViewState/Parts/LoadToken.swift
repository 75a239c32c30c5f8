import CanonicalJSON

/// Identifies a load of a source, so that the result of an older load is recognised as late.
package struct LoadToken: Hashable, Sendable {
  /// The number of loads of the source that were started, this one included; 0 for ``none``.
  package let ordinal: Int

  /// Creates the token of the first load, the second and so on.
  package init(ordinal: Int) {
    self.ordinal = ordinal
  }

  /// The token of a source that was never loaded.
  package static let none = LoadToken(ordinal: 0)

  /// The token of the load after this one.
  package var next: LoadToken { LoadToken(ordinal: ordinal + 1) }
}

/// Coded as its number.
extension LoadToken: Codable {
  /// Reads a token.
  ///
  /// - Throws: `JSONShapeError` if the number is negative or no integer.
  package init(from decoder: any Decoder) throws {
    ordinal = try JSONReader(from: decoder).count()
  }

  package func encode(to encoder: any Encoder) throws { try ordinal.encode(to: encoder) }
}
