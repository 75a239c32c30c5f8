/// What the header of a profile is made from.
struct ProfileHeader: Equatable, Sendable {
  /// Whom it shows; `nil` before the first load has ended.
  let user: User?
  /// Whether a load is under way.
  let isLoading: Bool
}
