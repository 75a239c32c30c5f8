/// A list of elements with unique ids, whose changed copies share their unchanged parts.
///
/// Use it for long lists in the state of a screen or in a store: a copy takes O(1), a change copies
/// only the path to its element, and the comparison of two versions skips the parts that they
/// share. So ``ForEach`` makes rows only for the elements that changed.
///
///     var posts = KeyedSequence(loaded)
///     posts.append(Post(id: 8, title: "New"))
///     posts[id: 3]?.title = "Edited"
///     posts.remove(id: 5)
///
/// In the complexities below, *n* is the number of elements. The first look-up of an id in a sequence that was made as a
/// whole takes O(*n*) more: it makes the table that finds ids, which all changed copies share.
public struct KeyedSequence<Element: Identifiable & Equatable & Sendable>: Sendable
where Element.ID: Sendable {
  private(set) var base = SlotSequence()

  /// Creates an empty sequence.
  public init() {}

  /// Creates a sequence of elements in their order. If several elements have the same id, the last
  /// one replaces the first one at its position.
  ///
  /// - Complexity: O(*n*) expected.
  public init(_ elements: some Sequence<Element>) {
    var slots: [Slot] = []
    slots.reserveCapacity(elements.underestimatedCount)
    // Looked up once here, and not for each element.
    let entryType = Entry.self
    for element in elements {
      let entry = entryType.init(element)
      slots.append(Slot(entry: entry, idHash: entry.id.hashValue))
    }
    base = SlotSequence(slots)
  }

  /// An id to look up.
  ///
  /// `@unchecked`, because the compiler takes no class with a subclass for `Sendable`. This one and its only subclass
  /// have constants alone, whose types are `Sendable`.
  private class Key: SlotEntry, @unchecked Sendable {
    let id: Element.ID

    init(_ id: Element.ID) { self.id = id }

    /// Each entry of a sequence is a key, so the unchecked cast is as safe as that of ``KeyedSequence/entry(in:)``.
    func hasSameID(as other: any SlotEntry) -> Bool { id == unsafeDowncast(other, to: Key.self).id }

    func isEqual(to other: any SlotEntry) -> Bool { false }
  }

  /// An element, with its id beside it, so that ids are compared without a copy of the elements.
  private final class Entry: Key, @unchecked Sendable {
    let element: Element

    required init(_ element: Element) {
      self.element = element
      super.init(element.id)
    }

    /// The unchecked cast is as safe as that of ``KeyedSequence/entry(in:)``: only sequences with the same element type
    /// are compared.
    override func isEqual(to other: any SlotEntry) -> Bool {
      element == unsafeDowncast(other, to: Entry.self).element
    }
  }

  /// Returns the entry in a slot of this sequence.
  ///
  /// A checked cast would look up the class each time, and so would a function of the class. The unchecked cast is safe:
  /// the slots of a sequence are created only by it, all with entries of this class.
  private static func entry(in slot: Slot) -> Entry { unsafeDowncast(slot.entry, to: Entry.self) }

  private static func slot(_ element: Element) -> Slot {
    let entry = Entry(element)
    return Slot(entry: entry, idHash: entry.id.hashValue)
  }

  /// Returns the element in a slot of this sequence.
  static func element(in slot: Slot) -> Element { entry(in: slot).element }
}

extension KeyedSequence {
  /// Returns the position of the element with an id, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) expected.
  public func index(of id: Element.ID) -> Int? {
    let hash = id.hashValue
    // Only a table needs a key, which is an object of its own.
    guard let leaf = base.slots.singleLeaf else {
      return base.index(of: Slot.ID(slot: Slot(entry: Key(id), idHash: hash)))
    }
    return leaf.firstIndex { $0.idHash == hash && Self.entry(in: $0).id == id }
  }

  /// Returns whether there is an element with an id.
  ///
  /// - Complexity: O(log *n*) expected.
  public func contains(id: Element.ID) -> Bool { index(of: id) != nil }

