/// An element of a tree that can be collapsed, so that the elements below it are not shown.
///
/// ```swift
/// struct Folder: Foldable {
///   let name: Text
///   var children: [Folder] = []
///   var isCollapsed = false
/// }
///
/// for (folder, depth) in folders.unfolded() { … }
/// ```
public protocol Foldable {
  /// The elements directly below the element, in order.
  var children: [Self] { get }
  /// Whether the elements below the element are hidden. They keep their own `isCollapsed`.
  var isCollapsed: Bool { get }
}

extension Sequence where Element: Foldable {
  /// Returns the elements to show, each before those below it and with its depth from 0.
  ///
  /// An element that is collapsed or not included hides all elements below it.
  ///
  /// - Parameters:
  ///   - isIncluded: Returns whether an element is shown; unless given, each is.
  ///   - isCollapsed: Returns whether an element is collapsed; unless given, the element itself says so.
  /// - Complexity: O(*n*), where *n* is the number of elements that no collapsed element hides.
  // A caller is compiled with it, so that it costs no look-ups of types.
  @inlinable public func unfolded(
    where isIncluded: (Element) -> Bool = { _ in true },
    isCollapsed: (Element) -> Bool = { $0.isCollapsed }
  ) -> [(element: Element, depth: Int)] {
    var result: [(element: Element, depth: Int)] = []
    // The elements that are still to come, the next one last. No recursion, so that no depth of a tree ends
    // the process.
    var rest = reversed().map { (element: $0, depth: 0) }
    while let (element, depth) = rest.popLast() {
      guard isIncluded(element) else { continue }
      result.append((element, depth))
      if isCollapsed(element) { continue }
      rest += element.children.reversed().map { (element: $0, depth: depth + 1) }
    }
    return result
  }
}
