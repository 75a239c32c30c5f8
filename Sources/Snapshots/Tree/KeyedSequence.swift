import HashTreeCollections

/// A list of elements with unique ids, whose changed copies share with it what did not change.
///
/// Keep a long list of a screen or a store in one: a copy costs nothing, a change costs the path to its
/// element, and two versions are compared by what they do not share. So ``ForEach`` makes the rows of
/// the elements that changed and no others.
///
///     var posts = KeyedSequence(loaded)
///     posts.append(Post(id: 8, title: "New"))
///     posts[id: 3]?.title = "Edited"
///     posts.remove(id: 5)
///
/// The elements stand in the leaves of a ``PersistentSequence``; a hash trie (Bagwell, 2001) finds the
/// leaf of an id as ``SnapshotIndex`` does.
///
/// In the complexities below, *n* is the number of elements.
public struct KeyedSequence<Element: Identifiable & Equatable & Sendable>: Sendable
where Element.ID: Sendable {
  /// An element in a leaf. A leaf is copied with each change in it, which retains one reference for each
  /// of its elements, whatever these are made of.
  final class Slot: TreeElement {
    let element: Element

    init(_ element: Element) {
      self.element = element
    }

    var identifier: Element.ID { element.id }
    var measure: TreeMeasure { TreeMeasure(count: 1) }

    func isIdentical(to other: Slot) -> Bool { self === other }

    static func == (left: Slot, right: Slot) -> Bool {
      left === right || left.element == right.element
    }
  }

  private(set) var slots = PersistentSequence<Slot>()
  /// The leaf of each element.
  private(set) var leaves: TreeDictionary<Element.ID, NodeIdentity> = [:]
  /// The branch that each node but the root stands in.
  private(set) var parents: TreeDictionary<NodeIdentity, NodeIdentity> = [:]

  /// The sequence without elements.
  public init() {}

  /// The elements in their order. If several have one id, the last one takes the place of the first.
  ///
  /// - Complexity: O(*n*) expected.
  public init(_ elements: some Sequence<Element>) {
    var places: [Element.ID: Int] = [:]
    var slots: [Slot] = []
    for element in elements {
      if let place = places[element.id] {
        slots[place] = Slot(element)
      } else {
        places[element.id] = slots.count
        slots.append(Slot(element))
      }
    }
    follow(to: PersistentSequence(slots))
  }

  /// Takes over a changed list, and notes what stands in another leaf or branch from now on.
  private mutating func follow(to slots: PersistentSequence<Slot>) {
    let alignment = TreeAlignment(from: self.slots, to: slots)
    var moves = SlotMoves<Element.ID>()
    var nodeMoves = SlotMoves<NodeIdentity>()
    for change in NodeChange.pairs(of: alignment.oldOnly, and: alignment.newOnly) {
      moves.note(change.movedElements(), of: change) { $0.identifier }
      nodeMoves.note(change.movedChildren(), of: change) { $0.identity }
    }
    _ = moves.perform(in: &leaves)
    _ = nodeMoves.perform(in: &parents)
    self.slots = slots
  }

  private mutating func replaceSubrange(_ range: Range<Int>, with elements: [Slot]) {
    var slots = slots
    slots.replaceSubrange(range, with: elements)
    follow(to: slots)
  }
}

extension KeyedSequence {
  /// The position of the element with an id; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) expected.
  public func index(of id: Element.ID) -> Int? {
    guard let leaf = leaves[id] else { return nil }
    var path = parents.ascent(from: leaf)
    guard let place = slots.descend(along: &path),
      let slot = place.leaf.elements.firstIndex(where: { $0.identifier == id })
    else { return nil }
    return place.start + slot
  }

  /// Whether there is an element with an id.
  ///
  /// - Complexity: O(1) expected.
  public func contains(id: Element.ID) -> Bool { leaves[id] != nil }

  /// The element with an id; `nil` if there is none.
  ///
  /// A new value takes the place of the element, or goes to the end if there is none; `nil` removes the
  /// element. If the new value has another id, the element of that id goes, so that ids stay unique.
  ///
  /// - Complexity: O(log *n*) expected.
  public subscript(id id: Element.ID) -> Element? {
    get { index(of: id).map { slots[$0].element } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      if newValue.id != id { remove(id: newValue.id) }
      let place = index(of: id).map { $0..<$0 + 1 } ?? count..<count
      // What is equal stays, so that it is shared.
      if slots.elements(in: place).first?.element == newValue { return }
      replaceSubrange(place, with: [Slot(newValue)])
    }
  }

  /// Puts an element in the place of the one with its id, or at the end if there is none.
  ///
  /// - Complexity: O(log *n*) expected.
  public mutating func append(_ element: Element) {
    self[id: element.id] = element
  }

