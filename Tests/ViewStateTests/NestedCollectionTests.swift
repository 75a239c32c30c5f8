import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A note with comments, of which each names its note, so that their ids are unique over all notes.
struct Note: Resource {
  let id: ResourceID
  var text: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("text", \Note.text)]
}

private struct Comment: ChildResource {
  typealias Parent = Note
  static let nouns: (parent: Text, child: Text) = ("note", "comment")
  static let arrays: (parents: Text, children: Text) = ("notes", "comments")
  static let parentMember: Text? = "noteId"
  static let fields = [
    Field("noteId", \Comment.note), Field("text", \.text), Field("rank", \.rank),
  ]

  let id: ResourceID
  var note: ResourceID
  var text: Text = ""
  var rank = 0

  init(id: ResourceID) { (self.id, note) = (id, id) }

  /// By rank; those of one rank in the order of their creation.
  static func precedes(_ left: Created<Comment>, _ right: Created<Comment>) -> Bool {
    (left.resource.rank, left.number) < (right.resource.rank, right.number)
  }
}

/// A label of a note, of which two notes may have one of the same id. There is no list before the first.
struct Label: ChildResource {
  typealias Parent = Note
  static let nouns: (parent: Text, child: Text) = ("note", "label")
  static let arrays: (parents: Text, children: Text) = ("notes", "labels")
  static let missingList: MissingElement? = MissingElement("labels", of: "note")
  static let fields = [Field("text", \Label.text)]

  let id: ResourceID
  var text: Text = ""

  init(id: ResourceID) { self.id = id }
}

/// A pie and its shares, of which a number follows that JSON does not carry if there are no parts.
private struct Pie: Resource {
  let id: ResourceID
  var parts = 0

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("parts", \Pie.parts), Field("size") { 1 / Double($0.parts) }]
}

private struct Share: ChildResource {
  typealias Parent = Pie
  static let nouns: (parent: Text, child: Text) = ("pie", "share")
  static let arrays: (parents: Text, children: Text) = ("pies", "shares")
  static let fields = [Field("parts", \Share.parts), Field("size") { 1 / Double($0.parts) }]

  let id: ResourceID
  var parts = 0

  init(id: ResourceID) { self.id = id }
}

@Suite("A collection of parents with children")
struct NestedCollectionTests {
  private typealias Notes = NestedCollection<Comment>
  private typealias Labels = NestedCollection<Label>

  private static let time = Timestamp(secondsSince1970: 0)

  private static func ids(_ notes: Notes, _ parent: ResourceID) -> [Text] {
    (notes.children(of: parent) ?? []).map(\.id.text)
  }

  private static let file: JSONValue = [
    "notes": [["id": 1, "text": "A"], ["id": "b", "text": "B"]],
    "comments": [
      ["id": 3, "noteId": "1", "text": "c", "rank": 2],
      ["id": 4, "noteId": 1, "text": "d", "rank": 1],
    ],
  ]

