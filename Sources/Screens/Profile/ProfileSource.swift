public import CanonicalJSON

/// The two independent sources of the profile screen.
public enum ProfileSource: Text, CaseIterable, Sendable {
  case posts
  case profile
}
