public import CanonicalJSON

/// A list that is kept up to date by single operations, such as an array, the cells of a view, or the
/// elements of a web page.
///
/// A type that implements inserting, deleting and updating gets `transform(to:)`. The
/// index of each operation is an index in the list after all earlier operations, so the type performs the operation at
/// once.
///
///     struct Names: TransformableList {
///       var elements: [Player] = []
///       var labels: [String] = []
///
///       mutating func insert(_ new: Player, at index: Int) {
///         elements.insert(new, at: index)
///         labels.insert(new.name, at: index)
///       }
///       mutating func delete(_ old: Player, at index: Int) {
///         elements.remove(at: index)
///         labels.remove(at: index)
///       }
///       mutating func update(_ old: Player, at oldIndex: Int, to new: Player, at index: Int) {
///         elements[index] = new
///         labels[index] = new.name
///       }
///     }
///     var names = Names()
///     names.transform(to: players)
///
/// The elements may be ``Row``s and ``Section``s: a `Replica` of the module `ViewDeltaClient` drives lists of
/// these.
public protocol TransformableList<Element>: Transformable {
  /// The elements as they are now.
  var elements: [Element] { get }

  /// Moves an element to another index, counted after the element was removed. The default deletes the element
  /// and inserts it again.
  mutating func move(_ element: Element, from oldIndex: Int, to newIndex: Int)

  /// Replaces an element by one that the server reloads: draw it again, even if both are equal. The default calls
  /// `update`.
  mutating func reload(_ old: Element, at oldIndex: Int, to new: Element, at newIndex: Int)
}

extension TransformableList {
  public mutating func reload(
    _ old: Element, at oldIndex: Int, to new: Element, at newIndex: Int
  ) {
    update(old, at: oldIndex, to: new, at: newIndex)
  }

  public mutating func move(_ element: Element, from oldIndex: Int, to newIndex: Int) {
    delete(element, at: oldIndex)
    insert(element, at: newIndex)
  }

  /// Calls the fewest operations that turn the list into a new one, one by one: the deletions, then the
  /// insertions and moves, then the updates.
  ///
  /// Elements belong together by their ids. An element that moves and changes is moved first. If several
  /// elements have the same id, the first one of the list becomes the first one of the new list.
  ///
  /// For example, from A B C D to X D A C′: delete B at 1, insert X at 0, move D from 3 to 1, update C to
  /// C′ at 3.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of elements of both lists, and the cost
  ///   of the operations; O(*n*) if the kept elements do not change their order.
  public mutating func transform(to new: some Collection<Element>) {
    transform(to: Array(new), by: \.id)
  }

  fileprivate mutating func transform(
    to new: [Element], by key: (Element) -> some Hashable,
    reloading isReloaded: (Element, Element) -> Bool = { _, _ in false }
  ) {
    let old = elements
    var batch = ListBatch(from: old, to: new, by: key)
    batch.reload { isReloaded(old[$0.from], new[$0.to]) }
    perform(batch, from: { old[$0] }, to: { new[$0] })
  }

  /// Performs the operations of a batch one by one.
  ///
  /// - Parameters:
  ///   - batch: The operations.
  ///   - old: Returns the element at an index before the batch.
  ///   - new: Returns the element at an index after the batch.
  package mutating func perform(
    _ batch: ListBatch, from old: (Int) -> Element, to new: (Int) -> Element
  ) {
    for step in batch.steps {
      switch step {
      case .delete(let index): delete(old(index), at: index)
      case .insert(let number, let index): insert(new(number), at: index)
      case .move(let number, let from, let to): move(old(number), from: from, to: to)
      case .update(let number, let index):
        update(old(number), at: index, to: new(index), at: index)
      case .reload(let number, let index):
        reload(old(number), at: index, to: new(index), at: index)
      }
    }
  }
}

extension TransformableList where Element == Row {
  /// Calls the fewest operations that turn the list into a new one, as for other elements. A row whose type
  /// changes is deleted and inserted, and one with another generation is reloaded.
  public mutating func transform(to new: some Collection<Row>) {
    transform(to: Array(new), by: { RowKey(id: $0.id, type: $0.type) }) {
      $0.generation != $1.generation
    }
  }
}

/// The identity of a row in a difference.
private struct RowKey: Hashable {
  let id: Text
  let type: Text
}

extension Row: Identifiable {}

extension Section: Identifiable {}
