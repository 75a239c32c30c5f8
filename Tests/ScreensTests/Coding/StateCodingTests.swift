import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import Forms
@testable import Screens
@testable import ViewState

@Suite("A state after a random walk, as JSON")
struct StateCodingTests {
  private static let start = Timestamp(secondsSince1970: 0)

  @Test("reads back as it was, and is shown alike: the profile and the podcasts")
  func loads() throws {
    let profiles = ProfileScreen(store: try ProfileFixture().store)
    let podcasts = PodcastsScreen(store: try PodcastsFixture().store)
    try withSeeds(5) { random in
      var profile = ProfileScreen.State()
      var list = PodcastsScreen.State(
        listener: Listener(id: random.id(), name: random.text()), policy: .keepPrevious)
      for _ in 0..<20 {
        let posts = KeyedSequence(random.list { $0.post() })
        _ = profile.profile.reduce(random.loadAction(profile.profile, random.user()))
        _ = profile.posts.reduce(random.loadAction(profile.posts, posts))
        _ = list.podcasts.reduce(random.loadAction(list.podcasts, KeyedSequence(random.podcasts())))
        list.policy = random.pick(RefreshPolicy.allCases)
        try Self.check(profile, on: profiles, &random)
        // What a cancel goes back to survives, although nothing shows it.
        var (here, there) = (profile, try requireCoding(profile, &random))
        try require(
          here.posts.reduce(.cancel) == there.posts.reduce(.cancel) && here == there,
          "a cancel goes back to something else")
        try Self.check(list, on: podcasts, &random)
      }
    }
  }

  @Test("reads back as it was, and is shown alike: scoreboards")
  func scoreboards() throws {
    let fixture = try ScoreboardFixture()
    let (list, board) = (
      ScoreboardsScreen(store: fixture.store), ScoreboardScreen(store: fixture.store)
    )
    try withSeeds(5) { random in
      var data = try ScoreboardData(JSONReader(ScoreboardFixture.data))
      for _ in 0..<30 {
        _ = try? data.apply(random.scoreboardWrite(), at: Self.start)
        var again = try requireCoding(data, &random)
        try Self.check(data.boards.elements, on: list, &random)
        for shown in data.boards.elements where random.chance(0.3) {
          try Self.check(shown, on: board, &random)
        }
        let write = random.scoreboardWrite()
        _ = try? data.apply(write, at: Self.start)
        _ = try? again.apply(write, at: Self.start)
        try require(again == data, "the same write leads elsewhere")
      }
    }
  }

