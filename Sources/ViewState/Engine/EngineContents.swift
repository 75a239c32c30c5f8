import CanonicalJSON
import Synchronization

/// The stores and screens of an engine, which read the inputs for them.
final class EngineContents: Sendable {
  private struct State: Sendable {
    var stores: [Text: WeakStore] = [:]
    var hosts: [WeakHost] = []
    /// The parts of checkpoints with stores and screens that the program no longer has.
    var retired: Set<Text> = []
  }

  /// A host keeps the engine, so the engine does not keep the host.
  private struct WeakHost: Sendable {
    weak let host: ScreenHost?
  }

  /// A store keeps the engine, so the engine does not keep the store.
  private struct WeakStore: Sendable {
    weak let store: (any AnyStore)?
    let index: Int
  }

  private let state = Mutex(State())

  func add(_ store: Store<some StoreValue>) {
    state.withLock { $0.stores[store.name] = WeakStore(store: store, index: store.index) }
  }

  func add(_ host: ScreenHost) {
    state.withLock { $0.hosts.append(WeakHost(host: host)) }
  }

  /// Drops the parts of checkpoints with these names, and the inputs for them.
  func retire(_ parts: [Text]) {
    state.withLock { $0.retired.formUnion(parts) }
  }

  /// Returns whether a part of a checkpoint is dropped.
  func isRetired(_ part: Text) -> Bool { state.withLock { $0.retired.contains(part) } }

  /// The screens.
  var hosts: [ScreenHost] {
    // By the index, because a copy of a weak reference takes longer than a look at it.
    state.withLock { state in state.hosts.indices.compactMap { state.hosts[$0].host } }
  }

  /// The indexes of the stores, by their names.
  var storeIndexes: [Text: Int] { state.withLock { $0.stores }.mapValues(\.index) }

  /// Reads an input of these stores and screens.
  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input {
    let input = try plainInput(json)
    if input is RetiredInput { return input }
    guard let once = try json.optionalMember("once") else { return input }
    guard let repeatable = input as? any RepeatableInput else {
      throw once.error("no outcome of this input can be remembered")
    }
    return Self.once(repeatable, try once.decode(RequestKey.self))
  }

  private static func once(_ input: some RepeatableInput, _ key: RequestKey) -> any Input {
    Once(input: input, key: key)
  }

  private func plainInput(_ json: JSONReader) throws(JSONShapeError) -> any Input {
    let (stores, hosts) = state.withLock { ($0.stores, $0.hosts) }
    if let name = try json.optionalMember("store") {
      let text = try name.string()
      guard let store = stores[text]?.store else {
        if isRetired(Checkpoint.storePart(text)) { return RetiredInput(subject: text, json: json) }
        throw name.error(Self.lacks(store: text))
      }
      return try store.input(json)
    }
    if try json.member("kind").value == "configured" {
      return Configured(settings: try json.member("settings").decode(Settings.self))
    }
    let name = try json.member("screen")
    let screen = try name.string()
    guard let host = hosts.lazy.compactMap(\.host).first(where: { $0.descriptor.name == screen })
    else {
      if isRetired(Checkpoint.screenPart(screen)) {
        return RetiredInput(subject: screen, json: json)
      }
      throw name.error(Self.lacks(screen: screen))
    }
    return try host.input(json)
  }

  /// The reason why a program does not start with a journal of another one.
  static func lacks(store name: Text) -> String {
    "this program lacks the store \(name): keep it, or drop its data by Retired(stores: [\"\(name)\"])"
  }

  static func lacks(screen name: Text) -> String {
    "this program lacks the screen \(name): keep it, or drop its states by Retired(screens: [\"\(name)\"])"
  }
}

/// An input for a store or a screen that is retired: it changes nothing.
private struct RetiredInput: Input {
  let subject: Text
  private let recorded: JSONValue

  init(subject: Text, json: JSONReader) {
    (self.subject, recorded) = (subject, json.value)
  }

  func apply(in step: Step) {}

  func json() -> JSONValue { recorded }
}
