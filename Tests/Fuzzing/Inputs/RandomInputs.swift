import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import ViewState

/// Makes random inputs for all screens and stores. It knows a screen by its description and its rows
/// alone, so a new screen is exercised without a change here.
struct RandomInputs {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A key of few, so that most have come before with the same request or another one.
  private mutating func key() -> RequestKey? {
    guard random.chance(0.4) else { return nil }
    return RequestKey(
      target: random.pick(["POST /a", "POST /b"]), name: "\(random.number(in: 1...9))",
      fingerprint: random.chance(0.8) ? "one" : "other")
  }

  /// Lets one thing happen; it may be refused.
  mutating func step(_ world: World, _ scheduler: ManualScheduler) async throws {
    switch random.number(in: 0...19) {
    case 0...11: await command(world)
    case 12...15:
      scheduler.advance(by: .milliseconds(random.number(in: 0...4_000)), world.settle)
    case 16 where random.chance(0.2):
      var settings = World.settings
      settings.keys.count = random.number(in: 3...12)
      try world.engine.configure(settings)
    case 16: await faults(world)
    default: await write(world)
    }
  }

  private mutating func command(_ world: World) async {
    let (name, key) = random.pick(World.names)
    guard let instance = try? world.registry.instance(screen: name, key: key),
      let descriptor = world.registry.descriptors.first(where: { $0.name == name })
    else { return }
    let rows = instance.current.snapshot.sections.flatMap { Array($0.rows) }
    let actions = rows.compactMap { $0.fields["action"] }
    var body: JSONValue?
    if random.chance(0.4), !actions.isEmpty {
      body = try? JSONReader(random.pick(actions)).member("command").value
    }
    let chosen = body ?? value(random.pick(descriptor.commands).schema, ids: rows.map(\.id))
    guard let command = try? SentCommand(JSONReader(chosen)) else { return }
    let tokens: Set = [instance.current.token]
    _ = try? await world.registry.send(
      command, to: name, key, expecting: random.chance(0.1) ? tokens : nil, once: self.key())
  }

  private mutating func faults(_ world: World) async {
    let script = FaultScript(
      latency: random.chance(0.3) ? .milliseconds(random.number(in: 0...3_000)) : nil,
      outcomes: (0...random.number(in: 0...2)).map { _ in
        random.pick([.succeed, .fail, .hang, .late])
      })
    let sources: [Text] = ["posts", "profile", "podcasts", "activity", "registry", "submission"]
    try? await world.faults.set(script, for: random.pick(sources), of: id().text)
  }

  private mutating func write(_ world: World) async {
    switch random.number(in: 0...9) {
    case 0: _ = try? await world.profiles.createChild(post(), of: id(), once: key())
    case 1: try? await world.profiles.deleteChild(id(40), of: id())
    case 2:
      guard let post = try? world.profiles.value.child(id(40), of: id()) else { return }
      var changed = post.resource
      changed.title = text()
      _ = try? await world.profiles.replace(changed, of: changed.userID)
    case 3:
      guard var user = try? world.profiles.value.parent(id()).resource else { return }
      if random.chance(0.5) { user.email = text() } else { user.city = text() }
      _ = try? await world.profiles.replace(user)
    case 4 where random.chance(0.1):
      try? await world.profiles.deleteParent(id())
    case 4:
      _ = try? await world.profiles.createParent(
        ["id": id().json, "username": .string(text())], once: key())
    case 5:
      _ = try? await world.podcasts.createChild(
        ["title": .string(text())], of: id(), once: key())
    case 6: try? await world.podcasts.deleteChild(id(9), of: id())
    case 7:
      let body: JSONValue = ["id": id().json, "title": .string(text())]
      _ = try? await world.boards.write(
        random.chance(0.8)
          ? .player(.create(["name": .string(text()), "score": 3]), of: id())
          : .board(.create(body)), once: key())
    case 8:
      _ = try? await world.boards.write(
        random.chance(0.9) ? .player(.delete(id(9)), of: id()) : .board(.delete(id())))
    default:
      let number = JSONValue.string(random.pick(["DE136695976", "DE115235681"]))
      _ = try? await world.companies.write(
        .create(["name": .string(text()), "city": .string(text()), "taxNumber": number]),
        once: key())
    }
  }

  private mutating func id(_ greatest: Int = 6) -> ResourceID {
    ResourceID(random.number(in: 1...greatest))
  }

  private mutating func text() -> Text {
    random.pick(["a", "b", "é", "e\u{301}", "long ", "2026"])
  }

  private mutating func post() -> JSONValue {
    var members: [Text: JSONValue] = ["title": .string(text()), "body": .string(text())]
    if random.chance(0.5) { members["date"] = .string("2026-01-0\(random.number(in: 1...9))") }
    return .object(members)
  }

  /// A value that a JSON schema describes, most of the time.
  private mutating func value(_ schema: JSONValue, ids: [Text]) -> JSONValue {
    guard case .object(let schema) = schema, random.chance(0.99) else {
      return random.json(depth: 1)
    }
    if let constant = schema["const"] { return constant }
    if case .array(let list)? = schema["enum"], !list.isEmpty { return random.pick(list) }
    if case .array(let list)? = schema["oneOf"], !list.isEmpty, schema["properties"] == nil {
      return value(random.pick(list), ids: ids)
    }
    var type = schema["type"]
    if case .array(let types)? = type, !types.isEmpty { type = random.pick(types) }
    switch type {
    case "object": return object(schema, ids: ids)
    case "array":
      let items = schema["items"] ?? .null
      return .array((0..<random.number(in: 0...3)).map { _ in value(items, ids: ids) })
    case "integer", "number": return .integer(random.number(in: 0...12))
    case "boolean": return .bool(random.chance(0.5))
    case "null": return .null
    case "string":
      guard random.chance(0.6), !ids.isEmpty else { return .string(text()) }
      // The id of a row, or of what it shows: `player/3` is player 3.
      let id = random.pick(ids).string
      return .string(Text(random.chance(0.6) ? String(id.split(separator: "/").last ?? "x") : id))
    default: return random.json(depth: 1)
    }
  }

  private mutating func object(_ schema: [Text: JSONValue], ids: [Text]) -> JSONValue {
    guard case .object(let properties)? = schema["properties"] else { return .object([:]) }
    var required: Set<JSONValue> = []
    if case .array(let names)? = schema["required"] { required = Set(names) }
    var members: [Text: JSONValue] = [:]
    // In an order that is the same in every process.
    for name in properties.keys.sorted() {
      guard required.contains(.string(name)) || random.chance(0.3) else { continue }
      members[name] = value(properties[name] ?? .null, ids: ids)
    }
    return .object(members)
  }
}
