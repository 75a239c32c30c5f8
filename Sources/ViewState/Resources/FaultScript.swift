public import CanonicalJSON
import HashTreeCollections

/// A list of the ends of the next loads of a source for one key, to try how a screen shows failures.
///
/// ```swift
/// var script = FaultScript(latency: .seconds(1), outcomes: [.fail, .hang])
/// script.next()  // fail
/// ```
public struct FaultScript: Hashable, Sendable {
  /// The end of a load.
  public enum Outcome: Text, CaseIterable, Codable, Hashable, Sendable {
    /// The load ends with its value.
    case succeed
    /// The load ends with ``LoadFailure/unavailable``.
    case fail
    /// The load never ends, until the time-out of the engine ends it.
    case hang
  }

  /// The duration of the loads; `nil` for the usual one of the source.
  public var latency: Duration?
  /// The ends of the next loads, in order.
  public var outcomes: [Outcome]
  /// The end of all later loads.
  public var then: Outcome

  /// Creates a script, by default one with which each load succeeds after the usual time.
  public init(latency: Duration? = nil, outcomes: [Outcome] = [], then: Outcome = .succeed) {
    self.latency = latency
    self.outcomes = outcomes
    self.then = then
  }

  /// Removes the end of the next load from the script, and returns it.
  public mutating func next() -> Outcome {
    outcomes.isEmpty ? then : outcomes.removeFirst()
  }

  /// Removes the end of the next load from the script, and returns the work of that load.
  ///
  /// - Parameter usual: The duration of the load if the script has none.
  public mutating func next(usually usual: Duration) -> Work {
    switch next() {
    case .succeed: .succeeding(after: latency ?? usual)
    case .fail: .failing(.unavailable, after: latency ?? usual)
    case .hang: .hanging
    }
  }
}

/// The fault scripts of sources by their keys. They are a part of the value of a store, so that each engine that
/// applies the same inputs takes the same ends from them.
public struct FaultScripts: Codable, Equatable, Sendable {
  private var scripts: TreeDictionary<Text, [Text: FaultScript]> = [:]

  /// Creates a value without scripts.
  public init() {}

  /// The rest of the script of a source for a key; `nil` if there is none.
  public subscript(source: Text, key: Text) -> FaultScript? {
    get { scripts[key]?[source] }
    set {
      scripts[key, default: [:]][source] = newValue
      if scripts[key]?.isEmpty == true { scripts[key] = nil }
    }
  }

  /// Removes the scripts of all sources for a key.
  public mutating func removeAll(for key: Text) { scripts[key] = nil }
}

extension FaultScript {
  /// The longest latency of a script, in milliseconds.
  private static let longestLatency = 600_000
  /// The largest number of outcomes in a script.
  private static let largestOutcomeCount = 1_000

  /// Reads a script such as `{"latencyMilliseconds":1500,"outcomes":["fail","hang"],"then":"succeed"}`. Each
  /// member may be left out.
  ///
  /// - Throws: `JSONShapeError` if a member is unknown or a value is out of range.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["latencyMilliseconds", "outcomes", "then"])
    self.init()
    if let member = try reader.nullableMember("latencyMilliseconds") {
      let milliseconds = try member.integer()
      guard (0...Self.longestLatency).contains(milliseconds) else {
        throw JSONShapeError(
          pointer: member.pointer, message: "expected 0 to \(Self.longestLatency) milliseconds")
      }
      latency = .milliseconds(milliseconds)
    }
    if let member = try reader.nullableMember("outcomes") {
      let elements = try member.elements()
      guard elements.count <= Self.largestOutcomeCount else {
        throw JSONShapeError(
          pointer: member.pointer, message: "expected at most \(Self.largestOutcomeCount) outcomes")
      }
      for element in elements { outcomes.append(try Outcome(element)) }
    }
    if let member = try reader.nullableMember("then") { then = try Outcome(member) }
  }

  /// The script as JSON.
  public var json: JSONValue {
    var members: [Text: JSONValue] = [
      "outcomes": .array(outcomes.map { .string($0.rawValue) }), "then": .string(then.rawValue),
    ]
    members["latencyMilliseconds"] = latency.map { .integer($0.wholeUnits(perSecond: 1_000)) }
    return .object(members)
  }
}

extension FaultScript.Outcome {
  fileprivate init(_ reader: JSONReader) throws(JSONShapeError) {
    guard let outcome = Self(rawValue: try reader.string()) else {
      let names = Self.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw JSONShapeError(pointer: reader.pointer, message: "expected one of \(names)")
    }
    self = outcome
  }
}

/// Coded as ``FaultScript/json``.
extension FaultScript: Codable {
  /// Reads a script.
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  /// Writes the script.
  ///
  /// - Throws: `EncodingError` if the latency is no whole number of milliseconds, or too long.
  public func encode(to encoder: any Encoder) throws {
    if let latency, !Self.isWritable(latency) {
      throw EncodingError.invalidValue(
        latency,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "expected a latency of 0 to \(Self.longestLatency) milliseconds"))
    }
    try json.encode(to: encoder)
  }

  private static func isWritable(_ latency: Duration) -> Bool {
    (.zero ... .milliseconds(longestLatency)).contains(latency)
      && latency == .milliseconds(latency.wholeUnits(perSecond: 1_000))
  }
}
