import CanonicalJSON

/// Why a row does not take an event. Nothing has changed.
enum RowEventFault: Error, Hashable, Sendable {
  /// Rows of its kind have no such event, or the row behind it that is named is not there.
  case noSuchEvent
  /// The value that came with it is none of this row's.
  case value(JSONShapeError)
}
