/// The new order of a list of sections, or of the rows of one section, after elements have been
/// taken away and others have been put into places.
struct BatchPlan<Element> {
  private var isRemoved: [Bool]
  private var removedCount = 0
  private var arrivals: [(position: Int, element: Element)] = []

  init(count: Int) {
    isRemoved = Array(repeating: false, count: count)
  }

  /// Takes away the element at an old position.
  mutating func remove(at position: Int) throws(ChangesetError) {
    guard !isRemoved[position] else {
      throw ChangesetError(
        code: .positionTaken, message: "position \(position) is deleted or moved twice")
    }
    isRemoved[position] = true
    removedCount += 1
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
  func result(from old: some RandomAccessCollection<Element>) throws(ChangesetError) -> [Element] {
    let count = old.count - removedCount + arrivals.count
    let sorted = arrivals.sorted { $0.position < $1.position }
    for (arrival, next) in zip(sorted, sorted.dropFirst())
    where arrival.position == next.position {
      throw ChangesetError(
        code: .positionTaken, message: "two elements go to position \(next.position)")
    }
    if let first = sorted.first, let last = sorted.last,
      first.position < 0 || last.position >= count
    {
      throw ChangesetError(
        code: .positionOutOfRange,
        message: "an element goes outside the \(count) positions of the result")
    }
    var result: [Element] = []
    result.reserveCapacity(count)
    var next = sorted.startIndex
    func appendArrivals() {
      while next < sorted.endIndex, sorted[next].position == result.count {
        result.append(sorted[next].element)
        next += 1
      }
    }
    for (element, isRemoved) in zip(old, isRemoved) where !isRemoved {
      appendArrivals()
      result.append(element)
    }
    appendArrivals()
    return result
  }
}
