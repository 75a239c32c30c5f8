/// Builds the list of rows of a section, or of sections of a snapshot, from a declaration: elements,
/// optional ones, lists of them, conditions, switches and loops.
// They run for each row, so callers compile them with the type of the elements.
@resultBuilder
public enum ListBuilder<Element> {
  @inlinable public static func buildExpression(_ element: Element) -> [Element] { [element] }

  /// Adds an element, or nothing if it is `nil`.
  @inlinable public static func buildExpression(_ element: Element?) -> [Element] {
    element.map { [$0] } ?? []
  }

  /// Adds elements. Among the overloads for sequences of elements and of rows, `[]` means this one.
  @inlinable public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

  @inlinable public static func buildExpression(_ elements: some Sequence<Element>) -> [Element] {
    Array(elements)
  }

  @inlinable public static func buildPartialBlock(first: [Element]) -> [Element] { first }

  @inlinable public static func buildPartialBlock(
    accumulated: [Element], next: [Element]
  ) -> [Element] {
    if accumulated.isEmpty { return next }
    return next.isEmpty ? accumulated : accumulated + next
  }

  @inlinable public static func buildBlock() -> [Element] { [] }

  @inlinable public static func buildOptional(_ elements: [Element]?) -> [Element] {
    elements ?? []
  }

  @inlinable public static func buildEither(first elements: [Element]) -> [Element] { elements }

  @inlinable public static func buildEither(second elements: [Element]) -> [Element] {
    elements
  }

  @inlinable public static func buildArray(_ parts: [[Element]]) -> [Element] {
    var elements: [Element] = []
    for part in parts { elements += part }
    return elements
  }
}
