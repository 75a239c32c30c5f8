/// An element of a list that may have others beneath it, and may be folded up so that they are not
/// shown.
public protocol Foldable {
  /// What stands beneath it, in order.
  var children: [Self] { get }
  /// Whether what stands beneath it is folded away. It says nothing about what they are themselves:
  /// those that were folded up before still are when it is unfolded.
  var isCollapsed: Bool { get }
}

extension Sequence where Element: Foldable {
  /// The elements that are to be seen, each before what stands beneath it, with how deep it stands.
  ///
  /// What is beneath a collapsed element is not to be seen, however deep, nor is what is beneath
  /// one that is left out.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements that are looked at: none of those
  ///   beneath a collapsed one.
  ///
  /// - Parameters:
  ///   - isIncluded: Whether an element is to be seen; each is, unless defined.
  ///   - isCollapsed: Whether an element is collapsed; it says itself, unless defined.
  public func unfolded(
    where isIncluded: (Element) -> Bool = { _ in true },
    isCollapsed: (Element) -> Bool = { $0.isCollapsed }
  ) -> [(element: Element, depth: Int)] {
    var result: [(element: Element, depth: Int)] = []
    func add(_ elements: some Sequence<Element>, depth: Int) {
      for element in elements where isIncluded(element) {
        result.append((element, depth))
        if !isCollapsed(element) { add(element.children, depth: depth + 1) }
      }
    }
    add(self, depth: 0)
    return result
  }
}
