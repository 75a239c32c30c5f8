import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import Forms
@testable import Screens
@testable import ViewState

@Suite("The recorded states of forms")
struct FormRecordTests {
  /// An engine with the forms of the demo and a journal.
  private struct World {
    let engine: Engine
    let store: FormStore
    let registry: ScreenRegistry

    init(_ journal: MemoryJournal = MemoryJournal()) throws {
      engine = try Engine(
        environment: ScreenEnvironment(scheduler: ManualScheduler()), journal: journal)
      store = FormStore(FormData.demo(), in: engine)
      let companies = CompanyStore("companies", CompanyData.demo(), in: engine)
      registry = ScreenRegistry(engine, of: FormScreen(store: store, companies: companies))
      try engine.start()
    }

    func send(_ body: JSONValue, to session: Text) async throws {
      _ = try await registry.send(SentCommand(JSONReader(body)), to: "form", session)
    }

    /// Changes the description of a form.
    func retitle(_ form: ResourceID, _ title: Text) async throws {
      let patch: JSONValue = [
        "title": .string(title),
        "sections": [["id": "one", "rows": [["id": "email", "kind": "text", "label": "Mail"]]]],
      ]
      try await store.write(.parent(.change(form, ResourceChange(.patch(patch)))))
    }

    func shown() throws -> [Revision] {
      try FormRecordTests.sessions.map { try registry.instance(screen: "form", key: $0).current }
    }
  }

  private static let sessions = (100..<160).map { number -> Text in
    "\(number % 7 == 0 ? "2" : "1")@aaaaaaaaaaaaaaaaaaaaa\(number)"
  }

  private static let rename: JSONValue = [
    "type": "apply",
    "operations": [
      ["operation": "replace", "row": "email", "with": ["id": "x", "kind": "splitter"]]
    ],
  ]

  /// Fills in a form for each session, each in another way.
  private func fill(_ world: World) async throws {
    for (number, session) in Self.sessions.enumerated() {
      let mail: JSONValue = .string("\(number)@example.org")
      try await world.send(["type": "didChange", "row": "email", "value": mail], to: session)
      switch number % 5 {
      case 1 where session.string.hasPrefix("1"):
        try await world.send(["type": "submit"], to: session)
      case 2: try await world.send(Self.rename, to: session)
      case 3 where session.string.hasPrefix("1"):
        try await world.send(["type": "didChange", "row": "size", "value": nil], to: session)
        try await world.send(["type": "didSelect", "row": "tools"], to: session)
      default: break
      }
    }
  }

