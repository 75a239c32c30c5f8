import CanonicalJSON
import Testing

@testable import ViewState

@Suite("The ledger of the ids of resources")
struct IDLedgerTests {
  @Test("searches no free number for a body with an id, and each number once for others")
  func searches() throws {
    var (ids, searched) = (IDLedger(), 0)
    ids.use(ResourceID(JSONValue.interoperableIntegers.upperBound))
    var used: Set<ResourceID> = []
    func free(_ body: JSONValue) -> ResourceID? {
      ids.free(for: JSONReader(body)) { id in
        searched += 1
        return used.contains(id)
      }
    }
    for _ in 0..<1_000 {
      #expect(free(["id": 5]) == nil)
      let id = try #require(free(["id": nil]))
      used.insert(id)
      ids.give(id)
    }
    #expect(used.count == 1_000 && searched < 3_000)
  }

  @Test("gives the least released number without a search, and goes on where the last search ended")
  func released() throws {
    var (ids, searched) = (IDLedger(), 0)
    ids.use(ResourceID(JSONValue.interoperableIntegers.upperBound))
    var used: Set<ResourceID> = []
    func create() -> ResourceID {
      let id = ids.free { id in
        searched += 1
        return used.contains(id)
      }
      used.insert(id)
      ids.give(id)
      return id
    }
    for _ in 1...1_000 { _ = create() }
    for round in 1...1_000 {
      for id: ResourceID in [10, 7] {
        used.remove(id)
        ids.delete(id, remembering: 0)
      }
      ids = try JSONReader(JSONValue(encoding: ids)).decode(IDLedger.self)
      let given = [create(), create(), create()]
      #expect(given == [7, 10, ResourceID(1_000 + round)])
    }
    #expect(searched < 5_000)
  }

  @Test("searches no free number for a resource that a full list refuses")
  func refused() throws {
    var (list, ids, ledger, askedCount) = (ResourceList<Note>(), IDLedger(), WriteLedger(), 0)
    func create(_ body: JSONValue, limit: Int) throws {
      let rules = ListRules<Note>(
        missing: { MissingElement("note") }, limits: CollectionLimits(count: limit),
        isInUseElsewhere: { id in
          askedCount += 1
          return Int(id.text.string).map { $0 <= 1_000 } ?? false
        })
      _ = try list.apply(.create(body), &ids, &ledger, rules)
    }
    let greatest = JSONValue.interoperableIntegers.upperBound
    try create(["id": .integer(greatest), "text": "a"], limit: 1)
    #expect(throws: StoreError.full) { try create(["text": "b"], limit: 1) }
    #expect(throws: StoreError.duplicateID(ResourceID(greatest))) {
      try create(["id": .integer(greatest), "text": "b"], limit: 1)
    }
    #expect(askedCount < 10)
    try create(["text": "b"], limit: 2)
    #expect(list.elements.map(\.id) == [ResourceID(greatest), 1_001])
  }

  @Test("remembers so many deleted ids, and one that was used again from its last deletion on")
  func deleted() {
    var ids = IDLedger()
    for id: ResourceID in [1, 2, 1, 3] {
      ids.use(id)
      #expect(!ids.isDeleted(id))
      ids.delete(id, remembering: 2)
    }
    #expect([1, 2, 3].map { ids.isDeleted($0) } == [true, false, true])
  }

  @Test("gives a number again that was deleted so long ago that it is forgotten")
  func forgotten() {
    var ids = IDLedger()
    ids.use(ResourceID(JSONValue.interoperableIntegers.upperBound))
    for id: ResourceID in [1, 2, 3] { ids.give(id) }
    for id: ResourceID in [2, 3] { ids.delete(id, remembering: 1) }
    #expect(ids.free { $0 == 1 } == 2)
  }

  @Test("counts a text as a number only if it is written like one that JSON carries exactly")
  func texts() {
    var ids = IDLedger()
    for text: Text in ["007", "+7", "1.0", "9007199254740993"] {
      ids.use(ResourceID(named: text))
      #expect(ids.free { _ in false } == 1, "\(text)")
    }
    ids.use("7")
    #expect(ids.free { _ in false } == 8)
  }

  @Test("gives no number below 1, although such a one is forgotten")
  func negative() {
    var ids = IDLedger()
    ids.use(ResourceID(JSONValue.interoperableIntegers.upperBound))
    ids.use(-3)
    ids.delete(-3, remembering: 0)
    #expect(ids.free { _ in false } == 1)
  }

  @Test("gives the least number that is forgotten, although a greater one was given meanwhile")
  func leastForgotten() {
    var ids = IDLedger()
    ids.use(ResourceID(JSONValue.interoperableIntegers.upperBound))
    for id: ResourceID in [1, 2] { ids.give(id) }
    ids.delete(1, remembering: 1)
    #expect(ids.free { $0 == 2 } == 3)
    ids.give(3)
    ids.delete(3, remembering: 1)
    #expect(ids.free { $0 == 2 } == 1)
  }
}
