/// What a parser takes from a stranger before it refuses.
public struct JSONLimits: Hashable, Sendable {
  /// How deep arrays and objects may nest. A document that goes deeper is refused with
  /// ``JSONParseError/Code/tooDeep``. It bounds the parser's own recursion too.
  public var maximumDepth: Int

  /// 512 levels, which any thread's stack bears.
  static let greatestDepth = 512

  /// 64 levels.
  public static let `default` = JSONLimits(maximumDepth: 64)

  /// - Precondition: `maximumDepth` is in 1...512, which any thread's stack bears.
  public init(maximumDepth: Int) {
    precondition(
      (1...Self.greatestDepth).contains(maximumDepth), "maximumDepth must be in 1...512")
    self.maximumDepth = maximumDepth
  }
}
