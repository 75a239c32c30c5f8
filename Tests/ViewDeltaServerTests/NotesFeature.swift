import CanonicalJSON
import MicroHTTP
import Snapshots
import ViewDeltaServer
import ViewState

/// Notes of a store of their own, as a user of the library adds them to an application: with public names
/// alone.
struct NotesFeature: Feature {
  var notes = Notes()

  func register(in application: inout ApplicationBuilder) throws {
    let file = application.takeData("notes")
    let notes = try file.map { file throws(JSONShapeError) in try Notes(file) } ?? notes
    let store = Store("notes", notes, in: application.engine)
    application.add(NoteScreen(store: store), keys: .collection(path: "/v1/notes", title: "text"))
    application.add(Self.endpoints(store))
    application.router.get("/v1/notes-count") {
      [replies = application.replies] (request) throws(ProblemDetails) in
      let notes = store.value
      return try replies.reply(
        ["count": .integer(notes.notes.count)], to: request, version: notes.version)
    }
    application.document(["paths": ["/v1/notes-count": [:]]])
  }

  private static func endpoints(_ store: Store<Notes>) -> CollectionEndpoints<Note, Notes.Missing> {
    CollectionEndpoints(
      path: "/v1/notes",
      part: { (_, range) throws(Notes.Failure) in
        store.value.notes.part(range, version: store.value.version, \.resource)
      },
      create: { (_, body) async throws(Notes.Failure) in
        try await store.write(.create(body.value))
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Notes.Failure) in try store.value.note(request.id()) },
        parse: { (body, current) throws(JSONShapeError) in try Note(body, assigned: current.id) },
        replace: { (_, note, version) async throws(Notes.Failure) in
          try await store.write(.replace(note, expecting: version))
        },
        delete: { (request, version) async throws(Notes.Failure) in
          _ = try await store.write(.remove(request.id(), expecting: version))
        }))
  }
}

struct Note: StoredResource, Codable {
  let id: ResourceID
  let text: Text

  var json: JSONValue { ["id": id.json, "text": .string(text)] }

  init(_ body: JSONReader, assigned: ResourceID) throws(JSONShapeError) {
    try body.rejectUnknownMembers(allowed: ["id", "text"])
    if let id = try body.nullableMember("id") {
      self.id = try ResourceID(id)
    } else {
      id = assigned
    }
    text = try body.member("text").string()
  }
}

/// The store of the notes.
struct Notes: StoreValue {
  enum Missing: MissingResource {
    case note

    var problem: ProblemDetails { .missing(code: "unknown-note", "there is no note of this id") }
  }

  typealias Failure = StoreError<Missing>

  enum Write: Codable, Sendable {
    case create(JSONValue)
    case replace(Note, expecting: Int?)
    case remove(ResourceID, expecting: Int?)
  }

  struct Entry: Identifiable, Equatable, Codable, Sendable {
    let note: Versioned<Note>

    var id: ResourceID { note.resource.id }
    var resource: Note { note.resource }
  }

  var notes: KeyedSequence<Entry> = []
  var version = 0

  init() {}

  init(_ file: JSONReader) throws(JSONShapeError) {
    for element in try file.nullableMember("notes")?.elements() ?? [] {
      add(try Note(element, assigned: ResourceID(version + 1)))
    }
  }

  func note(_ id: ResourceID) throws(Failure) -> Versioned<Note> {
    guard let entry = notes[id: id] else { throw .missing(.note) }
    return entry.note
  }

  @discardableResult
  private mutating func add(_ note: Note) -> Versioned<Note> {
    version += 1
    let versioned = Versioned(resource: note, version: version)
    notes.append(Entry(note: versioned))
    return versioned
  }

  mutating func apply(
    _ write: Write, at time: Timestamp
  ) throws(Failure) -> Written<Versioned<Note>> {
    switch write {
    case .create(let body):
      let note: Note
      do {
        note = try Note(JSONReader(body), assigned: ResourceID(version + 1))
      } catch {
        throw .malformed(error)
      }
      guard !notes.contains(id: note.id) else { throw .duplicateID(note.id) }
      return Written(add(note), creating: [note.id.text], of: "notes")
    case .replace(let note, let expected):
      try Failure.check(try self.note(note.id).version, against: expected)
      return Written(add(note), changing: [note.id.text], of: "notes")
    case .remove(let id, let expected):
      let note = try note(id)
      try Failure.check(note.version, against: expected)
      version += 1
      notes.remove(id: id)
      return Written(note, removing: [id.text], of: "notes")
    }
  }
}

/// The screen of each note.
struct NoteScreen: Screen {
  let store: Store<Notes>

  static let name: Text = "note"
  static let keyName = "noteID"
  static let summary = "A note."

  var shownPart: StorePart? { .element(of: store) }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Note {
    guard let entry = stores[store].notes[id: ResourceID(named: key)] else { throw .unknownKey }
    return entry.resource
  }

  static let note = RowType("note", of: Note.self) { Field("text", \.text) }

  var rowTypes: [RowTypeDescriptor] { Self.note }

  func body(_ state: Note) -> [ListSection] { ListSection("note") { Self.note("note", state) } }
}
