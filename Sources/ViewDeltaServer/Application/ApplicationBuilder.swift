public import CanonicalJSON
public import HTTPTypes
public import MicroHTTP
public import ViewState

/// Adds the screens, endpoints and documentation of features to an ``Application``. See ``Feature`` for an
/// example.
public struct ApplicationBuilder {
  /// The engine of the application, for the stores of a feature.
  public let engine: Engine
  /// The routes so far. A feature may add routes that neither another feature nor the server has: see
  /// ``Application/init(features:)``. It must describe these routes by ``document(_:)``; ``on(_:_:_:_:)`` adds a
  /// route with its description.
  public var router = Router()
  /// Makes replies for routes that a feature adds and that read a store.
  public let replies: ResourceReplies

  private(set) var registry: ScreenRegistry
  private(set) var screenKeys: [Text: ScreenKeys] = [:]
  /// The fragments of the OpenAPI document, in the order in which features add them.
  private(set) var documentFragments: [JSONValue] = []
  private var collections: [ResourceDocument] = []
  private(set) var tasks: [ApplicationTask] = []

  private let configuration: ApplicationConfiguration
  let faults: Store<ScriptedFaults>
  private let unknownMembers = UnknownMembers()
  /// The object of the data file; `nil` if the application has none. To read a member here does not take it, as
  /// ``takeData(_:)`` does.
  public let data: JSONReader?
  /// The members of the data file that features have taken.
  private(set) var takenMembers: Set<Text> = []

  init(_ configuration: ApplicationConfiguration, _ cache: ReplyCache) throws(JournalError) {
    var configuration = configuration
    let (environment, seed) = (configuration.environment, configuration.seed)
    engine =
      if let journal = configuration.journal {
        try Engine(
          environment: environment, seed: seed, journal: journal, program: configuration.program,
          configuration.schedule ?? CheckpointSchedule(keeping: configuration.retention))
      } else {
        Engine(environment: environment, seed: seed)
      }
    if engine.isRestored { configuration.data = nil }
    self.configuration = configuration
    faults = Store("fault-scripts", ScriptedFaults(), in: engine)
    registry = ScreenRegistry(engine, faults: faults, latencies: configuration.latencies)
    replies = ResourceReplies(engine: engine, cache: cache)
    data = configuration.data.map { [unknownMembers] in JSONReader($0, noting: unknownMembers) }
  }

  /// Adds features, and the collections of the data file.
  mutating func add(_ features: [any Feature]) throws {
    for feature in features { try feature.register(in: &self) }
    try addDataCollections()
    documentFaults()
  }

  /// For each source a screen that shows it.
  var faultScreens: [Text: Text] {
    let names = registry.descriptors.flatMap { screen in screen.sources.map { ($0, screen.name) } }
    return Dictionary(names) { first, _ in first }
  }
}

extension ApplicationBuilder {
  /// Adds a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - keys: The list of its keys, for clients. Without it a client has to know the keys.
  /// - Precondition: No other screen has its name; the name and the keys can be parts of paths; and its opening command,
  ///   if it has one, is one of its commands and requires no arguments.
  public mutating func add<S: Screen>(_ screen: S, keys: ScreenKeys? = nil) {
    registry.register(screen, keys: keys?.listed ?? [])
    screenKeys[S.name] = keys
  }

  /// Adds the REST endpoints of a collection, and its ``CollectionEndpoints/document`` unless the feature
  /// describes the path of the collection by ``document(_:)``.
  ///
  /// - Precondition: No other endpoint has its paths.
  public mutating func add<Model>(_ collection: CollectionEndpoints<Model>) {
    collection.register(in: &router, replies)
    collections.append(collection.document)
  }

