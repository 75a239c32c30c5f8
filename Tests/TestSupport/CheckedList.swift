import Snapshots

/// A list that performs single operations, and records the first one that is not valid for the list as it is
/// at that moment.
package struct CheckedList<Element: Identifiable & Equatable>: TransformableList {
  package private(set) var elements: [Element] = []
  /// The number of calls of each operation.
  package private(set) var counts: [String: Int] = [:]
  private var fault: String?

  package init(_ elements: [Element] = []) { self.elements = elements }

  package mutating func insert(_ new: Element, at index: Int) {
    perform("insert", new, at: index, if: (0...elements.count).contains(index)) {
      $0.insert(new, at: index)
    }
  }

  package mutating func delete(_ old: Element, at index: Int) {
    perform("delete", old, at: index, if: has(old, at: index)) { $0.remove(at: index) }
  }

  package mutating func update(
    _ old: Element, at oldIndex: Int, to new: Element, at index: Int
  ) {
    let isValid = oldIndex == index && has(old, at: index) && old.id == new.id && old != new
    perform("update", new, at: index, if: isValid) { $0[index] = new }
  }

  package mutating func reload(
    _ old: Element, at oldIndex: Int, to new: Element, at index: Int
  ) {
    let isValid = oldIndex == index && has(old, at: index) && old.id == new.id
    perform("reload", new, at: index, if: isValid) { $0[index] = new }
  }

  package mutating func move(_ element: Element, from oldIndex: Int, to index: Int) {
    let isValid = has(element, at: oldIndex) && elements.indices.contains(index)
    perform("move", element, at: index, if: isValid && oldIndex != index) {
      $0.insert($0.remove(at: oldIndex), at: index)
    }
  }

  private func has(_ element: Element, at index: Int) -> Bool {
    elements.indices.contains(index) && elements[index] == element
  }

  private mutating func perform(
    _ operation: String, _ element: Element, at index: Int, if isValid: Bool,
    _ change: (inout [Element]) -> Void
  ) {
    counts[operation, default: 0] += 1
    if isValid, fault == nil {
      change(&elements)
    } else {
      fault = fault ?? "\(operation) of \(element) at \(index) in \(elements)"
    }
  }

  /// Forgets the calls so far.
  package mutating func resetCounts() { counts = [:] }

  /// Checks that all operations were valid and led to the elements.
  ///
  /// - Throws: ``LawViolation`` if they did not.
  package func check(_ expected: [Element]) throws {
    if let fault { throw LawViolation(fault) }
    try require(elements == expected, "\(elements) instead of \(expected)")
  }
}
