/// Some of the rows of a view model, counted from 0 over all sections in their order: what a client that shows a part
/// of a long list asks for.
///
/// ```swift
/// RowWindow(start: 200, count: 100)  // rows 200 to 299
/// ```
public struct RowWindow: Hashable, Sendable {
  /// The number of rows before the window, if there are so many.
  public let start: Int
  /// The largest number of rows in the window.
  public let count: Int

  /// The largest start. No view model has more rows.
  public static let greatestStart = Int(Int32.max)
  /// The largest count.
  public static let greatestCount = 1_000

  /// Creates a window; `nil` if the start is not in 0 to ``greatestStart``, or the count not in 1 to ``greatestCount``.
  public init?(start: Int, count: Int) {
    guard (0...Self.greatestStart).contains(start), (1...Self.greatestCount).contains(count) else {
      return nil
    }
    (self.start, self.count) = (start, count)
  }
}

/// A window that a snapshot was seen through.
public struct SeenWindow: Hashable, Sendable {
  /// The rows that a client asked for.
  public let rows: RowWindow
  /// The number of rows of the whole view model.
  public let total: Int

  /// Creates the window of a view model with a number of rows, which is 0 to 2^53.
  public init(rows: RowWindow, total: Int) {
    (self.rows, self.total) = (rows, total)
  }
}

extension Snapshot {
  /// Returns the view model as it is seen through a window: all states, and the sections with the rows of the window.
  ///
  /// A section without a row in the window is left out, unless it has no rows and the next row is in the window, or no
  /// row follows and the window reaches the end of the view model. So windows that divide all rows among them have all
  /// sections.
  ///
  ///     let seen = snapshot.seen(through: window)
  ///     seen.rowCount  // at most window.count
  ///     seen.window?.total == snapshot.rowCount  // true
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of rows and sections, and *k* that of those in the window.
  package func seen(through window: RowWindow) -> Snapshot {
    let sections = parts(in: window).map { section, rows in
      rows.count == section.rows.count
        ? section : section.with(PersistentSequence(section.rows.tree.elements(in: rows)))
    }
    return Snapshot(
      states: sourceStates, index: SnapshotIndex(ofPart: PersistentSequence(sections)),
      window: SeenWindow(rows: window, total: rowCount))
  }

  /// Returns whether two view models are seen as the same through a window: whether ``seen(through:)`` gives equal
  /// snapshots of both, of which it makes none.
  ///
  /// - Complexity: O(*s* + *m* + log *n*), where *n* is the number of rows and sections, *s* that of sections in the
  ///   window, and *m* that of rows in the window and in nodes that the two do not share.
  package func isSame(as other: Snapshot, through window: RowWindow) -> Bool {
    if isIdentical(to: other) { return true }
    // The window has the number of all rows.
    guard rowCount == other.rowCount, sourceStates == other.sourceStates else { return false }
    if index.sections.isIdentical(to: other.index.sections) { return true }
    return parts(in: window).elementsEqual(other.parts(in: window)) { part, other in
      part.section.hasSameFrame(as: other.section)
        && part.section.rows.tree.hasSameElements(
          in: part.rows, as: other.section.rows.tree, in: other.rows)
    }
  }

  /// Returns the approximate size of what is seen through a window, in bytes: the ``contentByteCount`` of
  /// ``seen(through:)``, which it does not make.
  ///
  /// - Complexity: O(*s* log *n*), where *n* is the number of rows and sections, and *s* that of sections in the window.
  package func contentByteCount(through window: RowWindow) -> Int {
    parts(in: window).reduce(frameByteCount) { sum, part in
      let rows = part.section.rows.tree
      return sum + part.section.frameByteCount
        + rows.measure(before: part.rows.upperBound).byteCount
        - rows.measure(before: part.rows.lowerBound).byteCount
    }
  }

  /// Returns the sections that are seen through a window, each with the positions of its rows in the window.
  ///
  /// - Complexity: O(*s* + log *n*), where *n* is the number of sections, and *s* that of those in the window.
  private func parts(in window: RowWindow) -> [(section: Section, rows: Range<Int>)] {
    let (start, end) = (min(window.start, rowCount), min(window.start + window.count, rowCount))
    var parts: [(Section, Range<Int>)] = []
    index.sections.root?.forEachSection(touching: start...end, after: 0) { section, first in
      let rows = max(start - first, 0)..<min(end - first, section.rows.count)
      if section.rows.isEmpty ? first < end || end == rowCount : !rows.isEmpty {
        parts.append((section, rows))
      }
    }
    return parts
  }
}

extension TreeNode where Element == Section {
  /// Calls a closure with each section whose first or last row, or the place between two rows, is in a range, and with
  /// the number of rows before it.
  ///
  /// - Complexity: O(*k* + log *n*), where *n* is the number of sections, and *k* that of those in the range.
  fileprivate func forEachSection(
    touching range: ClosedRange<Int>, after rowCount: Int, _ body: (Section, Int) -> Void
  ) {
    var first = rowCount
    for section in elements {
      let last = first + section.rows.count
      if last >= range.lowerBound, first <= range.upperBound { body(section, first) }
      first = last
    }
    for child in children {
      let last = first + child.node.measure.rowCount
      if last >= range.lowerBound, first <= range.upperBound {
        child.node.forEachSection(touching: range, after: first, body)
      }
      first = last
    }
  }
}
