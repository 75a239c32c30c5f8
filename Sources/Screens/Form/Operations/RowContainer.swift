public import ViewState

/// A list of rows of a form.
public enum RowContainer: Hashable, Sendable {
  /// The rows of a section.
  case section(ResourceID)
  /// The rows beneath a group.
  case group(ResourceID)
}
