import Snapshots

/// Two lists of sections in memory of their own, where the engine reads them in place: nothing is
/// copied within a measured run.
final class ElementLists<Element: DifferenceElement> {
  let runs: [ElementRun<Element>]

  /// Sections of one index are one section.
  init(old: [[Element]], new: [[Element]]) {
    runs = zip(old, new).enumerated().map { index, lists in
      let start = ElementPosition(section: Int32(index), row: 0)
      return ElementRun(
        oldStart: start, newStart: start, old: Self.copy(lists.0), new: Self.copy(lists.1))
    }
  }

  deinit {
    // Each buffer was allocated and initialised as a whole by `copy`, and belongs to this object.
    for run in runs {
      UnsafeMutableBufferPointer(mutating: run.old).deinitialize().deallocate()
      UnsafeMutableBufferPointer(mutating: run.new).deinitialize().deallocate()
    }
  }

  private static func copy(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(fromContentsOf: elements)
    return UnsafeBufferPointer(buffer)
  }
}
