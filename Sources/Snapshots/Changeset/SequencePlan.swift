/// The removals and arrivals that turn the old order of sections, or of the rows of one section,
/// into the new one.
struct SequencePlan<Element> {
  private var removals: Set<Int> = []
  private var arrivals: [(position: Int, element: Element)] = []

  /// Removes the element at an old position.
  ///
  /// - Throws: ``ChangesetError/Code/positionTaken`` if the element is removed already.
  mutating func remove(at position: Int) throws(ChangesetError) {
    guard removals.insert(position).inserted else {
      throw ChangesetError(
        code: .positionTaken, message: "position \(position) is deleted or moved twice")
    }
  }

  /// Puts an element at a new position.
  mutating func place(_ element: Element, at position: Int) {
    arrivals.append((position, element))
  }

  /// Returns the new list: each arrival at its position, and the kept elements around them in their
  /// order.
  ///
  /// - Complexity: O(*n* + *a* log *a*), where *n* is the number of elements before and after and
  ///   *a* the number of arrivals.
  /// - Throws: ``ChangesetError`` if a position is outside the new list or has two arrivals.
  func result(from old: some Collection<Element>) throws(ChangesetError) -> [Element] {
    let sorted = try sortedArrivals(count: old.count)
    let count = old.count - removals.count + sorted.count
    var result: [Element] = []
    result.reserveCapacity(count)
    var next = sorted.startIndex
    func appendArrivals() {
      while next < sorted.endIndex, sorted[next].position == result.count {
        result.append(sorted[next].element)
        next += 1
      }
    }
    for (position, element) in old.enumerated() where !removals.contains(position) {
      appendArrivals()
      result.append(element)
    }
    appendArrivals()
    return result
  }

  /// Returns the arrivals sorted by their positions, after checking these.
  private func sortedArrivals(
    count: Int
  ) throws(ChangesetError) -> [(position: Int, element: Element)] {
    let sorted = arrivals.sorted { $0.position < $1.position }
    for (arrival, next) in zip(sorted, sorted.dropFirst())
    where arrival.position == next.position {
      throw ChangesetError(
        code: .positionTaken, message: "two elements go to position \(next.position)")
    }
    let count = count - removals.count + sorted.count
    if let first = sorted.first, let last = sorted.last,
      first.position < 0 || last.position >= count
    {
      throw ChangesetError(
        code: .positionOutOfRange,
        message: "an element goes outside the \(count) positions of the result")
    }
    return sorted
  }
}

extension SequencePlan where Element: TreeElement {
  /// Returns the new list, which shares the parts between the changes with the old one.
  ///
  /// - Complexity: O(*c* log *n*), where *n* is the number of elements before and after and *c* the
  ///   number of removals and arrivals, but at most O(*n* + *c* log *c*).
  /// - Throws: ``ChangesetError`` if a position is outside the new list or has two arrivals.
  func result(
    from old: PersistentSequence<Element>
  ) throws(ChangesetError) -> PersistentSequence<Element> {
    // If there is more than about one change per leaf, all nodes are created again at once instead
    // of change by change.
    if (removals.count + arrivals.count) * TreeNode<Element>.capacity > old.count {
      let list: [Element] = try result(from: old)
      return PersistentSequence(list)
    }
    let sorted = try sortedArrivals(count: old.count)
    var result = old
    result.removeElements(at: removals.sorted())
    for arrival in sorted {
      result.replaceSubrange(arrival.position..<arrival.position, with: [arrival.element])
    }
    return result
  }
}
