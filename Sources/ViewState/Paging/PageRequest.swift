/// Which page of a long list is asked for.
public enum PageRequest<Position: Hashable & Sendable>: Hashable, Sendable {
  /// The first one; what is shown gives way to it.
  case first
  /// The one that begins behind this position, where what is shown ends.
  case behind(Position)
}

extension PageRequest: Codable where Position: Codable {}
