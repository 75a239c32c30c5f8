/// The new order of a list of sections, or of the rows of one section, after elements have been
/// taken away and others have been put into places.
struct SequencePlan<Element> {
  private var removals: Set<Int> = []
  private var arrivals: [(position: Int, element: Element)] = []

  /// Whether the list stays as it is.
  var isEmpty: Bool { removals.isEmpty && arrivals.isEmpty }

  /// Takes away the element at an old position.
  mutating func remove(at position: Int) throws(ChangesetError) {
    guard removals.insert(position).inserted else {
      throw ChangesetError(
        code: .positionTaken, message: "position \(position) is deleted or moved twice")
    }
  }

  /// Puts an element into a new position.
  mutating func place(_ element: Element, at position: Int) {
    arrivals.append((position, element))
  }

  /// The list after the batch: each arrival at its position, the other elements around them in
  /// their order.
  ///
  /// - Complexity: O(*n* + *a* log *a*), where *n* is the number of elements before and after and
  ///   *a* that of arrivals.
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

  /// The arrivals in the order of their positions, which are checked.
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
  /// The list after the batch, which shares with the old one what stands between the changes.
  ///
  /// - Complexity: O(*c* log *n*), where *n* is the number of elements before and after and *c* that
  ///   of removals and arrivals, but not more than O(*n* + *c* log *c*).
  func result(
    from old: PersistentSequence<Element>
  ) throws(ChangesetError) -> PersistentSequence<Element> {
    // Beyond about one change in each leaf all nodes are made anew, once and not change by change.
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
