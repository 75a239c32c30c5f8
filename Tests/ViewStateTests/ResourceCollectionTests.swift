import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A resource with a number that is computed.
private struct Order: Resource {
  let id: ResourceID
  var price = 0
  var count = 0
  var total: Int { price * count }

  init(id: ResourceID) { self.id = id }

  init(id: ResourceID, price: Int, _ count: Int) {
    self.init(id: id)
    (self.price, self.count) = (price, count)
  }

  static let fields = [
    Field("price", \Order.price), Field("count", \.count), Field("total") { $0.total },
  ]
}

/// A resource with limits.
private struct Portions: Resource {
  let id: ResourceID
  var left = 0
  var note: Text?

  init(id: ResourceID) { self.id = id }

  static let fields = [
    Field("left", \Portions.left, .integer(0...9)), Field("note", \.note, .optional(.text(1...3))),
  ]
}

@Suite("A collection of resources")
struct ResourceCollectionTests {
  private typealias Books = ResourceCollection<Book>

  private static func read(
    _ array: JSONValue, limits: CollectionLimits = CollectionLimits()
  ) throws -> Books {
    try Books("book", limits: limits, reading: JSONReader(array))
  }

  private static let time = Timestamp(secondsSince1970: 0)

  @Test("gives elements without an id the numbers above all others, in their order")
  func assignedIDs() throws {
    let books = try Self.read([
      ["title": "A"], ["id": 4, "title": "B"], ["id": "x", "title": "C"],
      ["id": nil, "title": "D"],
    ])
    #expect(books.elements.map(\.id) == ["5", "4", "x", "6"])
  }

  @Test("gives the greatest number that JSON carries, and then the least free ones")
  func exhaustedIDs() throws {
    let greatest = JSONValue.interoperableIntegers.upperBound
    let books = try Self.read([
      ["id": .integer(greatest - 1), "title": "A"], ["id": 2, "title": "B"], ["title": "C"],
      ["title": "D"], ["title": "E"],
    ])
    #expect(books.elements.map(\.id) == [greatest - 1, 2, greatest, 1, 3].map { ResourceID($0) })
  }

