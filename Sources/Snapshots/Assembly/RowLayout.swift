import CanonicalJSON

/// The rows of a section as they were declared: lists, and the rows before, between and behind them.
struct RowLayout: Sendable {
  private var lists: [any RowList] = []
  /// One more than lists: those before the first list, before the second one, and so on.
  private var gaps: [[Row]] = [[]]

  /// Lays parts out.
  ///
  /// - Parameter cache: Has the rows of the last assembly, and makes the others.
  init(_ parts: [RowPart], _ cache: inout RowCache) {
    for part in parts {
      switch part.content {
      case .rows(let rows): gaps[gaps.count - 1] += rows
      case .cached(let append): append(&cache, &gaps[gaps.count - 1])
      case .list(let list):
        lists.append(list)
        gaps.append([])
      }
    }
  }

  private var count: Int {
    lists.reduce(0) { $0 + $1.count } + gaps.reduce(0) { $0 + $1.count }
  }

  /// The number of rows in lists that were made from the lists of an earlier layout, and share with these what did not
  /// change.
  func sharedCount(with old: RowLayout) -> Int {
    zip(lists, old.lists).reduce(0) { count, lists in
      lists.0.root?.isVersion(of: lists.1.root) == true ? count + lists.0.count : count
    }
  }

  /// All rows, made anew.
  var rows: [Row] {
    var rows = gaps[0]
    for (list, gap) in zip(lists, gaps.dropFirst()) {
      // A list that comes first, which is mostly the longest part, is not copied.
      if rows.isEmpty { rows = list.rows } else { rows += list.rows }
      rows += gap
    }
    return rows
  }

  /// The rows, made of those of an earlier layout by what changed.
  ///
  /// - Parameters:
  ///   - rows: What the earlier layout gave.
  ///   - old: The earlier layout.
  /// - Returns: `nil` if there is no list, if the earlier layout has not equally many, and if the rows
  ///   are not its rows.
  /// - Complexity: O(*g* + *k* log *n*) expected, where *g* is the number of rows beside the lists, *k*
  ///   that of changes in the lists, and *n* that of all rows.
  func rows(
    changing rows: PersistentSequence<Row>, of old: RowLayout
  ) -> PersistentSequence<Row>? {
    guard !lists.isEmpty, lists.count == old.lists.count, rows.count == old.count else {
      return nil
    }
    var result = rows
    // From the end, so that the positions before stay as they are.
    var start = rows.count
    for index in gaps.indices.reversed() {
      if index < lists.count {
        let (list, oldList) = (lists[index], old.lists[index])
        start -= oldList.count
        let changes =
          list.changes(since: oldList, rows: rows, start: start)
          ?? [RowChange(range: 0..<oldList.count, rows: list.rows)]
        for change in changes.reversed() {
          result.replaceSubrange(
            start + change.range.lowerBound..<start + change.range.upperBound, with: change.rows)
        }
      }
      let (gap, oldGap) = (gaps[index], old.gaps[index])
      start -= oldGap.count
      let (head, tail) = oldGap.countsOfSameEnds(as: gap, by: ==)
      result.replaceSubrange(
        start + head..<start + oldGap.count - tail, with: Array(gap[head..<gap.count - tail]))
    }
    return result
  }
}