  /// Puts an element at a position, counted without the one with its id, which it replaces.
  ///
  /// - Precondition: the position is one of the elements other than the one with the id, or the end of them.
  /// - Complexity: O(log *n*) expected.
  public mutating func insert(_ element: Element, at position: Int) {
    remove(id: element.id)
    replaceSubrange(position..<position, with: [Slot(element)])
  }

  /// Puts an element among others that are in an order, in the place of the one with its id.
  ///
  /// - Parameter precedes: A strict order in which all elements are, but the one with the id.
  /// - Complexity: O(log *n*) expected, beside O(log *n*) calls of `precedes`.
  public mutating func insert(
    _ element: Element, by precedes: (_ left: Element, _ right: Element) -> Bool
  ) {
    if let place = index(of: element.id) {
      let isBehindPrevious = place == 0 || precedes(self[place - 1], element)
      if isBehindPrevious, place == count - 1 || precedes(element, self[place + 1]) {
        self[id: element.id] = element
        return
      }
      remove(id: element.id)
    }
    insert(element, at: partitioningIndex { !precedes($0, element) })
  }

  /// Removes the element with an id.
  ///
  /// - Returns: the element; `nil` if there is none.
  /// - Complexity: O(log *n*) expected.
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let place = index(of: id) else { return nil }
    let element = slots[place].element
    replaceSubrange(place..<place + 1, with: [])
    return element
  }

  /// Moves the element with an id, if there is one, to a position of the result.
  ///
  /// - Precondition: the position is in the bounds.
  /// - Complexity: O(log *n*) expected.
  public mutating func move(id: Element.ID, to position: Int) {
    guard let place = index(of: id), place != position else { return }
    let slot = slots[place]
    replaceSubrange(place..<place + 1, with: [])
    replaceSubrange(position..<position, with: [slot])
  }

  /// The elements in a range of positions.
  ///
  /// - Precondition: the range is in the bounds.
  /// - Complexity: O(log *n* + *k*), where *k* is the number of elements in the range.
  public func elements(in range: Range<Int>) -> [Element] {
    slots.elements(in: range).map(\.element)
  }
}

extension KeyedSequence {
  /// Ranges of another version of the sequence with what takes their places here, ascending.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both has and of
  ///   the elements in them; if *k* changes lie between both, that is O(*k* log *n*).
  func changes(since old: KeyedSequence) -> [(old: Range<Int>, new: Range<Int>)] {
    if slots.isIdentical(to: old.slots) { return [] }
    return TreeAlignment(from: old.slots, to: slots).runs.compactMap { run in
      if run.isShared { return nil }
      let before = old.slots.elements(in: run.old)
      let after = slots.elements(in: run.new)
      let (head, tail) = before.countsOfSameEnds(as: after)
      if head == before.count && head == after.count { return nil }
      return (
        run.old.lowerBound + head..<run.old.upperBound - tail,
        run.new.lowerBound + head..<run.new.upperBound - tail
      )
    }
  }
}

extension Array where Element: Equatable {
  /// How many elements at the start are the same in two lists, and how many of the others at the end.
  func countsOfSameEnds(as other: [Element]) -> (head: Int, tail: Int) {
    let shorter = Swift.min(count, other.count)
    var head = 0
    while head < shorter, self[head] == other[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, self[count - 1 - tail] == other[other.count - 1 - tail] {
      tail += 1
    }
    return (head, tail)
  }
}

extension KeyedSequence: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { slots.count }

  /// The element at a position.
  ///
  /// - Precondition: the position is in the bounds.
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element { slots[position].element }

  public func makeIterator() -> Iterator { Iterator(base: slots.makeIterator()) }

  /// Walks the elements in order; an element costs O(1) on average.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Slot>.Iterator

    public mutating func next() -> Element? { base.next()?.element }
  }
}

extension KeyedSequence: Equatable {
  /// Whether the sequences have the same elements in the same order.
  ///
  /// - Complexity: O(1) for two copies, else O(*m*) expected, where *m* is the number of nodes that only
  ///   one of both has and of the elements in them.
  public static func == (left: KeyedSequence, right: KeyedSequence) -> Bool {
    if left.slots.isIdentical(to: right.slots) { return true }
    guard left.count == right.count else { return false }
    return TreeAlignment(from: left.slots, to: right.slots).runs.allSatisfy { run in
      // Ids are unique, so what both share at different places is not opposite to its equal.
      run.old == run.new
        && (run.isShared
          || left.slots.elements(in: run.old) == right.slots.elements(in: run.new))
    }
  }
}

extension KeyedSequence: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension KeyedSequence: Encodable where Element: Encodable {
  /// Encodes an array of the elements in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension KeyedSequence: Decodable where Element: Decodable {
  /// Decodes an array of elements.
  ///
  /// - Throws: `DecodingError` if an element cannot be decoded, or two have one id.
  public init(from decoder: any Decoder) throws {
    let elements = try [Element](from: decoder)
    self.init(elements)
    guard count == elements.count else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "two elements have one id"))
    }
  }
}
