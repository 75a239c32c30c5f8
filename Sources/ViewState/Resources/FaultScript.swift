public import CanonicalJSON
import HashTreeCollections

/// How the next loads of a source end for one key, to try out how a screen shows failures.
///
/// ```swift
/// var script = FaultScript(latency: .seconds(1), outcomes: [.fail, .hang])
/// script.next()  // fail
/// ```
public struct FaultScript: Hashable, Sendable {
  /// How one load ends.
  public enum Outcome: Text, CaseIterable, Codable, Hashable, Sendable {
    case succeed
    case fail
    /// It never ends; the screen's time-out must.
    case hang
  }

  /// In place of the source's usual latency, where it is given.
  public var latency: Duration?
  /// How the next loads end, in this order.
  public var outcomes: [Outcome]
  /// How all later loads end.
  public var then: Outcome

  /// A script; without arguments one that lets every load succeed in the usual time.
  public init(latency: Duration? = nil, outcomes: [Outcome] = [], then: Outcome = .succeed) {
    self.latency = latency
    self.outcomes = outcomes
    self.then = then
  }

  /// Removes the outcome of the next load from the script.
  public mutating func next() -> Outcome {
    outcomes.isEmpty ? then : outcomes.removeFirst()
  }

  /// Removes the outcome of the next load from the script, and returns how that load goes.
  ///
  /// - Parameter usual: The latency if the script has none.
  public mutating func next(usually usual: Duration) -> Work {
    switch next() {
    case .succeed: .succeeding(after: latency ?? usual)
    case .fail: .failing(.unavailable, after: latency ?? usual)
    case .hang: .hanging
    }
  }
}

/// The fault scripts of sources, by keys: a part of the value of a store, so that a script is used up in the
/// same order everywhere.
public struct FaultScripts: Codable, Equatable, Sendable {
  private var scripts: TreeDictionary<Text, [Text: FaultScript]> = [:]

  /// Creates a value without scripts.
  public init() {}

  /// The rest of the script of a source for a key; `nil` if it has none.
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
  /// The longest latency that a script may ask for, in milliseconds.
  private static let longestLatency = 600_000
  private static let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
  /// The most outcomes that a script may list.
  private static let mostOutcomes = 1_000

  /// Reads `{"latencyMilliseconds": 1500, "outcomes": ["fail", "hang"], "then": "succeed"}`; every
  /// member may be left out.
  ///
  /// - Throws: `JSONShapeError` for unknown members and for values out of range.
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
      guard elements.count <= Self.mostOutcomes else {
        throw JSONShapeError(
          pointer: member.pointer, message: "expected at most \(Self.mostOutcomes) outcomes")
      }
      for element in elements { outcomes.append(try Outcome(element)) }
    }
    if let member = try reader.nullableMember("then") { then = try Outcome(member) }
  }

  /// The script as `init(_:)` reads it.
  public var json: JSONValue {
    var members: [Text: JSONValue] = [
      "outcomes": .array(outcomes.map { .string($0.rawValue) }), "then": .string(then.rawValue),
    ]
    members["latencyMilliseconds"] = latency.map { latency in
      // Not a quotient of durations, which is a double and may be a little less than the number.
      let (seconds, attoseconds) = latency.components
      return .integer(Int(seconds) * 1_000 + Int(attoseconds / Self.attosecondsPerMillisecond))
    }
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

/// As `json`.
extension FaultScript: Codable {
  public init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  /// - Throws: for a latency that is not a whole number of milliseconds, or longer than a script may
  ///   ask for.
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
      && latency.components.attoseconds.isMultiple(of: attosecondsPerMillisecond)
  }
}
