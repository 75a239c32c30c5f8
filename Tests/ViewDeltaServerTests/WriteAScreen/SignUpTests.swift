import TestSupport
import Testing
import ViewDelta

@Suite("The page on filling in a form")
struct SignUpTests {
  @Test("shows the code that these tests compile, all of it")
  func code() throws {
    let folder = "Tests/ViewDeltaServerTests/WriteAScreen"
    let blocks = try Page("FillInAForm").blocks
    let screen = try Page.text("\(folder)/SignUpScreen.swift").split(separator: "\n")
      .dropFirst().joined(separator: "\n")
    let page = blocks.dropLast().joined(separator: "\n").split(separator: "\n")
    #expect(page.joined(separator: "\n") == screen)
    let test = try Page.text("\(folder)/SignUpTests.swift")
    #expect(test.contains(try #require(blocks.last)))
  }

  private func form() throws -> TestStore<SignUp> {
    struct NotCalled: Error {}
    return try TestStore(
      SignUp(check: { _ in throw NotCalled() }, create: { _ in throw NotCalled() }))
  }

  private func enter(_ value: JSONValue, into row: ResourceID, of form: TestStore<SignUp>)
    async throws
  {
    try await form.send(SignUp.State.changeCommand, row, value)
  }

  private func answer(_ form: TestStore<SignUp>, taken: Bool, _ suggestions: Text...) throws {
    try form.answer("names", with: SignUp.Verdict(isTaken: taken, suggestions: suggestions))
  }

  @Test("refuses a name as soon as it is known that it is taken, and offers others")
  func taken() async throws {
    let form = try form()
    try await enter("ada", into: "name", of: form)
    #expect(form.rows(in: "you").map(\.id) == ["name", "name/checking", "email", "send"])
    try answer(form, taken: true, "ada1")
    #expect(form.rows(in: "you").map(\.id) == ["name", "name/error", "name/ada1", "email", "send"])
    #expect(form.rows(in: "you")[1].fields["text"] == "This name is taken.")

    try await form.tap("name/ada1")
    #expect(form.rows(in: "you")[0].fields["value"] == "ada1")
    #expect(try form.change(of: "names") == "ada1" as Text)
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
    #expect(form.rows(in: "you").map(\.id) == ["name", "name/checking", "email", "send"])
  }

  @Test("is not sent with a name that is taken, however often the user tries")
  func notSent() async throws {
    let form = try form()
    try await enter("ada", into: "name", of: form)
    try await enter("ada@example.org", into: "email", of: form)
    try await form.tap("send")
    try answer(form, taken: true)
    for _ in 1...2 {
      #expect(form.waiting.isEmpty)
      #expect(form.rows(in: "you").map(\.id) == ["name", "name/error", "email", "send"])
      try await form.tap("send")
    }
  }

  @Test("is sent once its name is known to be free, again if that fails, and may be refused then")
  func sent() async throws {
    let form = try form()
    try await enter("ada", into: "name", of: form)
    try await enter("ada@example.org", into: "email", of: form)
    try await form.tap("send")
    #expect(form.waiting == ["names"])
    try answer(form, taken: false)
    func account() throws -> SignUp.Account? { try form.change(of: "account") }
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
    #expect(form.rows(in: "you").map(\.id) == ["name", "name/error", "email", "send"])

    try await enter("ben", into: "name", of: form)
    try answer(form, taken: false)
    try await form.tap("send")
    #expect(try account()?.name == "ben")
    try form.answer("account")
    #expect(form.rows(in: "account").map(\.id) == ["account/welcome"])
    #expect(form.rows(in: "you")[0].fields["value"] == "")
  }

  @Test("does not refuse a name that was entered while the previous one was sent and refused")
  func enteredMeanwhile() async throws {
    let form = try form()
    try await enter("ada", into: "name", of: form)
    try await enter("ada@example.org", into: "email", of: form)
    try await form.tap("send")
    try answer(form, taken: false)
    try await enter("ben", into: "name", of: form)
    try answer(form, taken: false)
    try form.fail("account", with: LoadFailure(code: "taken", message: "It was taken meanwhile."))
    #expect(try form.change(of: "names") == "ben" as Text)
    try answer(form, taken: false)
    #expect(form.rows(in: "you").map(\.id) == ["name", "email", "send"])
  }
}
