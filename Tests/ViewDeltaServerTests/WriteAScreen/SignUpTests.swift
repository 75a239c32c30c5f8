import Foundation
import TestSupport
import Testing
import ViewDelta

@Suite("The page on filling in a form")
struct SignUpTests {
  @Test("shows the code that these tests compile, all of it")
  func code() throws {
    let folder = "Tests/ViewDeltaServerTests/WriteAScreen"
    let hotel = try Page.text("\(folder)/HotelFeature.swift")
    let blocks = try Page("FillInAForm").blocks.filter { !hotel.contains($0) }
    let screen = try Page.text("\(folder)/SignUpScreen.swift").split(separator: "\n")
      .dropFirst().joined(separator: "\n")
    let page = blocks.dropLast().joined(separator: "\n").split(separator: "\n")
    #expect(page.joined(separator: "\n") == screen)
    let test = try Page.text("\(folder)/SignUpTests.swift")
    #expect(test.contains(try #require(blocks.last)))
    let comment = try Page.comment(in: "Sources/Forms/FormFields.swift", with: "differs")
    let lines = Set(screen.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    for line in comment where !line.isEmpty { #expect(lines.contains(line)) }
  }

  private func form() throws -> TestViewModel<SignUp> {
    struct NotCalled: Error {}
    return try TestViewModel(
      SignUp(check: { _ in throw NotCalled() }, create: { _ in throw NotCalled() }))
  }

  private func ids(_ form: TestViewModel<SignUp>) -> [Text] { form.rows(in: "you").map(\.id) }

  private func enter(_ value: JSONValue, into row: ResourceID, of form: TestViewModel<SignUp>)
    async throws
  {
    try await form.send(SignUp.State.changeCommand, row, value)
  }

  /// A form in which all fields are filled in.
  private func filledForm() async throws -> TestViewModel<SignUp> {
    let form = try form()
    try await enter("ada", into: "name", of: form)
    for row in ["email", "again"] as [ResourceID] {
      try await enter("ada@example.org", into: row, of: form)
    }
    return form
  }

  private func answer(_ form: TestViewModel<SignUp>, taken: Bool, _ suggestions: Text...) throws {
    try form.answer("names", with: SignUp.Verdict(isTaken: taken, suggestions: suggestions))
  }

  @Test("refuses a name as soon as it is known that it is taken, and offers others")
  func taken() async throws {
    let form = try form()
    try await enter("ada", into: "name", of: form)
    #expect(ids(form) == ["name", "name/checking", "email", "again", "send"])
    try answer(form, taken: true, "ada1")
    #expect(ids(form) == ["name", "name/error", "name/ada1", "email", "again", "send"])
    #expect(form.rows(in: "you")[1].fields["text"] == "This name is taken.")

    try await form.tap("name/ada1")
    #expect(form.rows(in: "you")[0].fields["value"] == "ada1")
    #expect(try form.request(of: "names") == "ada1" as Text)
  }

  @Test("checks no name that the field refuses, and checks again a name that could not be checked")
  func checked() async throws {
    let form = try form()
    try await enter("a", into: "name", of: form)
    #expect(form.waiting.isEmpty)
    try await enter("ada", into: "name", of: form)
    try form.fail("names")
    try await form.tap("name/failed")
    try answer(form, taken: true)
    try await enter("ben", into: "name", of: form)
    #expect(ids(form) == ["name", "name/checking", "email", "again", "send"])
  }

  @Test("is not sent with a name that is taken, however often the user tries")
  func notSent() async throws {
    let form = try await filledForm()
    try await form.tap("send")
    try answer(form, taken: true)
    for _ in 1...2 {
      #expect(form.waiting.isEmpty)
      #expect(ids(form) == ["name", "name/error", "email", "again", "send"])
      try await form.tap("send")
    }
  }

  @Test("checks its name again before it is sent, if that has failed")
  func failedCheck() async throws {
    let form = try await filledForm()
    try form.fail("names")
    try await form.tap("send")
    #expect(form.waiting == ["names"])
    try answer(form, taken: false)
    #expect(form.waiting == ["account"])
  }

  @Test("is sent once its name is known to be free, again if that fails, and may be refused then")
  func sent() async throws {
    let form = try await filledForm()
    try await form.tap("send")
    #expect(form.waiting == ["names"])
    try answer(form, taken: false)
    func account() throws -> SignUp.Account? { try form.request(of: "account") }
    let first = try #require(try account())
    #expect(first.name == "ada" && first.email == "ada@example.org" && !first.id.isEmpty)
    try await form.tap("send")
    #expect(form.waiting == ["account"])

    try form.fail("account")
    #expect(form.rows(in: "account").map(\.id) == ["account/error"])
    try await form.tap("account/error", "Retry")
    #expect(try account() == first)
    try form.fail("account", with: LoadFailure(code: "taken", message: "It was taken meanwhile."))
    #expect(form.rows(in: "account").isEmpty)
    try answer(form, taken: true)
    #expect(ids(form) == ["name", "name/error", "email", "again", "send"])

    try await enter("ben", into: "name", of: form)
    try answer(form, taken: false)
    try await form.tap("send")
    #expect(try account()?.name == "ben")
    try form.answer("account")
    #expect(form.rows(in: "account").map(\.id) == ["account/welcome"])
    #expect(form.rows(in: "you")[0].fields["value"] == "")
  }

  @Test("compares two right addresses, and removes the error when either is corrected")
  func addresses() async throws {
    let form = try form()
    let error = ["name", "email", "again", "again/error", "send"] as [Text]
    let right = ["name", "email", "again", "send"] as [Text]
    for (value, row, shown) in [
      ("a@example.org", "email", right), ("ada", "again", error), ("b@example.org", "again", error),
      ("b@example.org", "email", right), ("c@example.org", "email", error),
      ("c", "email", ["name", "email", "email/error", "again", "send"]),
      ("c@example.org", "again", ["name", "email", "email/error", "again", "send"]),
      ("a@example.org", "email", error),
    ] as [(JSONValue, ResourceID, [Text])] {
      try await enter(value, into: row, of: form)
      #expect(ids(form) == shown)
    }
    #expect(form.rows(in: "you")[3].fields["code"] == "differs")

    try await enter("ada", into: "name", of: form)
    try answer(form, taken: false)
    try await form.tap("send")
    #expect(form.waiting.isEmpty && ids(form) == error)
    try await enter("c@example.org", into: "email", of: form)
    #expect(form.waiting.isEmpty && ids(form) == right)
    try await form.tap("send")
    #expect(form.waiting == ["account"])
  }

  @Test("does not refuse a name that was entered while the previous one was sent and refused")
  func enteredMeanwhile() async throws {
    let form = try await filledForm()
    try await form.tap("send")
    try answer(form, taken: false)
    try await enter("ben", into: "name", of: form)
    try answer(form, taken: false)
    try form.fail("account", with: LoadFailure(code: "taken", message: "It was taken meanwhile."))
    #expect(try form.request(of: "names") == "ben" as Text)
    try answer(form, taken: false)
    #expect(ids(form) == ["name", "email", "again", "send"])
  }
}
