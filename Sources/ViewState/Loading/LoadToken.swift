import CanonicalJSON

/// Names one load of one source, so that a result can be told from that of an older load.
public struct LoadToken: Hashable, Sendable, CustomStringConvertible {
  /// How many loads of the source had been started, this one included.
  public let ordinal: Int

  /// The token of the first load, the second and so on; 0 is none.
  public init(ordinal: Int) {
    self.ordinal = ordinal
  }

  /// The token of a source that was never loaded.
  public static let none = LoadToken(ordinal: 0)

  /// The token of the load after this one.
  public var next: LoadToken { LoadToken(ordinal: ordinal + 1) }

  public var description: String { "load \(ordinal)" }
}

/// As its number.
extension LoadToken: Codable {
  /// - Throws: for a number that no count of loads reaches.
  public init(from decoder: any Decoder) throws {
    ordinal = try JSONReader(from: decoder).count()
  }

  public func encode(to encoder: any Encoder) throws { try ordinal.encode(to: encoder) }
}
