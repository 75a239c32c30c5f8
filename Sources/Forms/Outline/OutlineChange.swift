import CanonicalJSON
import Synchronization
import ViewState

/// What becomes of the rows of a form if another outline takes the place of the present one.
///
/// A write to a form that thousands of sessions fill in gives all of them the same outline in place of the same one.
/// So the last changes are kept: otherwise each session would compare all rows again, while all other inputs wait.
struct OutlineChange: Sendable {
  private let before: FormOutline
  private let after: FormOutline
  /// Whether both outlines are equal.
  let isNone: Bool
  /// The ids of the rows afterwards whose id and kind a row had before.
  let kept: Set<ResourceID>

  /// The changes that were asked for last, the latest first.
  private static let last = Mutex<[OutlineChange]>([])
  /// Each session asks for the change of the description, which is the same for all, and for that of the rows as its
  /// user has arranged them.
  private static let limit = 2

  /// Returns the change from one outline to another.
  ///
  /// - Complexity: O(1) if it is one of those asked for last, between the very same outlines; otherwise O(*n*) expected,
  ///   where *n* is the number of rows.
  static func from(_ before: FormOutline, to after: FormOutline) -> OutlineChange {
    last.withLock { last in
      let known = last.firstIndex {
        $0.before.isIdentical(to: before) && $0.after.isIdentical(to: after)
      }
      if let known {
        last.swapAt(0, known)
        return last[0]
      }
      let change = OutlineChange(before, after)
      last = [change] + last.prefix(limit - 1)
      return change
    }
  }

  private init(_ before: FormOutline, _ after: FormOutline) {
    (self.before, self.after) = (before, after)
    isNone = before == after
    let old = before.rows
    kept = Set(
      after.rows.entries.lazy.map(\.row).filter { old[$0.id]?.field.kind == $0.field.kind }
        .map(\.id))
  }
}
