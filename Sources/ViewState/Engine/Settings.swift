package import CanonicalJSON

/// The settings of an engine. The effect of an input depends on them, on the stores and on the states. A change of the
/// settings is an input: the journal records one if the server starts with other settings than before.
///
/// ```swift
/// let settings = Settings(loadTimeout: .seconds(5), language: .de)
/// let environment = ScreenEnvironment(settings: settings)
/// ```
public struct Settings: Hashable, Sendable {
  /// The time after which a load fails with ``LoadFailure/timedOut``.
  public var loadTimeout: Duration
  /// The rows that stay while a part is loaded again; `nil` leaves it to the features. It cannot change after
  /// the start, because the screens are made with it.
  public var refreshPolicy: RefreshPolicy?
  /// The language of the texts in rows; `nil` leaves it to the features. It cannot change after the start, because
  /// the screens are made with it. The same state has other rows in another language, so equal inputs give equal
  /// revisions only if the language is the same.
  public var language: Language?
  /// The limits of the outcomes that are remembered for the keys of requests.
  public var keys: KeyLimits
  /// The largest memory of the states that inputs have given to view models, in bytes, estimated, without the lists
  /// that loads copy from a store. A command that would exceed it is refused with ``CommandFailure/full``, and the
  /// command of a session beyond three quarters of it.
  public var stateByteCount: Int

  /// Creates settings, by default with a time-out of 10 s, no policy and no language of their own, and 256 MiB for
  /// states.
  public init(
    loadTimeout: Duration = .seconds(10), refreshPolicy: RefreshPolicy? = nil,
    language: Language? = nil, keys: KeyLimits = KeyLimits(),
    stateByteCount: Int = 256 * 1024 * 1024
  ) {
    (self.loadTimeout, self.refreshPolicy, self.keys) = (loadTimeout, refreshPolicy, keys)
    self.language = language
    self.stateByteCount = stateByteCount
  }

  /// The first setting that others have with another value, as they give it on the command line; `nil` if there is
  /// none.
  func firstDifference(from others: Settings) -> String? {
    if loadTimeout != others.loadTimeout {
      let milliseconds = others.loadTimeout.wholeUnits(perSecond: 1_000)
      let isWhole = milliseconds.isMultiple(of: 1_000)
      return Self.option(
        "load-timeout", isWhole ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms")
    }
    if refreshPolicy != others.refreshPolicy {
      return Self.option("refresh", others.refreshPolicy?.rawValue)
    }
    if language != others.language { return Self.option("language", others.language?.rawValue) }
    if stateByteCount != others.stateByteCount {
      return Self.option("state-memory", "\(others.stateByteCount / (1024 * 1024))")
    }
    return keys == others.keys ? nil : "other limits of idempotency keys"
  }

  /// Checks that settings can follow these.
  ///
  /// - Throws: `JSONShapeError` with the setting that cannot change.
  func check(_ next: Settings) throws(JSONShapeError) {
    guard next.refreshPolicy == refreshPolicy else {
      throw JSONShapeError(
        ["settings", "refreshPolicy"],
        Self.mismatch("refresh", next.refreshPolicy?.rawValue, refreshPolicy?.rawValue))
    }
    guard next.language == language else {
      throw JSONShapeError(
        ["settings", "language"],
        Self.mismatch("language", next.language?.rawValue, language?.rawValue))
    }
  }

  private static func mismatch(_ option: String, _ next: String?, _ own: String?) -> String {
    let own = own.map { Self.option(option, $0) } ?? "none"
    return "needs \(Self.option(option, next)), and the screens were made with \(own)"
  }

  private static func option(_ name: String, _ value: String?) -> String {
    value.map { "--\(name) \($0)" } ?? "no --\(name)"
  }
}

/// Coded with durations as whole numbers, which all JSON libraries keep exact: a time-out of more than 104 days
/// becomes one of 104 days.
extension Settings: Codable {
  private enum CodingKeys: CodingKey {
    case loadTimeoutNanoseconds
    case refreshPolicy
    case language
    case keyCount
    case keyByteCount
    case keyLifetimeSeconds
    case stateByteCount
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      loadTimeout: .nanoseconds(try container.decode(Int64.self, forKey: .loadTimeoutNanoseconds)),
      refreshPolicy: try container.decodeIfPresent(RefreshPolicy.self, forKey: .refreshPolicy),
      language: try container.decodeIfPresent(Language.self, forKey: .language),
      keys: KeyLimits(
        count: try container.decode(Int.self, forKey: .keyCount),
        byteCount: try container.decode(Int.self, forKey: .keyByteCount),
        lifetime: .seconds(try container.decode(Int64.self, forKey: .keyLifetimeSeconds))),
      stateByteCount: try container.decode(Int.self, forKey: .stateByteCount))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(
      loadTimeout.wholeUnits(perSecond: 1_000_000_000), forKey: .loadTimeoutNanoseconds)
    try container.encodeIfPresent(refreshPolicy, forKey: .refreshPolicy)
    try container.encodeIfPresent(language, forKey: .language)
    try container.encode(keys.count, forKey: .keyCount)
    try container.encode(keys.byteCount, forKey: .keyByteCount)
    try container.encode(keys.lifetime.wholeUnits(perSecond: 1), forKey: .keyLifetimeSeconds)
    try container.encode(stateByteCount, forKey: .stateByteCount)
  }
}

/// A change of the settings.
struct Configured: Input {
  let settings: Settings

  var subject: Text { "settings" }

  func json() throws(JSONShapeError) -> JSONValue {
    ["kind": "configured", "settings": try JSONValue(encoding: settings)]
  }

  func apply(in step: Step) -> Result<Void, JSONShapeError> {
    Result { () throws(JSONShapeError) in
      try step.transaction.stores.settings.check(settings)
      step.transaction.configure(settings)
    }
  }
}

extension Engine {
  /// The settings that inputs are applied with.
  ///
  /// - Complexity: O(1).
  public var settings: Settings { stores.settings }

  /// Applies other settings from the next input on.
  ///
  /// - Throws: `JSONShapeError` that names a setting which cannot change; nothing has changed then.
  package func configure(_ settings: Settings) throws(JSONShapeError) {
    try self.settings.check(settings)
    post(Configured(settings: settings))
  }
}
