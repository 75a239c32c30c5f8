public import CanonicalJSON

/// The sender of inputs, and the owner of the view models that only these inputs change.
///
/// The JSON form is the name.
public struct Owner: RawRepresentable, Codable, Hashable, Sendable {
  public let rawValue: Text

  public init(rawValue: Text) {
    self.rawValue = rawValue
  }
}