  /// Adds a route with its description in the OpenAPI document.
  ///
  /// ```swift
  /// let operation: JSONValue = [
  ///   "summary": "The number of notes", "tags": ["Notes"],
  ///   "responses": ["200": ["description": "The number."]],
  /// ]
  /// application.on(.get, "/v1/notes-count", operation) { _ in
  ///   .json(["count": .integer(store.value.elements.count)])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - method: GET, which includes HEAD, POST, PUT, PATCH or DELETE.
  ///   - path: The pattern of the path, such as `/v1/notes/{id}/text`.
  ///   - operation: The description, an Operation Object (OpenAPI 3.1, section 4.8.10). If it has no
  ///     `operationId`, it gets one of the method and the path; the parameters of the path are added, and so
  ///     are problems as the `default` response.
  ///   - respond: Returns the reply, in a task of its own. It may block its thread, as a ``ViewState/Source`` may. A
  ///     thrown problem becomes the reply.
  /// - Precondition: `method` is one of those above; `path` is well-formed and not registered for it yet.
  public mutating func on(
    _ method: HTTPRequest.Method, _ path: String, _ operation: JSONValue,
    _ respond: @escaping @Sendable (Request) async throws(ProblemDetails) -> Response
  ) {
    router.on(
      method, path, startsAtOnce: { _ in false }, by: OutsideThreads.routes, respond)
    let name = Text(method.rawValue.lowercased())
    let defaults: JSONValue = [
      "operationId": .string("\(name)\(OpenAPIDocument.componentName(Text(path)))"),
      "responses": [
        "default": [
          "description": "A problem.",
          "content": [
            "application/problem+json": ["schema": .reference(toSchema: "ProblemDetails")]
          ],
        ]
      ],
    ]
    let parameters = path.matches(of: /{(\w+)}/).map { match -> JSONValue in
      [
        "name": .string(Text(match.output.1)), "in": "path", "required": true,
        "schema": ["type": "string"],
      ]
    }
    var item: [Text: JSONValue] = [name: defaults.mergePatched(with: operation)]
    if !parameters.isEmpty { item["parameters"] = .array(parameters) }
    document(["paths": [Text(path): .object(item)]])
  }

  /// Adds a task that runs while the application is served: one that follows a feed, or that works from time to time.
  ///
  /// ```swift
  /// application.addTask("incoming notes") {
  ///   for try await text in feed.texts { try await store.write(.create(["text": .string(text)])) }
  ///   throw FeedError.ended
  /// }
  /// ```
  ///
  /// The task starts when the server listens, and is cancelled when the server begins to end. A check or a replay of a
  /// journal runs no task. If the operation throws, the error is logged, and the operation runs again after a pause of
  /// 1 s, which doubles with each failure up to 60 s, and is 1 s again after a run of 60 s. If it returns, the task is
  /// done. Each of several servers with one journal runs the task: write so that a repeated write changes nothing, or
  /// by ``ViewState/Store/write(_:once:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the task in the log.
  ///   - operation: The work. It may block its thread, which it has alone.
  public mutating func addTask(
    _ name: Text, _ operation: @escaping @Sendable () async throws -> Void
  ) {
    tasks.append(ApplicationTask(name: name, operation: operation))
  }

  /// Returns the fragments of the collections whose paths no other fragment describes.
  func undescribedCollections() -> [JSONValue] {
    let described = documentFragments.reduce(into: Set<Text>()) { described, fragment in
      if case .object(let members) = fragment, case .object(let paths)? = members["paths"] {
        described.formUnion(paths.keys)
      }
    }
    return collections.filter { !described.contains(Text($0.path)) }.map(\.fragment)
  }

  /// Describes the sources whose faults can be scripted.
  private mutating func documentFaults() {
    let sources = faultScreens.keys.sorted().map(JSONValue.string)
    if sources.isEmpty { return }
    document(["components": ["parameters": ["source": ["schema": ["enum": .array(sources)]]]]])
  }

