/// The values that a route's pattern took out of a request's path.
///
/// They are decoded when asked for. A value may contain `/`, from `%2f`, and is never empty; whether
/// it makes sense is for the handler to decide.
public struct Parameters: Sendable {
  private let names: [ParameterName]
  private let target: Target

  /// The parameters of a request that no pattern was matched against.
  init(names: [ParameterName], target: Target) {
    self.names = names
    self.target = target
  }

  /// The decoded value of a parameter; nil if the pattern has none of this name.
  ///
  /// - Complexity: O(n) in the length of the path.
  public subscript(_ name: String) -> String? {
    guard let parameter = names.first(where: { $0.name == name }) else { return nil }
    var segments = PathSegments(target)
    let bytes = target.bytes
    for _ in 0..<parameter.segment { _ = segments.next(in: bytes) }
    guard let range = segments.next(in: bytes) else { return nil }
    return PercentDecoding.string(of: bytes.span.extracting(range), plusIsSpace: false)
  }
}

/// The name of a parameter and the segment of the path that it stands for, counted from 0.
struct ParameterName: Sendable {
  let name: String
  let segment: Int
}
