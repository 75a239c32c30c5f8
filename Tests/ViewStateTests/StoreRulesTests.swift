import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("The rules of a store that a journal has")
struct StoreRulesTests {
  private func start<Value: StoreValue>(
    _ value: Value, _ program: Text?, on journal: MemoryJournal
  ) throws -> Store<Value> {
    let environment = ScreenEnvironment(scheduler: ManualScheduler())
    let engine = try Engine(environment: environment, journal: journal, program: program)
    let store = Store("words", value, in: engine)
    try engine.start()
    return store
  }

  private func words(_ noun: Text, atMost count: Int) -> ResourceCollection<Note> {
    ResourceCollection(noun, limits: CollectionLimits(count: count))
  }

  @Test("are those of another program, and those of its inputs for the same program")
  func collection() async throws {
    let journal = MemoryJournal()
    let first = try start(words("word", atMost: 1), "1", on: journal)
    _ = try await first.write(.create(["text": "a"]))
    await #expect(throws: StoreError.full) { try await first.write(.create(["text": "b"])) }

    let same = try start(words("term", atMost: 2), "1", on: MemoryJournal(journal.content))
    await #expect(throws: StoreError.full) { try await same.write(.create(["text": "b"])) }

    first.engine.closeJournal()
    let second = try start(words("term", atMost: 2), "2", on: journal)
    _ = try await second.write(.create(["text": "b"]))
    await #expect(throws: StoreError.full) { try await second.write(.create(["text": "c"])) }
    await #expect(throws: StoreError.missing(MissingElement("term"))) {
      try await second.write(.delete(9))
    }
    #expect(second.value.plural == "terms")

    let again = try start(words("term", atMost: 2), "2", on: MemoryJournal(journal.content))
    #expect(again.value.elements.map(\.text) == ["a", "b"])
  }

  @Test("are those of another program also for parents with children")
  func nested() async throws {
    let journal = MemoryJournal()
    let limits = CollectionLimits(count: 1)
    let first = try start(NestedCollection<Label>(limits: limits), "1", on: journal)
    _ = try await first.write(.parent(.create(["text": "a"])))
    first.engine.closeJournal()
    let second = try start(NestedCollection<Label>(), "2", on: journal)
    _ = try await second.write(.parent(.create(["text": "b"])))
    #expect(second.value.parents.map(\.text) == ["a", "b"])
  }
}
