import CanonicalJSON
import Testing
import ViewState

@Suite("A failure of a load")
struct LoadFailureTests {
  @Test("keeps its message in each language when it gets a reason")
  func reason() {
    let failure = LoadFailure(code: "file", message: Localized(en: "No file.", de: "Keine Datei."))
    let other = failure.because("a.txt")
    #expect(other == failure && other.reason == "a.txt")
    #expect(other.message == "No file." && other.message(in: .de) == "Keine Datei.")
  }

  @Test("has one line of text of a limited length, however long the text is that it is made of")
  func bounds() throws {
    let long = String(repeating: "é", count: 5_000)
    let failure = LoadFailure(
      code: Text(long), message: "one\r\ntwo\u{0}\u{2028}three", reason: long)
    #expect(failure.message == "one  two  three")
    #expect(failure.code.string.unicodeScalars.count == 100)
    #expect(failure.reason?.unicodeScalars.count == 1_000 && failure.reason?.last == "…")
    let whole = String(repeating: "x", count: 1_000)
    #expect(LoadFailure(code: "x", message: whole).message == whole)
    let messages: JSONValue = ["en": .string(Text(long)), "de": "kurz"]
    let read = try JSONValue.object(["code": "x", "messages": messages]).decode(LoadFailure.self)
    #expect(read.message.unicodeScalars.count == 1_000)
    #expect(read.message(in: .de) == "kurz")
    #expect(try JSONValue(encoding: failure).decode(LoadFailure.self).reason == failure.reason)
  }
}

@Suite("A loadable value")
struct LoadableTests {
  static let states: [Loadable<Int>] = [
    .notRequested, .isLoading(previous: nil), .isLoading(previous: 1), .loaded(2),
    .failed(.unavailable, previous: nil), .failed(.unavailable, previous: 3),
  ]

  @Test(
    "tells its value, its error and whether it is loading",
    arguments: zip(
      states,
      [
        (value: nil, error: nil, isLoading: false), (nil, nil, true), (1, nil, true),
        (2, nil, false),
        (nil, "unavailable", false), (3, "unavailable", false),
      ] as [(value: Int?, error: Text?, isLoading: Bool)]))
  func facts(
    state: Loadable<Int>, expected: (value: Int?, error: Text?, isLoading: Bool)
  ) {
    #expect(state.value == expected.value)
    #expect(state.error?.code == expected.error)
    #expect(state.isLoading == expected.isLoading)
  }

  @Test(
    "maps whatever value it has and keeps its state",
    arguments: zip(
      states,
      [
        .notRequested, .isLoading(previous: nil), .isLoading(previous: "1"), .loaded("2"),
        .failed(.unavailable, previous: nil), .failed(.unavailable, previous: "3"),
      ] as [Loadable<String>]))
  func mapping(state: Loadable<Int>, mapped: Loadable<String>) {
    #expect(state.map { "\($0)" } == mapped)
  }

  @Test(
    "fails where the mapping throws, and only there",
    arguments: zip(
      states,
      [
        .notRequested, .isLoading(previous: nil), .failed(.missing, previous: nil),
        .failed(.missing, previous: nil), .failed(.unavailable, previous: nil),
        .failed(.missing, previous: nil),
      ] as [Loadable<Int>]))
  func throwingMap(state: Loadable<Int>, mapped: Loadable<Int>) {
    #expect(state.map { (_) throws(LoadFailure) -> Int in throw .missing } == mapped)
  }

  @Test(
    "reads back as it was, also with a value that is a nil",
    arguments: [
      .notRequested, .isLoading(previous: nil), .isLoading(previous: .some(nil)),
      .isLoading(previous: 1), .loaded(nil), .loaded(2), .failed(.unavailable, previous: nil),
      .failed(.unavailable, previous: .some(nil)), .failed(.unavailable, previous: 3),
    ] as [Loadable<Int?>])
  func reading(state: Loadable<Int?>) throws {
    let record = try JSONValue(encoding: state)
    #expect(try record.decode(Loadable<Int?>.self) == state, "\(record)")
  }

  @Test(
    "is not read from JSON that names no state, or two",
    arguments: [[:], ["done": [:]], ["loaded": ["_0": 1], "notRequested": [:]], 1] as [JSONValue])
  func unreadable(record: JSONValue) {
    #expect(throws: (any Error).self) { try record.decode(Loadable<Int>.self) }
  }

  @Test("unwraps a value that is there, and fails on one that is missing")
  func unwrapping() {
    #expect(Loadable<Int?>.notRequested.unwrap() == .notRequested)
    #expect(Loadable<Int?>.loaded(1).unwrap() == .loaded(1))
    #expect(Loadable<Int?>.loaded(nil).unwrap() == .failed(.missing, previous: nil))
    for previous: Int?? in [nil, .some(nil), 4] {
      let wrapped = previous ?? nil
      #expect(Loadable.isLoading(previous: previous).unwrap() == .isLoading(previous: wrapped))
      #expect(
        Loadable.failed(.timedOut, previous: previous).unwrap()
          == .failed(.timedOut, previous: wrapped))
    }
  }

  @Test("compares failures by their code, not by their prose")
  func failures() {
    #expect(LoadFailure(code: "x", message: "one") == LoadFailure(code: "x", message: "two"))
    #expect(LoadFailure(code: "x", message: "one") != LoadFailure(code: "y", message: "one"))
    let hashes = Set([LoadFailure(code: "x", message: "1"), LoadFailure(code: "x", message: "2")])
    #expect(hashes.count == 1)
  }
}
