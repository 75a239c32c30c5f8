public import CanonicalJSON
public import MicroHTTP
public import ViewState

/// Collects what the features of an ``Application`` add to it. See ``Feature`` for an example.
public struct ApplicationBuilder {
  /// The engine of the application, for the stores of a feature.
  public let engine: Engine
  /// The routes so far. A feature may add its own, but none that another feature or the server has: see
  /// ``Application/init(_:features:)``.
  public var router = Router()
  /// Makes the replies of routes of a feature's own that read a store.
  public let replies: ResourceReplies

  private(set) var registry: ScreenRegistry
  private(set) var screenKeys: [Text: ScreenKeys] = [:]
  private(set) var faultTargets: [Text: any FaultTarget] = [:]
  /// What features add to the OpenAPI document, in the order of the features.
  private(set) var documentFragments: [JSONValue] = []

  private let configuration: ApplicationConfiguration
  private let unknownMembers = UnknownMembers()
  /// The object of the data file, of which ``takeData(_:)`` takes members; `nil` if the application has none.
  public let data: JSONReader?
  /// The members of the data file that a feature has taken.
  private(set) var takenMembers: Set<Text> = []
  private var sources: Set<Text> = []

  init(_ configuration: ApplicationConfiguration, _ cache: ReplyCache) {
    self.configuration = configuration
    engine = Engine(environment: configuration.environment, seed: configuration.seed)
    registry = ScreenRegistry(engine)
    replies = ResourceReplies(epoch: engine.epoch(of: "resources"), cache: cache)
    data = configuration.data.map { [unknownMembers] in JSONReader($0, noting: unknownMembers) }
  }
}

/// What features add.
extension ApplicationBuilder {
  /// Adds a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - keys: Where a client finds the keys. Without them it has to know them.
  /// - Precondition: No other screen has its name, and its opening command, if it has one, is one of its
  ///   commands and requires no arguments.
  public mutating func add<S: Screen>(_ screen: S, keys: ScreenKeys? = nil) {
    registry.register(screen)
    screenKeys[S.name] = keys
  }

  /// Adds a screen that runs its commands by hand.
  package mutating func add(_ screen: some ScreenMachine, keys: ScreenKeys? = nil) {
    registry.register(screen)
    screenKeys[screen.descriptor.name] = keys
  }

  /// Adds the REST endpoints of a collection.
  ///
  /// - Precondition: No other endpoint has its paths.
  public mutating func add<Resource, Missing>(_ collection: CollectionEndpoints<Resource, Missing>)
  {
    collection.register(in: &router, replies)
  }

  /// Lets clients script the faults of a source under `/v1/faults/{source}/{key}`, if the application
  /// allows that.
  ///
  /// - Precondition: No other source whose faults can be scripted has this name.
  public mutating func addFaults(of source: Text, _ target: some FaultTarget) {
    precondition(faultTargets[source] == nil, "two sources with faults are named \(source)")
    faultTargets[source] = target
  }

  /// Adds a fragment to the OpenAPI document, such as the paths and schemas of a feature's own routes.
  public mutating func document(_ fragment: JSONValue) {
    documentFragments.append(fragment)
  }
}

/// What the start of the application decides, over the configuration of features.
extension ApplicationBuilder {
  /// Takes members of the data file. An array of objects that no feature takes becomes a screen
  /// `collection/{name}` and a REST collection `/v1/collections/{name}`; other members are listed in
  /// ``Application/ignoredData``.
  ///
  /// ```swift
  /// let file = application.takeData("notes")
  /// let notes = try file.map { file in try Notes(file.nullableMember("notes")) } ?? demo
  /// ```
  ///
  /// - Returns: The object of the whole file, in which a member may be missing or null; `nil` if the
  ///   application has no data file, so that the feature starts with data of its own.
  public mutating func takeData(_ members: Text...) -> JSONReader? {
    takenMembers.formUnion(members)
    return data
  }

  /// The members of the data file that no feature read, at every depth, for people.
  func ignoredData() throws(JSONShapeError) -> String {
    guard let data = configuration.data else { return "" }
    let untaken = UnknownMembers()
    try JSONReader(data, noting: untaken).noteUnknownMembers(besides: takenMembers)
    return [untaken, unknownMembers].filter { !$0.isEmpty }.map(\.description)
      .joined(separator: ", ")
  }

  /// Returns how long a load of a source takes, if no fault script says otherwise.
  ///
  /// ```swift
  /// let latency = application.latency(of: "notes", usually: .milliseconds(200))
  /// ```
  ///
  /// - Parameters:
  ///   - source: The name of the source. ``ApplicationConfiguration/latencies`` may name it.
  ///   - usual: The latency that the feature is configured with.
  public mutating func latency(of source: Text, usually usual: Duration = .zero) -> Duration {
    sources.insert(source)
    return configuration.latencies[source] ?? configuration.latency ?? usual
  }

  /// Returns what stays on a screen while it is loaded again.
  ///
  /// - Parameter usual: The policy that the feature is configured with.
  public func refreshPolicy(usually usual: RefreshPolicy = .keepPrevious) -> RefreshPolicy {
    engine.settings.refreshPolicy ?? usual
  }

  /// Checks that each latency of the configuration is of a source that some feature has.
  func checkLatencies() throws(ApplicationError) {
    for source in configuration.latencies.keys.sorted() where !sources.contains(source) {
      throw .unknownSource(source, known: sources.sorted())
    }
  }
}

/// An error in the configuration of an application that only shows with its features.
public enum ApplicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A latency is configured for a source that no feature has.
  case unknownSource(Text, known: [Text])

  public var description: String {
    switch self {
    case .unknownSource(let name, let known):
      let names = known.map(\.string).joined(separator: ", ")
      return "there is no source \(name); "
        + (known.isEmpty ? "no source has a latency" : "the sources are \(names)")
    }
  }
}