  @Test("reads one array of all children, or one of each parent")
  func reading() throws {
    var notes = try Notes(reading: JSONReader(Self.file))
    #expect(Self.ids(notes, 1) == ["4", "3"] && notes.children(of: "b") == [])
    #expect(notes.children(of: 2) == nil)
    #expect(throws: StoreError.duplicateID(3)) {
      let comment: JSONValue = ["id": 3, "text": "", "rank": 0]
      _ = try notes.apply(.child(.create(comment), of: "b"), at: Self.time)
    }
    let labels = try Labels(
      reading: JSONReader([
        "notes": [
          ["id": 1, "text": "A", "labels": [["id": 7, "text": "x"]]],
          ["id": 2, "text": "B", "labels": [["id": 7, "text": "y"]]], ["id": 3, "text": "C"],
        ]
      ]))
    #expect(try labels.child(7, of: 2).resource.text == "y")
    #expect(labels.children(of: 3) == nil)
    #expect(throws: StoreError.missing(MissingElement("labels", of: "note"))) {
      try labels.children(CollectionRange(limit: 1), of: 3)
    }
  }

  @Test(
    "refuses a file with the place of its first fault",
    arguments: [
      (#"{"notes":[{"id":1,"text":"A"},{"id":"1","text":"B"}]}"#, "/notes/1/id"),
      (#"{"notes":[],"comments":[{"id":1,"noteId":1,"text":"","rank":0}]}"#, "/comments/0/noteId"),
      (
        #"{"notes":[{"id":1,"text":"A"}],"comments":[{"id":1,"text":"","rank":0}]}"#,
        "/comments/0/noteId"
      ),
      (
        #"{"notes":[{"id":1,"text":"A"}],"comments":[{"id":1,"noteId":1,"text":"","rank":0},{"id":1,"noteId":1,"text":"","rank":0}]}"#,
        "/comments/1/id"
      ),
    ])
  func refusedFile(text: String, place: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let error = try #require(throws: JSONShapeError.self) { try Notes(reading: JSONReader(json)) }
    #expect(error.pointer.description == place)
  }

  @Test(
    "refuses a file with a resource of which a number follows that JSON does not carry",
    arguments: [
      (#"{"pies":[{"id":1,"parts":2},{"id":2,"parts":0}]}"#, "/pies/1"),
      (#"{"pies":[{"id":1,"parts":2,"shares":[{"id":1,"parts":0}]}]}"#, "/pies/0/shares/0"),
    ])
  func unwritable(text: String, place: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    let error = try #require(throws: JSONShapeError.self) {
      try NestedCollection<Share>(reading: JSONReader(json))
    }
    #expect(error.pointer.description == place)
  }

  @Test("is empty if the application has no data file")
  func noFile() throws { #expect(try Notes(reading: nil).parents.isEmpty) }

  @Test("gives the least free id, also that of a deleted child, after the greatest number of all")
  func exhaustedIDs() throws {
    var notes = try Notes(reading: JSONReader(Self.file))
    func create(_ body: [Text: JSONValue]) throws {
      let body = body.merging(["text": "", "rank": 3]) { $1 }
      _ = try notes.apply(.child(.create(.object(body)), of: "b"), at: Self.time)
    }
    try create(["id": .integer(JSONValue.interoperableIntegers.upperBound)])
    try create([:])
    try create([:])
    _ = try notes.apply(.child(.delete(1), of: "b"), at: Self.time)
    try create([:])
    try create([:])
    #expect(Self.ids(notes, "b").dropFirst() == ["2", "1", "5"])
    _ = try notes.apply(.parent(.delete(1)), at: Self.time)
    try create([:])
    #expect(Self.ids(notes, "b").last == "3")
  }

  @Test("takes the parent of a child from the path, and refuses a body that names another one")
  func parent() throws {
    var notes = try Notes(reading: JSONReader(Self.file))
    for body in [["text": "n", "rank": 0], ["text": "n", "rank": 0, "noteId": "1"]] as [JSONValue] {
      let written = try notes.apply(.child(.create(body), of: "1"), at: Self.time).output
      guard case .child(let child) = written else { throw Missing() }
      #expect(
        child.resource.json == ["id": child.resource.id.json, "noteId": 1, "text": "n", "rank": 0])
    }
    let error = JSONShapeError(
      pointer: JSONPointer(tokens: ["noteId"]), message: "expected the id of the note in the path")
    #expect(throws: StoreError.malformed(error)) {
      try notes.apply(
        .child(.create(["text": "n", "rank": 0, "noteId": "b"]), of: 1), at: Self.time)
    }
    // A patch keeps the parent as the child has it.
    let patch = ResourceChange(.patch(["text": "new"]))
    _ = try notes.apply(.child(.change(3, patch), of: 1), at: Self.time)
    #expect(
      try notes.child(3, of: 1).resource.json == [
        "id": 3, "noteId": "1", "text": "new", "rank": 2,
      ])
  }

  @Test("refuses what is beyond its limits, and makes room if a parent is deleted")
  func limits() throws {
    var notes = Notes(limits: CollectionLimits(count: 1, byteCount: 12, childCount: 2))
    func write(_ write: Notes.Write) throws { _ = try notes.apply(write, at: Self.time) }
    let comment: JSONValue = ["id": 5, "text": "12345", "rank": 0]
    try write(.parent(.create(["text": "A"])))
    #expect(throws: StoreError.full) { try write(.parent(.create(["text": "B"]))) }
    try write(.child(.create(comment), of: 1))
    #expect(throws: StoreError.duplicateID(5)) { try write(.child(.create(comment), of: 1)) }
    try write(.child(.create(["text": "", "rank": 0]), of: 1))
    #expect(Self.ids(notes, 1) == ["5", "6"])
    #expect(throws: StoreError.full) {
      try write(.child(.create(["text": "", "rank": 0]), of: 1))
    }
    try write(.parent(.delete(1)))
    #expect(throws: ScreenLookupError.deletedKey) { try notes.parent(for: "1") }
    try write(.parent(.create(["id": 1, "text": "A"])))
    #expect(notes.children(of: 1) == [])
    try write(.child(.create(comment), of: 1))
    notes = try JSONReader(JSONValue(encoding: notes)).decode(Notes.self)
    #expect(throws: StoreError.full) {
      try write(.child(.create(["text": "1234", "rank": 0]), of: 1))
    }
    try write(.child(.create(["text": "123", "rank": 0]), of: 1))
  }

  @Test("refuses one more child than all parents together may have, of a client as of a file")
  func total() throws {
    var notes = Notes(limits: CollectionLimits(totalChildCount: 2))
    func write(_ write: Notes.Write) throws { _ = try notes.apply(write, at: Self.time) }
    func add(to note: ResourceID) throws {
      try write(.child(.create(["text": "", "rank": 0]), of: note))
    }
    for _ in 1...2 { try write(.parent(.create(["text": ""]))) }
    for note: ResourceID in [1, 2] { try add(to: note) }
    #expect(throws: StoreError.full) { try add(to: 1) }
    notes = try JSONReader(JSONValue(encoding: notes)).decode(Notes.self)
    #expect(throws: StoreError.full) { try add(to: 2) }
    try write(.child(.delete(1), of: 1))
    try add(to: 2)
    try write(.parent(.delete(2)))
    for _ in 1...2 { try add(to: 1) }
    #expect(throws: StoreError.full) { try add(to: 1) }
    #expect(throws: JSONShapeError(["comments", "1"], "this is more than the store allows")) {
      try Notes(reading: JSONReader(Self.file), limits: CollectionLimits(totalChildCount: 1))
    }
  }

  @Test("has the usual number of all children if its journal is of a build that did not limit it")
  func formerLimits() throws {
    var limits = CollectionLimits(count: 1, byteCount: 2, deletedCount: 3, childCount: 4)
    let former: JSONValue = ["count": 1, "byteCount": 2, "deletedCount": 3, "childCount": 4]
    #expect(try JSONReader(former).decode(CollectionLimits.self) == limits)
    limits.totalChildCount = 5
    let again = try JSONReader(JSONValue(encoding: limits)).decode(CollectionLimits.self)
    #expect(again == limits)
  }

  @Test("has children in the order of its own, wherever one is to be inserted")
  func place() throws {
    var notes = try Notes(reading: JSONReader(Self.file))
    let body: JSONValue = ["text": "n", "rank": 0]
    _ = try notes.apply(.child(.create(body, at: .after(3)), of: 1), at: Self.time)
    #expect(Self.ids(notes, 1) == ["5", "4", "3"])
  }

  @Test("gives the children of a parent a number that a child of another parent had")
  func numbers() throws {
    var labels = Labels()
    let greatest = JSONValue.interoperableIntegers.upperBound
    for _ in 1...2 { _ = try labels.apply(.parent(.create(["text": ""])), at: Self.time) }
    for id in [greatest, 1] {
      let body: JSONValue = ["id": .integer(id), "text": ""]
      _ = try labels.apply(.child(.create(body), of: 1), at: Self.time)
    }
    _ = try labels.apply(.child(.delete(1), of: 1), at: Self.time)
    _ = try labels.apply(.child(.create(["text": "x"]), of: 2), at: Self.time)
    #expect(labels.children(of: 2)?.map(\.id) == [1])
  }

  @Test("has no child of a deleted parent if another one of its id is created")
  func recreated() throws {
    var labels = Labels()
    let parent: Labels.Write = .parent(.create(["id": 1, "text": ""]))
    for write in [parent, .child(.create(["text": "x"]), of: 1), .parent(.delete(1)), parent] {
      _ = try labels.apply(write, at: Self.time)
    }
    #expect(labels.children(of: 1) == nil)
  }

  private struct Missing: Error {}

  @Test(
    "has the children of each parent in their order after every write, and reads back as it was")
  func histories() throws {
    try withSeeds(10) { random in
      var (notes, model): (Notes, [ResourceID: [(comment: Comment, number: Int)]]) = (Notes(), [:])
      for step in 0..<150 {
        let parent = ResourceID(random.number(in: 1...3))
        var comment = Comment(id: ResourceID(random.number(in: 1...9)))
        (comment.note, comment.rank) = (parent, random.number(in: 0...3))
        let isTaken = model.values.joined().contains { $0.comment.id == comment.id }
        let index = model[parent]?.firstIndex { $0.comment.id == comment.id }
        let write: Notes.Write
        let isAllowed: Bool
        switch random.number(in: 0...9) {
        case 0:
          (write, isAllowed) = (.parent(.delete(parent)), model[parent] != nil)
          if isAllowed { model[parent] = nil }
        case 1, 2:
          write = .parent(.create(["id": parent.json, "text": ""]))
          isAllowed = model[parent] == nil
          if isAllowed { model[parent] = [] }
        case 3, 4, 5:
          write = .child(.create(comment.json), of: parent)
          isAllowed = model[parent] != nil && !isTaken
          if isAllowed { model[parent]?.append((comment, step)) }
        case 6, 7:
          (write, isAllowed) = (.child(.replace(comment), of: parent), index != nil)
          if let index { model[parent]?[index].comment = comment }
        default:
          (write, isAllowed) = (.child(.delete(comment.id), of: parent), index != nil)
          if let index { model[parent]?.remove(at: index) }
        }
        let before = try JSONValue(encoding: notes)
        let isDone = (try? notes.apply(write, at: Self.time)) != nil
        try require(isDone == isAllowed, "step \(step): \(write)")
        let after = try JSONValue(encoding: notes)
        try require(isDone || after == before, "step \(step): a refused write changes something")
        for (parent, comments) in model {
          let sorted = comments.sorted {
            ($0.comment.rank, $0.number) < ($1.comment.rank, $1.number)
          }
          try require(
            notes.children(of: parent).map(Array.init) == sorted.map(\.comment),
            "step \(step): the children of \(parent)")
        }
        let again = try JSONReader(after).decode(Notes.self)
        try require(JSONValue(encoding: again) == after, "step \(step): coding")
        // Not always, because what is read has forgotten what was deleted.
        if random.chance(0.1) { notes = again }
      }
    }
  }
}
