public import CanonicalJSON

/// The two independent sources of the profile screen.
public enum ProfileSource: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case posts
  case profile
}
