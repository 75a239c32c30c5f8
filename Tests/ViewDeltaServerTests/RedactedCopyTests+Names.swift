import ArgumentParser
import CanonicalJSON
import Forms
import Snapshots
import TestSupport
import Testing
import ViewDelta
import ViewDeltaServer

@testable import ViewState

/// The names of a program that a copy keeps, although nothing in its OpenAPI document has them.
extension RedactedCopyTests {
  /// A form for the notes of a store that has no endpoints.
  private struct NoteForm: Screen {
    struct Note: Resource {
      let id: ResourceID
      var title: Text = ""
      var colour = Colour.blue

      init(id: ResourceID) { self.id = id }

      static let fields = [Field("title", \Note.title), Field("colour", \.colour)]
    }

    enum Colour: Text, CaseIterable, FieldValue {
      case blue
      case red
      static var valueType: ValueType<Colour> { .choice() }
    }

    struct State: ScreenState, FormState {
      var fields = FormFields<StandardKinds>(NoteForm.outline(of: "Anna"))
      var answers: [Text: JSONValue]?

      mutating func submit(as id: Text) { answers = fields.judge() }
    }

    static let name: Text = "note-form"
    static let summary = "A form."

    let notes: Store<ResourceCollection<Note>>

    static func outline(of title: Text) -> FormOutline {
      FormKinds.standard.outline([
        [
          "id": "note",
          "rows": [
            [
              "id": "title", "kind": "text", "label": "Title", "characters": "letters",
              "default": .string(title),
            ], ["id": "send", "kind": "button", "text": "Send", "does": "submit"],
          ],
        ]
      ])
    }

    var commands: [AnyCommand<State>] {
      State.changeCommand
      State.selectCommand
      State.tapCommand.writing { (state: inout State, transaction: inout Transaction, row) in
        try state.didTap(row, as: transaction.inputID)
        guard let answers = state.answers.take() else { return }
        let body = JSONValue.object(answers.merging(["colour": "red"]) { $1 })
        let note = try transaction.write(.create(body), to: notes).resource
        state.replace(Self.outline(of: note.title))
      }
    }
  }

  private struct NoteFeature: Feature {
    func register(in application: inout ApplicationBuilder) {
      let notes = ResourceCollection<NoteForm.Note>("note")
      application.add(NoteForm(notes: Store("notes", notes, in: application.engine)))
    }
  }

  /// Tries again if its source is busy.
  private struct TrialScreen: Screen {
    struct State: ScreenState {
      var word = LoadState<Text>()
      var trials = 0
    }

    static let name: Text = "trial"
    static let summary = "A word that may be busy."
    static let busy = LoadFailure(code: "occupied", message: "Busy.")
    static let trial = RowType(text: "trial", "A trial.")

    let words: Store<Words>
    let word: Loading<State, Text>

    init(words: Store<Words>) {
      self.words = words
      word = Loading("word", \.word, from: Source(reading: words) { words, _ in words.word }) {
        _, _ in
      }
    }

    var parts: [any ScreenPart<State>] { [word] }
    var failures: [LoadFailure] { [Self.busy] }
    var rowTypes: [RowTypeDescriptor] { Self.trial }

    func changed(_ state: inout State, from before: State) {
      if before.word.loadable.isLoading, state.word.loadable.error?.code == Self.busy.code {
        state.trials += 1
      }
    }

    func body(_ state: State) -> [ListSection] {
      ListSection("trials") { if state.trials > 0 { Self.trial("trial", "Again") } }
    }
  }

  private struct Words: StoreValue {
    var word: Text = "Anna"

    mutating func apply(_ new: Text, at time: Timestamp) throws(StoreError) -> Written<Void> {
      word = new
      return Written((), changing: ["1"], of: "words")
    }
  }

  private struct TrialFeature: Feature {
    func register(in application: inout ApplicationBuilder) {
      application.add(TrialScreen(words: Store("words", Words(), in: application.engine)))
    }
  }

  @Test("keeps the names in descriptions of forms, and those of resources without endpoints")
  func describedNames() async throws {
    let (journal, copy) = (MemoryJournal(), MemoryJournal())
    let backend = try FeatureTests.backend {
      $0.journal = journal
    } features: {
      NoteFeature()
    }
    let enter: JSONValue = ["type": "didChange", "row": "title", "value": "Otto"]
    for command in [enter, ["type": "didTap", "row": "send"]] {
      let answer = await backend.call(.post, "/v1/view-models/note-form/1/commands", body: command)
      #expect(answer.status == 200)
    }
    // The end records the states, with which the copy begins.
    backend.application.close()
    try RedactionOptions.parse([]).copy(journal, to: copy, since: { _ in true }) { NoteFeature() }
    let parts = try #require(copy.content.checkpoints.first).parts
    for name in ["title", "colour", "red", "kind", "text", "characters", "default", "does"] {
      #expect("\(parts)".contains("\"\(name)\""), "\(name)")
    }
    for text in ["Anna", "Otto", "Title"] { #expect(!"\(parts)".contains(text), "\(text)") }
  }

  @Test("keeps the codes of failures that a screen lists")
  func failureCodes() async throws {
    let (journal, copy) = (MemoryJournal(), MemoryJournal())
    let backend = try FeatureTests.backend {
      $0.journal = journal
      $0.allowsFaults = true
    } features: {
      TrialFeature()
    }
    let script: JSONValue = ["outcomes": [["code": "occupied", "detail": "Otto is at it."]]]
    #expect(await backend.call(.put, "/v1/faults/word/1", body: script).status == 200)
    let path = "/v1/view-models/trial/1"
    let command = await backend.call(.post, "\(path)/commands", body: ["type": "appear"])
    let revision = try command.json.member("revision").string()
    backend.scheduler.advance(by: .zero)
    // Waits for the end of the load, which another thread records.
    let change = await backend.get("\(path)/diff?since=\(revision)&wait=20")
    #expect(change.text.contains("Again"))
    try RedactionOptions.parse([]).copy(journal, to: copy) { TrialFeature() }
    #expect("\(copy.content.entries)".contains("occupied"))
    #expect(!"\(copy.content.entries)".contains("Otto"))
  }
}
