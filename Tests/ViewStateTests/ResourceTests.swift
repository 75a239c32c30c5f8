import CanonicalJSON
import Testing

@testable import ViewState

/// A book with a field of each sort: with another name, optional, and written by the server alone.
struct Book: Resource, Hashable {
  let id: ResourceID
  var title: Text = ""
  var pages: Int?
  var author: ResourceID?

  init(id: ResourceID) { self.id = id }

  static let fields = [
    Field("title", \Book.title, .text(atMostBytes: 10), aliases: ["name"]),
    Field("pages", \.pages), Field("author", \.author),
    Field("isLong") { ($0.pages ?? 0) > 500 },
  ]
}

/// A resource with two other names for one member.
private struct Song: Resource {
  let id: ResourceID
  var title: Text = ""
  init(id: ResourceID) { self.id = id }
  static let fields = [Field("title", \Song.title, aliases: ["name", "label"])]
}

@Suite("A resource described by its fields")
struct ResourceTests {
  @Test(
    "takes from a patch the first name of a member that is not null, as from a body",
    arguments: [
      (["label": "c", "name": "b"], "b"), (["label": "c", "name": "b", "title": "a"], "a"),
      (["label": "c", "name": nil], "c"), (["label": "c", "title": nil], "c"),
      (["label": nil], nil), (["label": "c", "other": 1], "c"),
    ] as [(JSONValue, JSONValue)])
  func names(patch: JSONValue, title: JSONValue) throws {
    let patched = JSONReader(Song.withOwnNames(patch))
    #expect(try patched.member("title").value == title)
    #expect(try patched.memberNames.allSatisfy { ["title", "other"].contains($0) })
    if title != nil {
      #expect(try Song(JSONReader(patch), assigned: 1).title == patched.member("title").string())
    }
    #expect(Song.withOwnNames(["other": nil]) == ["other": nil] && Song.withOwnNames(5) == 5)
  }

  /// A resource whose bodies may have no other members than those that it is shown with.
  private struct Ticket: Resource {
    static let refusesUnknownMembers = true
    let id: ResourceID
    var price: Int = 0
    init(id: ResourceID) { self.id = id }
    static let fields = [Field("price", \Ticket.price), Field("isFree") { $0.price == 0 }]
  }

  @Test("takes what it is shown as, by its schema too, if it refuses unknown members")
  func shownMembers() throws {
    let properties = try JSONReader(Ticket.inputSchema).member("properties")
    #expect(try properties.memberNames == ["id", "isFree", "price"])
    #expect(try properties.member("isFree").member("readOnly").bool())
    let shown = Ticket(id: 1).json
    #expect(try Ticket(JSONReader(shown)).json == shown)
    #expect(throws: JSONShapeError.self) {
      try Ticket(JSONReader(shown.mergePatched(with: ["other": 1])))
    }
  }

  @Test("is read from a body, with other names, and written with its own")
  func coding() throws {
    let noted = UnknownMembers()
    let body: JSONValue = ["id": 1, "name": "Knots", "pages": nil, "author": "x", "colour": 1]
    let book = try Book(JSONReader(body, noting: noted))
    let json: JSONValue = ["id": 1, "title": "Knots", "author": "x", "isLong": false]
    #expect(book.json == json)
    #expect(noted.description == "/colour")
    #expect(try JSONValue(encoding: book) == json)
    #expect(try JSONReader(json).decode(Book.self) == book)
    #expect(try Book(JSONReader(["title": "A", "name": "B"]), assigned: "7").title == "A")
    #expect(book.byteCount == "1".utf8.count + "Knots".utf8.count + "x".utf8.count)
  }

  @Test(
    "is refused with the place of what is wrong",
    arguments: [
      (["id": 1], "", #"expected a member "title" or "name""#), (["title": "T"], "/id", "missing"),
      (["id": -1, "title": "T"], "/id", "expected an id"),
      (["id": 1, "name": 5], "/name", "expected a string"),
      (["id": 1, "title": "12345678901"], "/title", "at most 10 bytes"),
      (["id": 1, "title": "T", "pages": "5"], "/pages", "expected an integer"), (5, "", "object"),
    ] as [(JSONValue, String, String)])
  func refusals(body: JSONValue, place: String, message: String) throws {
    let error = try #require(throws: JSONShapeError.self) { try Book(JSONReader(body)) }
    #expect(error.pointer.description == place)
    #expect(error.message.contains(message), "\(error)")
  }

  @Test("has one schema for what is written and another one for what is read")
  func schemas() throws {
    let written = JSONReader(Book.schema)
    #expect(try written.member("required").value == ["id", "title", "isLong"])
    #expect(
      try written.member("properties").memberNames == ["author", "id", "isLong", "pages", "title"])
    let read = JSONReader(Book.inputSchema)
    #expect(try read.optionalMember("required") == nil)
    #expect(
      try read.member("properties").memberNames == ["author", "id", "name", "pages", "title"])
    #expect(
      try read.member("not").value
        == ["properties": ["title": ["type": "null"], "name": ["type": "null"]]])
    #expect(
      try read.member("properties").member("pages").member("type").value == ["integer", "null"])
  }
}
