/// Builds the list of rows of a section, or of sections of a snapshot, from a declaration: elements,
/// optional ones, lists of them, conditions, switches and loops.
@resultBuilder
public enum ListBuilder<Element> {
  public static func buildExpression(_ element: Element) -> [Element] { [element] }

  /// Adds an element, or nothing if it is `nil`.
  public static func buildExpression(_ element: Element?) -> [Element] {
    element.map { [$0] } ?? []
  }

  /// Adds elements. Among the overloads for sequences of elements and of rows, `[]` means this one.
  public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

  public static func buildExpression(_ elements: some Sequence<Element>) -> [Element] {
    Array(elements)
  }

  public static func buildPartialBlock(first: [Element]) -> [Element] { first }

  public static func buildPartialBlock(
    accumulated: [Element], next: [Element]
  ) -> [Element] { accumulated + next }

  public static func buildBlock() -> [Element] { [] }

  public static func buildOptional(_ elements: [Element]?) -> [Element] { elements ?? [] }

  public static func buildEither(first elements: [Element]) -> [Element] { elements }

  public static func buildEither(second elements: [Element]) -> [Element] { elements }

  public static func buildArray(_ parts: [[Element]]) -> [Element] { Array(parts.joined()) }
}