  @Test("refuses a resource of which a field computes a number that JSON cannot represent")
  func unwritableNumbers() throws {
    let greatest = JSONValue.interoperableIntegers.upperBound
    var orders = ResourceCollection<Order>("order")
    let order = try orders.apply(.create(["price": .integer(greatest), "count": 1]), at: Self.time)
    #expect(order.output.resource.total == greatest)
    for write: ResourceCollection<Order>.Write in [
      .create(["price": .integer(greatest), "count": 2]),
      .replace(Order(id: 1, price: greatest, 2)),
    ] {
      let error = try #require(throws: StoreError.self) {
        try orders.apply(write, at: Self.time)
      }
      guard case .malformed(let error) = error else { throw error }
      #expect(error.message.contains(#""total""#))
    }
    #expect(orders.version == 1 && orders.elements.count == 1)
    #expect(throws: JSONShapeError.self) {
      try ResourceCollection<Order>(
        "order", reading: JSONReader([["price": .integer(greatest), "count": 2]]))
    }
  }

  @Test("refuses a value that no body has and that a journal could not read again")
  func valuesBeyondLimits() throws {
    var all = try ResourceCollection<Portions>("portion", reading: JSONReader([["left": 3]]))
    func put(_ left: Int, _ note: Text?) throws {
      var portions = Portions(id: 1)
      (portions.left, portions.note) = (left, note)
      _ = try all.apply(.replace(portions), at: Self.time)
    }
    for (left, note, pointer) in [(-1, nil, "/left"), (3, "long", "/note"), (3, "", "/note")]
      as [(Int, Text?, String)]
    {
      let error = try #require(throws: StoreError.self) { try put(left, note) }
      guard case .malformed(let error) = error else { throw error }
      #expect(error.pointer.description == pointer)
    }
    try put(9, "abc")
    #expect(try JSONValue(encoding: all).decode(ResourceCollection<Portions>.self) == all)
  }

  @Test("gives the least free number after the greatest, whatever was created and deleted")
  func leastNumbers() throws {
    let greatest = JSONValue.interoperableIntegers.upperBound
    try withSeeds(3) { random in
      var books = try Self.read([["id": .integer(greatest), "title": "A"]])
      var (used, deleted): (Set<Int>, Set<Int>) = ([], [])
      for step in 0..<100 {
        let number = random.number(in: 1...30)
        if random.chance(0.4), used.remove(number) != nil {
          // Whoever has the address of what was deleted must not be led to something else.
          deleted.insert(number)
          _ = try books.apply(.delete(ResourceID(number)), at: Self.time)
        } else if random.chance(0.2), used.insert(number).inserted {
          deleted.remove(number)
          _ = try books.apply(.create(["id": .integer(number), "title": "B"]), at: Self.time)
        } else {
          let least = (1...).first { !used.contains($0) && !deleted.contains($0) } ?? 0
          let book = try books.apply(.create(["title": "C"]), at: Self.time).output.resource
          try require(book.id == ResourceID(least), "step \(step): \(book.id), not \(least)")
          used.insert(least)
        }
      }
    }
  }

  @Test("is refused with the place of the first fault")
  func faults() throws {
    for (array, limits, place) in [
      ([["id": 1, "title": "A"], ["id": "1", "title": "B"]], CollectionLimits(), "/1/id"),
      ([["id": 1, "title": "A"], ["title": 1]], CollectionLimits(), "/1/title"),
      ([["title": "A"], ["title": "B"]], CollectionLimits(count: 1), "/1"),
      ([["title": "A"], ["title": "B"]], CollectionLimits(byteCount: 3), "/1"),
    ] as [(JSONValue, CollectionLimits, String)] {
      let error = try #require(throws: JSONShapeError.self) {
        try Self.read(array, limits: limits)
      }
      #expect(error.pointer.description == place)
    }
  }

  @Test("that takes more than its limit, as a later version counts it, lets elements shrink and go")
  func outgrown() throws {
    var books = try Self.read([["id": 1, "title": "Long"], ["id": 2, "title": "B"]])
    books.limits = CollectionLimits(byteCount: 1)
    for title: JSONValue in ["Longer", "Long!"] {
      let book = try Book(JSONReader(["id": 1, "title": title]), assigned: nil)
      #expect(throws: StoreError.full) { try books.apply(.replace(book), at: Self.time) }
    }
    #expect(throws: StoreError.full) { try books.apply(.create(["title": "C"]), at: Self.time) }
    let shorter = try Book(JSONReader(["id": 1, "title": "Lo"]), assigned: nil)
    _ = try books.apply(.replace(shorter), at: Self.time)
    _ = try books.apply(.delete("2"), at: Self.time)
    #expect(books.elements.map(\.title) == ["Lo"])
  }

  /// What a collection must be, in the simplest words.
  private struct Model {
    var books: [(book: Book, version: Int)] = []
    var version = 0
    var greatest = 0
    var deleted: Set<ResourceID> = []
  }

  @Test("does what a list does, for random writes")
  func histories() throws {
    let limits = CollectionLimits(count: 6, byteCount: 40)
    try withSeeds(2) { random in
      var (books, model) = (Books("book", limits: limits), Model())
      for step in 0..<300 {
        let write = Self.write(&random, version: model.version)
        let (before, place) = (try JSONValue(encoding: books), "step \(step): \(write)")
        let refusal = Self.apply(write, to: &model, limits)
        let given: StoreError?
        do throws(StoreError) {
          _ = try books.apply(write, at: Self.time)
          given = nil
        } catch {
          given = error
        }
        try require(given == refusal, "\(place) is refused: \(String(describing: given))")
        if given != nil {
          try require(JSONValue(encoding: books) == before, "\(place) changes something")
        }
        try Self.compare(books, model, place)
        let encoded = try JSONValue(encoding: books)
        books = try JSONReader(encoded).decode(Books.self)
        try require(JSONValue(encoding: books) == encoded, "\(place): coding")
      }
    }
  }

  private static func write(_ random: inout SeededGenerator, version: Int) -> Books.Write {
    let number = random.number(in: 1...9)
    var book = Book(id: ResourceID(number))
    book.title = Text(String(repeating: "t", count: random.number(in: 0...10)))
    let expected = random.number(in: 0...1) == 0 ? nil : random.number(in: 0...version)
    let anchor = ResourceID(random.number(in: 1...9))
    let place: Placement = random.chance(0.5) ? .before(anchor) : .after(anchor)
    switch random.number(in: 0...7) {
    case 0: return .create(["title": .string(book.title)])
    case 6: return .create(["title": .string(book.title)], at: place)
    case 7: return .move(book.id, place)
    case 4:
      let body: JSONValue = ["title": .string(book.title)]
      let kinds: [ResourceChange.Kind] = [.patch(body), .replace(body), .delete]
      return .change(
        book.id, ResourceChange(random.pick(kinds), if: .oneOf(expected.map { [$0] } ?? [])))
    case 5:
      let condition = VersionCondition.noneOf(expected.map { [$0] } ?? [])
      return .change(book.id, ResourceChange(.patch(["name": .string(book.title)]), if: condition))
    case 1:
      let condition: VersionCondition? =
        random.chance(0.5) ? nil : .oneOf(expected.map { [$0, version] } ?? [])
      return .create(["id": .integer(number), "title": .string(book.title)], if: condition)
    case 2: return .replace(book)
    default: return .delete(ResourceID(number))
    }
  }

  private static func compare(_ books: Books, _ model: Model, _ place: String) throws {
    try require(books.elements.map { $0 } == model.books.map(\.book), "\(place): elements")
    try require(books.version == model.version, "\(place): version")
    let page = books.page(CollectionRange(limit: 1))
    try require(page?.version == model.version, "\(place): version of a page")
    for (book, version) in model.books {
      try require(books.element(book.id).version == version, "\(place): version of \(book.id)")
    }
    for id in (1...9).map({ ResourceID($0) }) where books.elements[id: id] == nil {
      do throws(ScreenLookupError) {
        _ = try books.element(for: id.text)
      } catch {
        let expected: ScreenLookupError = model.deleted.contains(id) ? .deletedKey : .unknownKey
        try require(error == expected, "\(place): \(id) is \(error)")
      }
    }
  }

  private static func position(
    _ place: Placement, _ books: [(book: Book, version: Int)]
  ) throws(StoreError) -> Int {
    guard let anchor = books.firstIndex(where: { $0.book.id == place.anchor }) else {
      throw refused(place, "there is no element \(place.anchor)")
    }
    return place == .before(place.anchor) ? anchor : anchor + 1
  }

  private static func refused(_ place: Placement, _ message: String) -> StoreError {
    .malformed(JSONShapeError(pointer: JSONPointer(tokens: [place.argument]), message: message))
  }

  private static func allows(_ condition: VersionCondition, _ version: Int) -> Bool {
    switch condition {
    case .oneOf(let versions): versions.contains(version)
    case .noneOf(let versions): !versions.contains(version)
    }
  }

  /// - Returns: Why the write is refused; `nil` if it is done.
  private static func apply(
    _ write: Books.Write, to model: inout Model, _ limits: CollectionLimits
  ) -> StoreError? {
    let bytes = model.books.reduce(0) { $0 + $1.book.byteCount }
    switch write {
    case .create(let body, let place, let condition):
      if let condition, !allows(condition, model.version) { return .changedMeanwhile }
      let index: Int?
      do throws(StoreError) {
        index = try place.map { place throws(StoreError) in try position(place, model.books) }
      } catch {
        return error
      }
      let assigned = ResourceID(model.greatest + 1)
      guard let book = try? Book(JSONReader(body), assigned: assigned) else {
        return .missing(MissingElement("body that a test can read"))
      }
      if model.books.contains(where: { $0.book.id == book.id }) { return .duplicateID(book.id) }
      if model.books.count == limits.count { return .full }
      if bytes + book.byteCount > limits.byteCount { return .full }
      model.version += 1
      model.books.insert((book, model.version), at: index ?? model.books.count)
      model.greatest = max(model.greatest, Int(book.id.text.string) ?? 0)
      model.deleted.remove(book.id)
    case .move(let id, let place):
      guard let index = model.books.firstIndex(where: { $0.book.id == id }) else {
        return .missing(MissingElement("book"))
      }
      if place.anchor == id { return refused(place, "\(id) cannot go before or after itself") }
      var others = model.books
      let moved = others.remove(at: index)
      do throws(StoreError) {
        others.insert(moved, at: try position(place, others))
      } catch {
        return error
      }
      if others.map(\.book) == model.books.map(\.book) { return nil }
      model.books = others
      model.version += 1
    case .change(let id, let change):
      guard let old = model.books.first(where: { $0.book.id == id }) else {
        return .missing(MissingElement("book"))
      }
      guard allows(change.condition, old.version) else { return .changedMeanwhile }
      switch change.kind {
      case .delete: return apply(.delete(id), to: &model, limits)
      case .patch(let body), .replace(let body):
        guard let book = try? Book(JSONReader(body), assigned: id) else {
          return .missing(MissingElement("body that a test can read"))
        }
        return apply(.replace(book), to: &model, limits)
      }
    case .replace(let book):
      guard let index = model.books.firstIndex(where: { $0.book.id == book.id }) else {
        return .missing(MissingElement("book"))
      }
      let old = model.books[index]
      if old.book == book { return nil }
      if bytes + book.byteCount - old.book.byteCount > limits.byteCount { return .full }
      model.version += 1
      model.books[index] = (book, model.version)
    case .delete(let id):
      guard let index = model.books.firstIndex(where: { $0.book.id == id }) else {
        return .missing(MissingElement("book"))
      }
      model.version += 1
      model.books.remove(at: index)
      model.deleted.insert(id)
    }
    return nil
  }
}