  /// The records of the states in a checkpoint, without what surrounds them.
  private static func records(in checkpoint: Checkpoint) throws -> [JSONValue?] {
    let states = try JSONReader(#require(checkpoint.parts["screen/form"]))
    return try [checkpoint.parts["initial/form"]]
      + sessions.map { try states.member($0).member("state").value }
  }

  /// Checks that an engine that begins with a checkpoint goes on like another one.
  private func check(_ checkpoint: Checkpoint, against world: World) async throws {
    let journal = MemoryJournal()
    try journal.write(checkpoint)
    let next = try World(journal)
    let records = try [world, next].map { try Self.records(in: $0.engine.checkpoint()) }
    #expect(records[0] == records[1])
    #expect(next.engine.statistics.stateByteCount == world.engine.statistics.stateByteCount)
    for write in [nil, "1", "2"] as [ResourceID?] {
      if let write { for world in [world, next] { try await world.retitle(write, "New") } }
      let (here, there) = (try world.shown(), try next.shown())
      #expect(here.map(\.token) == there.map(\.token))
      #expect(here.map(\.snapshot) == there.map(\.snapshot))
    }
  }

  @Test(
    "have only what was entered, and the form once, and go on as they were, also if the form changes"
  )
  func restart() async throws {
    let world = try World()
    try await fill(world)
    let checkpoint = try world.engine.checkpoint()
    let forms = try #require(checkpoint.parts["initial/form"])
    let states = try #require(checkpoint.parts["screen/form"])
    #expect(try JSONReader(forms).object().count == 2)
    for (session, state) in try JSONReader(states).object() {
      let changes = try JSONReader(state).member("state").member("changes").value
      let isArranged = changes.value(at: JSONPointer(tokens: ["fields", "outline"])) != nil
      #expect(isArranged || changes.canonicalByteCount < 1_000, "\(session) \(changes)")
    }
    try await check(checkpoint, against: world)
  }

  @Test("are what they were if the form was changed before, and users have arranged it")
  func changedForm() async throws {
    let world = try World()
    try await fill(world)
    try await world.retitle("1", "Newer")
    for session in Self.sessions
    where session.string.hasPrefix("1") && session.string.hasSuffix("5") {
      try await world.send(["type": "didChange", "row": "email", "value": "a@b.org"], to: session)
    }
    try await check(world.engine.checkpoint(), against: world)
  }

  @Test("are read from a checkpoint that has all of each")
  func whole() async throws {
    let world = try World()
    try await fill(world)
    let checkpoint = try world.engine.checkpoint()
    var parts = checkpoint.parts
    let forms = try JSONReader(#require(parts["initial/form"])).object()
    parts["initial/form"] = nil
    var states = try JSONReader(#require(parts["screen/form"])).object()
    for (session, kept) in states {
      let form = try #require(forms[session.string.hasPrefix("1") ? "1" : "2"])
      let record = try JSONReader(kept).member("state")
      let state = try #require(
        JSONReader(form).member("state").value.changed(by: record.member("changes").value))
      states[session] = kept.changed(by: ["state": ["changes": nil, "state": [state]]])
    }
    parts["screen/form"] = .object(states)
    try await check(Checkpoint(position: checkpoint.position, parts: parts), against: world)
  }

  @Test(
    "count for the memory of all states what they share with no other: rows that users have arranged"
  )
  func arrangedRows() async throws {
    let world = try World()
    func growth(_ command: JSONValue, _ session: Text) async throws -> Int {
      let before = world.engine.statistics.stateByteCount
      try await world.send(command, to: session)
      return world.engine.statistics.stateByteCount - before
    }
    let entered = try await growth(
      ["type": "didChange", "row": "email", "value": "a@example.org"], Self.sessions[1])
    let arranged = try await growth(Self.rename, Self.sessions[2])
    #expect(
      (1_500..<3_000).contains(entered) && arranged > entered + 2_000, "\(entered) \(arranged)")
  }

  @Test("share the form when they are read")
  func shared() throws {
    let form = try #require(FormData.demo().parents.first)
    let json = try JSONValue(encoding: FormFields<FormScreen.Kinds>(form.outline))
    func rows(_ fields: FormFields<FormScreen.Kinds>) -> UnsafeRawPointer? {
      fields.outline.sections.withUnsafeBytes { $0.baseAddress }
    }
    let copy = try JSONValue(parsing: json.canonicalBytes())
    let fields = try CommonParts.kept { () throws(JSONShapeError) in
      [
        try json.decode(FormFields<FormScreen.Kinds>.self),
        try copy.decode(FormFields<FormScreen.Kinds>.self),
      ]
    }
    #expect(rows(fields[0]) == rows(fields[1]))
  }

  @Test("share the options that their screen sets, while they run and when they are read")
  func sharedOptions() throws {
    let outline = FormKinds.standard.outline([
      ["id": "s", "rows": [["id": "room", "kind": "dropdown", "label": "Room"]]]
    ])
    func fields(_ count: Int) -> FormFields<StandardKinds> {
      var fields = FormFields<StandardKinds>(outline)
      fields.setOptions((1...count).map { ("\($0)", "A room with a long name") }, of: "room")
      return fields
    }
    func options(_ fields: FormFields<StandardKinds>) throws -> UnsafeRawPointer? {
      let rule = try fields.input(of: #require(fields.outline.row("room")))?.rule
      return try #require(rule as? DropdownRule).options.withUnsafeBytes { $0.baseAddress }
    }
    let (first, other, second) = (fields(200), fields(199), fields(200))
    let bytes = try JSONValue(encoding: first).canonicalBytes()
    let read = try CommonParts.kept { () throws in
      try (1...2).map { _ in try JSONValue(parsing: bytes).decode(FormFields<StandardKinds>.self) }
    }
    #expect(read == [first, first])
    for fields in [second] + read { #expect(try options(fields) == options(first)) }
    #expect(try options(other) != options(first))
  }
}
