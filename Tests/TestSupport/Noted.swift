import Synchronization

/// A list to which closures append.
public final class Noted<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  /// Creates an empty list.
  public init() {}

  /// The elements, oldest first.
  public var all: [Element] { list.withLock { $0 } }

  /// Appends an element.
  public func add(_ element: Element) { list.withLock { $0.append(element) } }

  /// Removes all elements, and returns them.
  public func take() -> [Element] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}
