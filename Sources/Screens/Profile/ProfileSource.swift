/// The two independent sources of the profile screen.
public enum ProfileSource: String, CaseIterable, Sendable {
  case posts
  case profile
}