  /// Adds a fragment to the OpenAPI document, such as the paths and schemas of a feature's own routes. It is an
  /// object with any of these members:
  ///
  /// - `tags`, `paths` and `components`, as in an OpenAPI document;
  /// - `problems`: for each status an object with the codes of problems and the conditions under which the feature
  ///   answers with them. These become rows of the table in `ProblemDetails`.
  ///
  /// A fragment may add members and elements to those of the base document, such as examples to an operation. A
  /// component with the name of a command or a row type is a JSON Merge Patch (RFC 7396) for the schema of its
  /// descriptor, for example to add `examples`.
  public mutating func document(_ fragment: JSONValue) {
    documentFragments.append(fragment)
  }
}

/// Applies the configuration of the application, which overrides the configurations of features.
extension ApplicationBuilder {
  /// Takes members of the data file, which the feature reads. An array of objects that no feature takes
  /// becomes a screen `collection/{name}` and a REST collection `/v1/collections/{name}`; other members are
  /// named in a line of the log.
  ///
  /// ```swift
  /// let file = application.takeData("notes")
  /// let notes = try file.map { file in try Notes(file.nullableMember("notes")) } ?? demo
  /// ```
  ///
  /// - Returns: The object of the whole file, in which a member may be missing or null; `nil` if the
  ///   application has no data file. The feature then starts with its own data.
  public mutating func takeData(_ members: Text...) -> JSONReader? {
    takenMembers.formUnion(members)
    return data
  }

  /// Takes members of the data file, and reads them.
  ///
  /// ```swift
  /// let notes = try application.takeData("notes", or: demo) { try Notes($0.nullableMember("notes")) }
  /// ```
  ///
  /// - Parameters:
  ///   - members: The members, as for ``takeData(_:)``.
  ///   - usual: The value if the application has no data file.
  ///   - read: Reads the value from the object of the whole file.
  /// - Throws: Any error of `read`.
  public mutating func takeData<Value>(
    _ members: Text..., or usual: @autoclosure () -> Value, read: (JSONReader) throws -> Value
  ) rethrows -> Value {
    takenMembers.formUnion(members)
    return try data.map(read) ?? usual()
  }

  /// Returns the members of the data file that no feature reads, at any depth, as a text for people.
  func ignoredData() throws(JSONShapeError) -> String {
    guard let data = configuration.data else { return "" }
    let untaken = UnknownMembers()
    try JSONReader(data, noting: untaken).noteUnknownMembers(besides: takenMembers)
    return [untaken, unknownMembers].filter { !$0.isEmpty }.map(\.description)
      .joined(separator: ", ")
  }

  /// The policy for the rows of a part while it is loaded again.
  public var refreshPolicy: RefreshPolicy { engine.settings.refreshPolicy ?? .keepPrevious }

  /// Returns the language of the texts that a feature makes.
  ///
  /// ```swift
  /// application.add(NoteScreen(store: store, language: application.language()))
  /// ```
  ///
  /// - Parameter usual: The language that the feature is configured with.
  public func language(usually usual: Language = .en) -> Language {
    engine.settings.language ?? usual
  }

  /// Checks that each source with a latency in the configuration exists.
  ///
  /// - Throws: ``ApplicationError/unknownSource(_:known:)``.
  func checkLatencies() throws(ApplicationError) {
    let known = Set(registry.descriptors.flatMap(\.sources))
    for source in configuration.latencies.names where !known.contains(source) {
      throw .unknownSource(source, known: known.sorted())
    }
  }
}

/// An error in the combination of features, or of features and a configuration.
public enum ApplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The configuration has a latency for a source that no screen has.
  case unknownSource(Text, known: [Text])
  /// The descriptions of the features cannot be combined into an OpenAPI document, for example because two features
  /// define one component differently. `place` has the names of the members that lead to the error.
  case invalidDocument(place: Text, reason: Text)

  public var description: String {
    switch self {
    case .unknownSource(let name, let known):
      let names = known.map(\.string).joined(separator: ", ")
      return "no screen has a source '\(name)'; "
        + (known.isEmpty ? "there are no sources" : "the sources are \(names)")
    case .invalidDocument(let place, let reason):
      return
        "the OpenAPI document is invalid at \(place.string.isEmpty ? "its root" : place.string): "
        + reason.string
    }
  }
}