  /// The element with an id, or `nil` if there is none.
  ///
  /// Setting an element replaces the present one, or appends it if there is none; setting `nil`
  /// removes the present one. If the new element has another id, the element of that id is removed,
  /// so that ids stay unique.
  ///
  /// - Complexity: O(log *n*) expected.
  public subscript(id id: Element.ID) -> Element? {
    get {
      guard let place = index(of: id) else { return nil }
      return self[place]
    }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      if newValue.id != id { remove(id: newValue.id) }
      put(newValue, at: index(of: id))
    }
  }

  /// Puts an element at a position in place of the present one, or at the end if the position is
  /// `nil`.
  private mutating func put(_ element: Element, at position: Int?) {
    let slot = Self.slot(element)
    guard let position else {
      base.replaceSubrange(count..<count, with: [slot])
      return
    }
    // An equal element stays, so that both versions share it.
    if base.slots[position] == slot { return }
    base.replaceSubrange(position..<position + 1, with: [slot])
  }

  /// Replaces the element that has the same id, or appends the element if there is none.
  ///
  /// - Complexity: O(log *n*) expected.
  public mutating func append(_ element: Element) {
    put(element, at: index(of: element.id))
  }

  /// Removes the element that has the same id, if any, and inserts the element at a position among
  /// the others.
  ///
  /// - Precondition: The position is in the bounds of the other elements, or the end of them.
  /// - Complexity: O(log *n*) expected.
  public mutating func insert(_ element: Element, at position: Int) {
    remove(id: element.id)
    base.replaceSubrange(position..<position, with: [Self.slot(element)])
  }

  /// Inserts an element into a sorted sequence, replacing the element that has the same id, at the place of that one
  /// if the sequence stays sorted.
  ///
  ///     posts.insert(post) { $0.date > $1.date }
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - precedes: Returns whether the left element comes before the right one: a strict
  ///     order in which all elements except the one with the same id are sorted.
  /// - Complexity: O(log *n*) expected, with O(log *n*) calls of `precedes`.
  public mutating func insert(
    _ element: Element, by precedes: (_ left: Element, _ right: Element) -> Bool
  ) {
    if let place = index(of: element.id) {
      let isBehindPrevious = place == 0 || !precedes(element, self[place - 1])
      if isBehindPrevious, place == count - 1 || !precedes(self[place + 1], element) {
        put(element, at: place)
        return
      }
      base.replaceSubrange(place..<place + 1, with: [])
    }
    let place = base.slots.partitioningIndex { !precedes(Self.element(in: $0), element) }
    base.replaceSubrange(place..<place, with: [Self.slot(element)])
  }

  /// Removes the element with an id.
  ///
  /// - Returns: The element, or `nil` if there is none.
  /// - Complexity: O(log *n*) expected.
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let place = index(of: id) else { return nil }
    let element = self[place]
    base.replaceSubrange(place..<place + 1, with: [])
    return element
  }

  /// Moves the element with an id to a position of the resulting list. Does nothing if there is no
  /// such element.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*) expected.
  public mutating func move(id: Element.ID, to position: Int) {
    guard let place = index(of: id), place != position else { return }
    let slot = base.slots[place]
    base.replaceSubrange(place..<place + 1, with: [])
    base.replaceSubrange(position..<position, with: [slot])
  }

  /// Returns the elements in a range of positions.
  ///
  /// - Precondition: The range is in the bounds.
  /// - Complexity: O(log *n* + *k*), where *k* is the number of elements in the range.
  public func elements(in range: Range<Int>) -> [Element] {
    base.slots.elements(in: range).map(Self.element)
  }
}

extension KeyedSequence: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { base.slots.count }
  public var count: Int { base.slots.count }
  public var isEmpty: Bool { base.slots.isEmpty }

  /// Returns the element at a position.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element { Self.element(in: base.slots[position]) }

  public func makeIterator() -> Iterator { Iterator(base: base.slots.makeIterator()) }

  /// Returns the results of a closure for all elements, in order.
  ///
  /// - Complexity: O(*n*): from leaf to leaf, and not O(*n* log *n*) as for other collections.
  public func map<Result, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(count)
    for element in self { results.append(try transform(element)) }
    return results
  }

  /// An iterator over the elements in order, with O(1) amortised per element.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Slot>.Iterator

    public mutating func next() -> Element? {
      guard let slot = base.next() else { return nil }
      return KeyedSequence.element(in: slot)
    }
  }
}

extension KeyedSequence: Equatable {
  /// Returns whether the sequences have the same elements in the same order.
  ///
  /// - Complexity: O(1) for two copies, else O(*m*) expected, where *m* is the number of nodes that
  ///   only one of the sequences has and of the elements in these nodes.
  public static func == (left: KeyedSequence, right: KeyedSequence) -> Bool {
    left.base == right.base
  }
}

extension KeyedSequence: ExpressibleByArrayLiteral {
  /// Creates a sequence from an array literal, as ``init(_:)`` does.
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
  /// - Throws: `DecodingError` if an element cannot be decoded, or if two elements have the same
  ///   id.
  public init(from decoder: any Decoder) throws {
    let elements = try [Element](from: decoder)
    self.init(elements)
    guard count == elements.count else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "two elements have one id"))
    }
  }
}
