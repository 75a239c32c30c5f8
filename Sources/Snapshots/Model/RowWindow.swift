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
    let total = rowCount
    let (start, end) = (min(window.start, total), min(window.start + window.count, total))
    var sections: [Section] = []
    index.sections.root?.forEachSection(touching: start...end, after: 0) { section, first in
      let last = first + section.rows.count
      if section.rows.isEmpty {
        if first < end || end == total { sections.append(section) }
      } else if first < end, last > start {
        let part = max(first, start) - first..<min(last, end) - first
        sections.append(
          part.count == section.rows.count
            ? section
            : section.with(PersistentSequence(section.rows.tree.elements(in: part))))
      }
    }
    return Snapshot(
      states: sourceStates, index: SnapshotIndex(ofPart: PersistentSequence(sections)),
      window: SeenWindow(rows: window, total: total))
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