  @Test("reads back as the same bytes of the same snapshot: catalogs")
  func catalogs() throws {
    try withSeeds(5) { random in
      var data = try CatalogData(JSONReader(CatalogFixture.data))
      for _ in 0..<30 {
        _ = try? data.apply(.batch([random.catalogOperation()], of: "1"), at: Self.start)
        var again = try requireCoding(data, &random)
        let bytes = [data, again].map { data in
          data.catalogs.elements[id: "1"]?.content
            .encoded(kind: .snapshot, screen: "s", revision: "r")
        }
        try require(bytes[0] != nil && bytes[0] == bytes[1], "the snapshot has other bytes")
        let write = CatalogWrite.batch([random.catalogOperation()], of: "1")
        _ = try? data.apply(write, at: Self.start)
        _ = try? again.apply(write, at: Self.start)
        try require(again == data, "the same operation leads elsewhere")
        if random.chance(0.1) {
          _ = try data.apply(.catalog(.delete("1")), at: Self.start)
          let again = try requireCoding(data, &random)
          try #require(throws: ScreenLookupError.deletedKey) {
            try again.catalogs.element(for: "1")
          }
          _ = try data.apply(.catalog(.create(["id": 1])), at: Self.start)
        }
      }
    }
  }

  @Test("reads back as it was: companies, in the order in which they came")
  func companies() throws {
    try withSeeds(5) { random in
      var data = CompanyData(limits: CollectionLimits(count: 5))
      for _ in 0..<30 {
        let company = random.company()
        let write: CompanyData.Write =
          switch random.number(in: 0...3) {
          case 0: .delete(company.id)
          case 1: .replace(company)
          default: .create(company.json)
          }
        _ = try? data.apply(write, at: random.moment())
        var again = try JSONValue(encoding: data).decode(CompanyData.self)
        try require(
          again.elements == data.elements && again.version == data.version,
          "the companies are others")
        var copy = data
        let next = CompanyData.Write.create(company.json.mergePatched(with: ["id": nil]))
        let (one, other) = (
          try? copy.apply(next, at: random.moment()), try? again.apply(next, at: random.moment())
        )
        try require(one?.output == other?.output, "the next company gets another id")
      }
    }
  }

  @Test("reads back as it was, and is shown alike: a form with every kind of row")
  func forms() throws {
    let fixture = try FormFixture([])
    let screen = FormScreen(store: fixture.store, companies: fixture.companies)
    let form = try Form(JSONReader(Self.form))
    var seen: Set<Text> = []
    try withSeeds(10) { random in
      var state = FormScreen.State(form: form)
      try state.didChange("n", "7")
      state.submit(as: "")
      Self.end(&state.submission, [.loaded(random.id(), LoadToken(ordinal: 1))])
      seen.formUnion(try Self.check(state, on: screen, &random).rowTypes)
      for _ in 0..<40 {
        try Self.step(&state, of: form, &random)
        guard random.chance(0.2) else { continue }
        seen.formUnion(try Self.check(state, on: screen, &random).rowTypes)
      }
    }
    // The walk comes to what is looked up, to what is wrong and to what is sent.
    for type: Text in ["fieldError", "company", "contentError", "formNotice", "activityEntry"] {
      #expect(seen.contains(type))
    }
  }

  @Test("is refused if the rows of a form could not be such rows")
  func outlines() throws {
    let state = FormScreen.State(form: try Form(JSONReader(Self.form)))
    let json = state.fields.outline.json
    func read(_ json: JSONValue) throws -> FormOutline {
      try FormScreen.Kinds.kinds.reading(json)
    }
    let field: JSONValue = ["id": "z", "kind": "text", "label": "L"]
    func outline(_ rows: JSONValue...) -> JSONValue { [["id": "s", "rows": .array(rows)]] }
    func changed(_ patch: JSONValue) -> JSONValue { outline(field.mergePatched(with: patch)) }
    #expect(try read(json) == state.fields.outline)
    #expect(try read(outline(field)).allRows.count == 1)
    for wrong in [
      outline(field, field), changed(["visibility": ["row": "z", "equals": "x"]]),
      changed(["rows": [field]]), changed(["default": 1]), changed(["kind": "no"]),
      changed(["minLength": 0]), changed(["label": nil]),
    ] {
      #expect(throws: JSONShapeError.self) { try read(wrong) }
    }
    var deep = field
    for depth in 0..<200 {
      deep = ["id": .integer(depth), "kind": "group", "text": "G", "rows": [deep]]
    }
    #expect(throws: JSONShapeError.self) { try read(outline(deep)) }
  }

  /// Checks the law of coding, and that what is read back is shown alike.
  @discardableResult
  private static func check<Shown: Screen>(
    _ state: Shown.State, on screen: Shown, _ random: inout SeededGenerator
  ) throws -> Snapshot {
    let again = try requireCoding(state, &random)
    let (snapshot, other) = (try? screen.snapshot(of: state), try? screen.snapshot(of: again))
    // Random resources may have one id twice; both are refused then.
    try require(snapshot == other, "it is shown in another way")
    return snapshot ?? .empty
  }

  private static let form: JSONValue = [
    "id": 1, "title": "Form",
    "sections": [
      [
        "id": "s", "title": "S",
        "rows": [
          ["id": "h", "kind": "header", "text": "H"],
          ["id": 1, "kind": "text", "label": "T", "maxLength": 3, "default": "ab"],
          [
            "id": "n", "kind": "text", "label": "N", "inputType": "number", "min": 0.5,
            "required": true,
          ],
          [
            "id": "tax", "kind": "taxNumber", "label": "X", "fills": ["name": 1, "city": "c"],
          ],
          [
            "id": "g", "kind": "group", "text": "G", "collapsed": true,
            "rows": [
              ["id": "c", "kind": "text", "label": "C"],
              [
                "id": "g2", "kind": "group", "text": "G",
                "rows": [["id": "p", "kind": "phone", "label": "P", "countryCode": "49"]],
              ],
            ],
          ],
        ],
      ],
      [
        "id": "s2",
        "rows": [
          ["id": "d", "kind": "date", "label": "D", "visibility": ["row": "on", "equals": true]],
          ["id": "on", "kind": "switch", "label": "W"],
          ["id": "o", "kind": "dropdown", "label": "O", "options": FieldTests.options],
          ["id": "send", "kind": "button", "text": "Send", "does": "submit", "weight": 4],
        ],
      ],
    ],
  ]

  private static let values: [JSONValue] = [
    "", " x ", "1", "2000-01-01", "030 901820", "a", "DE136695976", "DE115235681", true, false, nil,
  ]

  /// One thing that a user, a source or a write may do.
  private static func step(
    _ state: inout FormScreen.State, of form: Form, _ random: inout SeededGenerator
  ) throws {
    let rows = state.fields.outline.allRows.map(\.row.id)
    let row = rows.isEmpty ? "h" : random.pick(rows)
    switch random.number(in: 0...12) {
    case 0...2: try? state.didChange(row, random.pick(values))
    case 3: try? state.didChange("tax", random.pick(["DE136695976", "DE115235681"]))
    case 4:
      let found = random.list { $0.company() }
      end(&state.registry, ends(of: found, state.registry, &random))
    case 5: try? state.didSelect(row)
    case 6:
      try? state.didChange("n", "7")
      state.submit(as: "")
    case 7: end(&state.submission, ends(of: random.id(), state.submission, &random))
    case 8, 9: _ = state.activity.reduce(activity(state.activity, &random))
    case 10:
      let operation: JSONValue = random.pick([
        ["operation": "swap", "row": .string(row.text), "other": "h"],
        ["operation": "remove", "ids": [.string(row.text)]],
        [
          "operation": "insertAtEnd", "rows": [["id": "new", "kind": "date", "label": "New"]],
        ],
        [
          "operation": "replace", "row": "c",
          "with": ["id": "c", "kind": "text", "label": "C", "maxLength": 1],
        ],
      ])
      let type = FormOperation.valueType(FormScreen.Kinds.kinds)
      try? state.apply([type.read(JSONReader(operation))])
    case 11: if random.chance(0.3) { state.reset() }
    default:
      var other = form
      other.title = random.shownText()
      if random.chance(0.5) { other.outline = FormOutline() }
      if random.chance(0.3) { state.follow(other) }
    }
  }

  /// An end of a look-up, perhaps of another one than the one that runs.
  private static func ends<Query, Value>(
    of value: Value, _ lookups: Lookups<Query, Value>, _ random: inout SeededGenerator
  ) -> [LoadAction<Value>] {
    let token = random.chance(0.8) ? lookups.running.first?.token : random.token()
    guard let token else { return [.cancel] }
    return [random.chance(0.7) ? .loaded(value, token) : .failed(random.failure(), token)]
  }

  /// Ends the look-up that runs.
  private static func end<Query, Value>(
    _ lookups: inout Lookups<Query, Value>, _ ends: [LoadAction<Value>]
  ) {
    guard let key = lookups.running.first?.key else { return }
    for end in ends { _ = lookups.reduce(.end(end), for: key) }
  }

  private static func activity(
    _ state: PagingState<ActivityEntry>, _ random: inout SeededGenerator
  ) -> PagingAction<ActivityEntry> {
    let entries = random.list { $0.entry() }.sorted { $0.position < $1.position }
    let end = random.maybe { _ in entries.last?.position } ?? nil
    return switch random.number(in: 0...12) {
    case 0, 1: .load
    case 2: .loadNext
    case 3: .retry
    case 4: .cancel
    case 5: .failed(random.failure(), state.token)
    case 6: .changed(KeyedSequence(entries))
    default: .loaded(Page(items: entries, end: end), state.token)
    }
  }
}

extension Snapshot {
  fileprivate var rowTypes: [Text] { sections.flatMap { $0.rows.map(\.type) } }
}
