public import CanonicalJSON
public import Snapshots

/// Remembers the last assembly: its rows, so that an element that did not change keeps its row and
/// with it the bytes and the hash (a row is encoded once in its life), and its snapshot, so that
/// what did not change is shared with it.
public struct RowCache: Sendable {
  private struct Entry: Sendable {
    let element: any Sendable
    let row: Row
  }

  private var previous: [Text: Entry] = [:]
  private var current: [Text: Entry] = [:]
  /// The snapshot of the last assembly, for `Snapshot(states:reusing:sections:)`.
  public private(set) var snapshot = Snapshot.empty

  /// A cache that knows no row yet.
  public init() {}

  /// The row of `element` under `id`: the one made before where the element is equal to the one it
  /// was made from, else the one that `make` returns.
  ///
  /// `make` must depend on the element alone.
  ///
  /// - Complexity: O(1) expected, beside one comparison of elements.
  public mutating func row<Element: Equatable & Sendable>(
    _ id: Text, for element: Element, make: (Element) -> Row
  ) -> Row {
    if let entry = previous[id], let known = entry.element as? Element, known == element {
      current[id] = entry
      return entry.row
    }
    let row = make(element)
    current[id] = Entry(element: element, row: row)
    return row
  }

  @available(*, unavailable, message: "a String is compared by canonical equivalence: pass Text")
  public mutating func row(
    _ id: Text, for element: String, make: (String) -> Row
  ) -> Row {
    row(id, for: Text(element)) { make($0.string) }
  }

  /// Ends an assembly: rows that it did not ask for are forgotten.
  mutating func endAssembly(of snapshot: Snapshot) {
    previous = current
    current = [:]
    self.snapshot = snapshot
  }
}
