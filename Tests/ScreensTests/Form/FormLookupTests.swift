import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("A tax number in a form")
struct FormLookupTests {
  static let rows: JSONValue = [
    [
      "id": "tax", "kind": "taxNumber", "label": "Tax number",
      "fills": ["name": "name", "city": "city"],
    ],
    ["id": "name", "kind": "text", "label": "Name", "maxLength": 10],
    ["id": "city", "kind": "text", "label": "City"],
  ]
  static let (mill, bikes): (JSONValue, JSONValue) = ("DE136695976", "DE115235681")
  static let nobody: JSONValue = "DE999999995"
  static let found: [Text] = ["tax", "tax/company/1", "tax/company/2", "name", "city"]

  @Test("is looked up, and the rows found for it stand right after it")
  func finding() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    let outcome = try await fixture.change("tax", Self.mill)
    #expect(outcome.isPending)
    #expect(fixture.rows == ["tax", "tax/loading", "name", "city"])
    #expect(fixture.state(.registry) == "isLoading")
    try fixture.wait(.seconds(2))
    #expect(fixture.rows == Self.found && fixture.state(.registry) == "loaded")
    #expect(fixture.instance.current.cause == .loaded(source: "registry"))
  }

  @Test("that changes replaces the rows; one that is cleared or wrong takes them away")
  func changing() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    for clearing: JSONValue in ["", "DE1", "DE136695975"] {
      try await fixture.change("tax", Self.mill)
      try fixture.wait(.seconds(2))
      try await fixture.change("tax", Self.bikes)
      #expect(fixture.rows == ["tax", "tax/loading", "name", "city"])
      try fixture.wait(.seconds(2))
      #expect(fixture.rows == ["tax", "tax/company/3", "name", "city"])
      try await fixture.change("tax", clearing)
      #expect(fixture.rows.filter { $0.string.hasPrefix("tax/") && $0 != "tax/error" } == [])
      #expect(fixture.state(.registry) == "notRequested")
    }
    #expect(fixture.scheduler.pendingCount == 0)
  }

  @Test("that nobody has says so")
  func nobody() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.change("tax", Self.nobody)
    try fixture.wait(.seconds(2))
    #expect(fixture.rows == ["tax", "tax/empty", "name", "city"])
  }

  @Test("whose result is late shows none, also if another number is looked up meanwhile")
  func lateBesideAnother() async throws {
    let fixture = try FormFixture(rows: [
      ["id": "tax", "kind": "taxNumber", "label": "Tax"],
      ["id": "vat", "kind": "taxNumber", "label": "VAT"],
    ])
    try await fixture.script(.registry, .late)
    try await fixture.change("tax", Self.mill)
    try await fixture.change("vat", Self.bikes)
    try fixture.wait(.seconds(2))
    #expect(fixture.rows == ["tax", "tax/loading", "vat", "vat/company/3"])
    try fixture.wait(.seconds(8))
    #expect(fixture.field("code", of: "tax/failed") == "timed-out")
    // The next look-up starts, so the result comes.
    try await fixture.change("vat", Self.mill)
    await fixture.instance.engine.settle()
    #expect(fixture.rows == ["tax", "tax/failed", "vat", "vat/loading"])
    #expect(
      fixture.instance.incidents.first?.kind
        == .transition(source: "registry", .impossible, action: "failed", state: "failed"))
    // It comes once.
    let inputs = fixture.instance.engine.position
    try await fixture.change("vat", Self.bikes)
    await fixture.instance.engine.settle()
    #expect(fixture.instance.engine.position == inputs + 1)
  }

  @Test("that many firms have shows the first 20, and a row that says that there are more")
  func many() async throws {
    for count in [20, 21, 50] {
      let companies = (1...count).map { number -> JSONValue in
        ["id": .integer(number), "taxNumber": Self.mill, "name": "N", "city": "C"]
      }
      let fixture = try FormFixture(rows: Self.rows, companies: ["companies": .array(companies)])
      try await fixture.change("tax", Self.mill)
      try fixture.wait(.seconds(2))
      let firms = (1...20).map { "tax/company/\($0)" as Text }
      let more: [Text] = count > 20 ? ["tax/more"] : []
      #expect(fixture.rows == ["tax"] + firms + more + ["name", "city"])
      #expect(
        fixture.field("text", of: "tax/more")
          == (count > 20 ? "Only the first 20 firms are shown." : nil))
      let hidden: JSONValue = ["type": "didSelect", "row": "tax/company/21"]
      #expect(try await fixture.refusal(of: hidden) == "/row")
    }
  }

  @Test("is looked up once however often it is entered, and only the newest may show")
  func newest() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.change("tax", Self.mill)
    #expect(try await !fixture.change("tax", "de 136695976").isPending)
    try fixture.wait(.seconds(1))
    try await fixture.change("tax", Self.bikes)
    #expect(fixture.scheduler.pendingCount == 2)
    try fixture.wait(.seconds(1))
    #expect(fixture.rows == ["tax", "tax/loading", "name", "city"])
    try fixture.wait(.seconds(1))
    #expect(fixture.rows == ["tax", "tax/company/3", "name", "city"])
  }

  @Test("changes nothing with a result that comes too late, whatever became of its row")
  func late() throws {
    let engine = Engine.still()
    let screen = DeclaredScreen(
      FormScreen(
        store: FormStore(.demo(), in: engine),
        companies: CompanyStore("companies", .demo(), in: engine)))
    var state = try screen.initialState(for: "1", in: engine.stores)
    var transaction = Transaction(engine.stores, at: 1, Timestamp(secondsSince1970: 0))
    func send(_ command: JSONValue) throws -> [Effect] {
      try screen.run(
        SentCommand(JSONReader(command)), on: &state, isInitial: false, in: &transaction
      ).effects
    }
    _ = try send(["type": "didChange", "row": "isFirm", "value": true])
    let tax: JSONValue = ["type": "didChange", "row": "taxNumber", "value": Self.mill]
    let effects = try send(tax)
    guard case .start(let work, let token) = try #require(effects.last) else {
      throw LawViolation("nothing was started")
    }
    #expect(try send(Self.apply(["operation": "remove", "ids": ["taxNumber"]])).count == 1)
    let again = Self.apply([
      "operation": "insertAfter", "row": "isFirm",
      "rows": [["id": "taxNumber", "kind": "taxNumber", "label": "Another"]],
    ])
    for step in [[], [again], [tax]] {
      for command in step { _ = try send(command) }
      let before = state
      for end in [nil, LoadFailure.unavailable] {
        for row: JSONValue in ["taxNumber", "gone"] {
          var failure = end
          let request = work.request?.mergePatched(with: ["key": row])
          _ = screen.end(
            PartWork(part: work.part, request: request), token, bringing: nil, failing: &failure,
            on: &state, for: "1", in: &transaction)
        }
      }
      let isSame = state == before
      #expect(isSame)
    }
    #expect(work.part == "registry")
  }

  private static func apply(_ operation: JSONValue) -> JSONValue {
    ["type": "apply", "operations": [operation]]
  }

  @Test("that goes with its row, or with a new start, ends its look-up")
  func releasing() async throws {
    for command: JSONValue in [
      ["type": "apply", "operations": [["operation": "remove", "ids": ["tax"]]]],
      ["type": "apply", "operations": [["operation": "clear"]]], ["type": "reset"],
      [
        "type": "apply",
        "operations": [
          [
            "operation": "replace", "row": "tax",
            "with": ["id": "tax", "kind": "text", "label": "T"],
          ]
        ],
      ],
    ] {
      let fixture = try FormFixture(rows: Self.rows)
      try await fixture.change("tax", Self.mill)
      try await fixture.send(command)
      #expect(fixture.scheduler.pendingCount == 0)
      #expect(fixture.state(.registry) == "notRequested")
    }
  }

  @Test("shows a write to its firms in the same step, and a firm that gets the number")
  func following() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.change("tax", Self.mill)
    try fixture.wait(.seconds(2))
    func write(_ write: CompanyData.Write) async throws -> [String] {
      let (before, number) = (fixture.snapshot, fixture.number)
      _ = try await fixture.companies.write(write)
      let changes = fixture.snapshot.difference(from: before).summary
      #expect(fixture.number == number + (changes.isEmpty ? 0 : 1))
      return changes
    }
    #expect(
      try await write(.change("1", ResourceChange(.patch(["name": "Mühle"])))) == [
        "update tax/company/1"
      ])
    #expect(fixture.field("name", of: "tax/company/1") == "Mühle")
    #expect(
      try await write(.change("3", ResourceChange(.patch(["taxNumber": Self.mill])))) == [
        "insert tax/company/3"
      ])
    #expect(
      try await write(.change("1", ResourceChange(.patch(["taxNumber": Self.bikes])))) == [
        "delete tax/company/1"
      ])
    #expect(try await write(.delete("2")) == ["delete tax/company/2"])
    #expect(try await write(.change("1", ResourceChange(.patch(["city": "Weimar"])))) == [])
    #expect(fixture.state(.registry) == "loaded" && fixture.scheduler.pendingCount == 0)
  }

  @Test("enters the firm that is chosen into other fields, where it is checked as any value")
  func choosing() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.change("tax", Self.mill)
    try fixture.wait(.seconds(2))
    let action = try JSONReader(#require(fixture.field("action", of: "tax/company/1")))
    try await fixture.send(action.member("command").value)
    #expect(fixture.value("name") == "Mill" && fixture.value("city") == "Jena")
    let before = fixture.snapshot
    try await fixture.select("tax/company/2")
    #expect(fixture.snapshot.difference(from: before).summary == ["update name", "update city"])
    #expect(fixture.value("name") == "Mill South" && fixture.value("city") == "Apolda")
  }

  @Test("that is hidden does not count as being looked up, and is found once it is shown again")
  func hiding() async throws {
    let fixture = try FormFixture(rows: [
      ["id": "on", "kind": "switch", "label": "On", "default": true],
      [
        "id": "tax", "kind": "taxNumber", "label": "Tax",
        "visibility": FormVisibilityTests.when("on", true),
      ],
    ])
    try await fixture.change("tax", Self.mill)
    #expect(fixture.state(.registry) == "isLoading")
    try await fixture.change("on", false)
    #expect(fixture.rows == ["on"] && fixture.state(.registry) == "notRequested")
    try fixture.wait(.seconds(2))
    #expect(fixture.state(.registry) == "notRequested")
    try await fixture.change("on", true)
    #expect(fixture.rows == ["on", "tax", "tax/company/1", "tax/company/2"])
    #expect(fixture.state(.registry) == "loaded")
  }

  @Test("stays looked up while other rows are arranged, and while its own is edited")
  func arranging() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.change("tax", Self.mill)
    try await fixture.apply(["operation": "swap", "row": "tax", "other": "city"])
    #expect(fixture.rows == ["city", "name", "tax", "tax/loading"])
    try await fixture.apply([
      "operation": "replace", "row": "tax",
      "with": ["id": "tax", "kind": "taxNumber", "label": "New"],
    ])
    try fixture.wait(.seconds(2))
    #expect(fixture.rows == ["city", "name", "tax", "tax/company/1", "tax/company/2"])
    // There are no fields to fill in any more.
    #expect(fixture.field("action", of: "tax/company/1") == nil)
  }
}
