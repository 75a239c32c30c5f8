import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewDeltaServer
import ViewState

/// Notes of a store of their own, as a user of the library adds them to an application: with public names
/// alone.
struct NotesFeature: Feature {
  /// The texts of new notes, as they come.
  var incoming = AsyncStream<Text> { $0.finish() }

  func register(in application: inout ApplicationBuilder) throws {
    let file = try application.takeData("notes")?.nullableMember("notes")
    let notes = try ResourceCollection<Note>("note", reading: file)
    let store = Store("notes", notes, in: application.engine)
    application.add(NotesScreen(store: store), keys: .only(["all"]))
    application.add(NoteScreen(store: store), keys: .collection(path: "/v1/notes", title: "text"))
    application.add(collection: store, at: "/v1/notes")
    application.addTask("incoming notes") { [incoming] in
      for await text in incoming { try await store.write(.create(["text": .string(text)])) }
    }
    let operation: JSONValue = [
      "summary": "The number of notes", "tags": ["Notes"],
      "responses": ["200": ["description": "The number."]],
    ]
    application.on(.get, "/v1/notes-count", operation) {
      [replies = application.replies] (request) throws(ProblemDetails) in
      let notes = store.value
      return try replies.reply(
        ["count": .integer(notes.elements.count)], to: request, version: notes.version)
    }
  }
}

struct Note: Resource {
  let id: ResourceID
  var text: Text = ""

  init(id: ResourceID) { self.id = id }

  static let fields = [Field("text", \Note.text)]
}

/// The screen of each note.
struct NoteScreen: Screen {
  let store: Store<ResourceCollection<Note>>

  static let name: Text = "note"
  static let keyName = "noteID"
  static let summary = "A note."

  var shownStores: [ShownStore] { [.element(of: store)] }

  func initialState(for key: Text, in stores: Stores) throws -> Note {
    try stores[store].element(for: key)
  }

  static let note = RowType("note", of: Note.self) { Note.fields }

  var rowTypes: [RowTypeDescriptor] { Self.note }

  func body(_ state: Note) -> [ListSection] { ListSection("note") { Self.note("note", state) } }
}

/// All notes, at `notes/all`.
struct NotesScreen: Screen {
  let store: Store<ResourceCollection<Note>>

  static let name: Text = "notes"
  static let summary = "All notes."

  var shownStores: [ShownStore] { [.whole(of: store)] }

  func initialState(for key: Text, in stores: Stores) throws -> KeyedSequence<Note> {
    guard key == "all" else { throw ScreenLookupError.unknownKey }
    return stores[store].elements
  }

  static let link = RowType("link", of: Note.self, "A note, and its view model.") {
    Note.fields
    Field("to") { "note/\($0.id)" as Text }
  }

  var rowTypes: [RowTypeDescriptor] { Self.link }

  func body(_ state: KeyedSequence<Note>) -> [ListSection] {
    ListSection("notes") { ForEach(state, as: Self.link) { "note/\($0.id)" } }
  }
}

extension NoteScreen {
  static let merge = Command<Note, ResourceID>(
    "merge", "Appends the text of another note, and deletes that note.", .id("other"))

  @CommandBuilder<Note>
  var commands: [AnyCommand<Note>] {
    Self.merge.writing { (note: inout Note, transaction: inout Transaction, other) in
      if other == note.id { throw Refusal.unknown("other", other) }
      var merged = note
      merged.text = "\(note.text) \(try transaction[store].element(other).resource.text)"
      try transaction.write(.replace(merged), to: store)
      try transaction.write(.delete(other), to: store)
    }
  }
}
