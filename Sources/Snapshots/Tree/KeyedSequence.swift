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
/// In the complexities below, *n* is the number of elements.
public struct KeyedSequence<Element: Identifiable & Equatable & Sendable>: Sendable
where Element.ID: Sendable {
  private(set) var base = SlotSequence()

  /// The sequence without elements.
  public init() {}

  /// The elements in their order. If several have one id, the last one takes the place of the first.
  ///
  /// - Complexity: O(*n*) expected.
  public init(_ elements: some Sequence<Element>) {
    base = SlotSequence(elements.map(Self.slot))
  }

  /// An element, or an id that is looked for.
  private final class Entry: SlotEntry {
    enum Content {
      case element(Element)
      case id(Element.ID)
    }

    let content: Content

    init(_ content: Content) {
      self.content = content
    }

    var id: Element.ID {
      switch content {
      case .element(let element): element.id
      case .id(let id): id
      }
    }

    func hasSameID(as other: any SlotEntry) -> Bool { id == Entry.of(other).id }

    func isEqual(to other: any SlotEntry) -> Bool {
      guard case .element(let element) = content,
        case .element(let otherElement) = Entry.of(other).content
      else { return false }
      return element == otherElement
    }

    /// Casts an entry to the type of this sequence, which is the only one that makes it.
    ///
    /// A cast that is checked would look up the class each time. The slots of a sequence are made in
    /// ``KeyedSequence/slot(_:)`` and ``KeyedSequence/id(_:)``, out of this class alone, and only
    /// sequences of one type of elements are compared.
    static func of(_ entry: any SlotEntry) -> Entry { unsafeDowncast(entry, to: Entry.self) }
  }

  private static func slot(_ element: Element) -> Slot {
    Slot(Entry(.element(element)), idHash: element.id.hashValue)
  }

  private static func id(_ id: Element.ID) -> Slot.ID {
    Slot.ID(slot: Slot(Entry(.id(id)), idHash: id.hashValue))
  }

  /// The element in a slot of this sequence.
  static func element(in slot: Slot) -> Element {
    guard case .element(let element) = Entry.of(slot.entry).content else {
      preconditionFailure("an id to look for is in no sequence")
    }
    return element
  }
}

extension KeyedSequence {
  /// The position of the element with an id; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) expected.
  public func index(of id: Element.ID) -> Int? { base.index(of: Self.id(id)) }

  /// Whether there is an element with an id.
  ///
  /// - Complexity: O(1) expected.
  public func contains(id: Element.ID) -> Bool { base.contains(Self.id(id)) }

  /// The element with an id; `nil` if there is none.
  ///
  /// A new value takes the place of the element, or goes to the end if there is none; `nil` removes the
  /// element. If the new value has another id, the element of that id goes, so that ids stay unique.
  ///
  /// - Complexity: O(log *n*) expected.
  public subscript(id id: Element.ID) -> Element? {
    get { index(of: id).map { self[$0] } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      if newValue.id != id { remove(id: newValue.id) }
      put(newValue, at: index(of: id))
    }
  }

  /// Puts an element in the place of another one, or at the end.
  private mutating func put(_ element: Element, at position: Int?) {
    let slot = Self.slot(element)
    guard let position else {
      base.replaceSubrange(count..<count, with: [slot])
      return
    }
    // What is equal stays, so that it is shared.
    if base.slots[position] == slot { return }
    base.replaceSubrange(position..<position + 1, with: [slot])
  }

  /// Puts an element in the place of the one with its id, or at the end if there is none.
  ///
  /// - Complexity: O(log *n*) expected.
  public mutating func append(_ element: Element) {
    put(element, at: index(of: element.id))
  }

  /// Puts an element at a position, counted without the one with its id, which it replaces.
  ///
  /// - Precondition: the position is one of the elements other than the one with the id, or the end of them.
  /// - Complexity: O(log *n*) expected.
  public mutating func insert(_ element: Element, at position: Int) {
    remove(id: element.id)
    base.replaceSubrange(position..<position, with: [Self.slot(element)])
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
  /// - Returns: the element; `nil` if there is none.
  /// - Complexity: O(log *n*) expected.
  @discardableResult
  public mutating func remove(id: Element.ID) -> Element? {
    guard let place = index(of: id) else { return nil }
    let element = self[place]
    base.replaceSubrange(place..<place + 1, with: [])
    return element
  }

  /// Moves the element with an id, if there is one, to a position of the result.
  ///
  /// - Precondition: the position is in the bounds.
  /// - Complexity: O(log *n*) expected.
  public mutating func move(id: Element.ID, to position: Int) {
    guard let place = index(of: id), place != position else { return }
    let slot = base.slots[place]
    base.replaceSubrange(place..<place + 1, with: [])
    base.replaceSubrange(position..<position, with: [slot])
  }

  /// The elements in a range of positions.
  ///
  /// - Precondition: the range is in the bounds.
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

  /// The element at a position.
  ///
  /// - Precondition: the position is in the bounds.
  /// - Complexity: O(log *n*).
  public subscript(position: Int) -> Element { Self.element(in: base.slots[position]) }

  public func makeIterator() -> Iterator { Iterator(base: base.slots.makeIterator()) }

  /// Walks the elements in order; an element costs O(1) on average.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Slot>.Iterator

    public mutating func next() -> Element? { base.next().map(KeyedSequence.element) }
  }
}

extension KeyedSequence: Equatable {
  /// Whether the sequences have the same elements in the same order.
  ///
  /// - Complexity: O(1) for two copies, else O(*m*) expected, where *m* is the number of nodes that only
  ///   one of both has and of the elements in them.
  public static func == (left: KeyedSequence, right: KeyedSequence) -> Bool {
    left.base == right.base
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
