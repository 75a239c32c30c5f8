package import CanonicalJSON

/// A script of how the next loads of a source for one key end, to try how a screen shows failures.
///
/// ```swift
/// var script = FaultScript(latency: .seconds(1), outcomes: [.fail, .hang])
/// script.next()  // fail
/// ```
package struct FaultScript: Hashable, Sendable {
  /// The end of a load.
  package enum Outcome: Hashable, Sendable {
    /// The load ends with its value.
    case succeed
    /// The load ends with a ``LoadFailure`` that has this code and message.
    case failure(code: Text, message: Text)
    /// The load does not end until the time-out of the engine ends it.
    case hang
    /// The load does not end until a cancel or the time-out of the engine ends it. Its result comes when the next load
    /// of the source starts after that, and changes nothing.
    case late

    /// The load ends with ``LoadFailure/unavailable``.
    package static let fail = failure(
      code: LoadFailure.unavailable.code, message: Text(LoadFailure.unavailable.message))

    /// The outcomes that are written as a word.
    fileprivate static let words: [(name: Text, outcome: Outcome)] = [
      ("succeed", .succeed), ("fail", .fail), ("hang", .hang), ("late", .late),
    ]
  }

  /// The duration of the loads; `nil` for the usual one of the source.
  package var latency: Duration?
  /// The ends of the next loads, in order.
  package var outcomes: [Outcome]
  /// The end of all later loads.
  package var then: Outcome

  /// Creates a script, by default one with which each load succeeds after the usual time.
  package init(latency: Duration? = nil, outcomes: [Outcome] = [], then: Outcome = .succeed) {
    self.latency = latency
    self.outcomes = outcomes
    self.then = then
  }

  /// What the script takes of ``ScriptedFaults/limit``: one, and one more for each outcome.
  var size: Int { 1 + outcomes.count }

  /// Removes the end of the next load from the script, and returns it.
  mutating func next() -> Outcome {
    outcomes.isEmpty ? then : outcomes.removeFirst()
  }
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
  package init(_ reader: JSONReader) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["latencyMilliseconds", "outcomes", "then"])
    self.init()
    if let member = try reader.nullableMember("latencyMilliseconds") {
      let milliseconds = try member.integer()
      guard (0...Self.longestLatency).contains(milliseconds) else {
        throw member.error("expected 0 to \(Self.longestLatency) milliseconds")
      }
      latency = .milliseconds(milliseconds)
    }
    if let member = try reader.nullableMember("outcomes") {
      let elements = try member.elements()
      guard elements.count <= Self.largestOutcomeCount else {
        throw member.error("expected at most \(Self.largestOutcomeCount) outcomes")
      }
      for element in elements { outcomes.append(try Outcome(element)) }
    }
    if let member = try reader.nullableMember("then") { then = try Outcome(member) }
  }

  /// The script as JSON.
  package var json: JSONValue {
    var members: [Text: JSONValue] = [
      "outcomes": .array(outcomes.map(\.json)), "then": then.json,
    ]
    members["latencyMilliseconds"] = latency.map { .integer($0.wholeUnits(perSecond: 1_000)) }
    return .object(members)
  }
}

extension FaultScript.Outcome {
  /// Returns work that ends like this after a time.
  func work(after latency: Duration) -> Work {
    switch self {
    case .succeed: .succeeding(after: latency)
    // It has its message in each language.
    case .fail: .failing(.unavailable, after: latency)
    case .failure(let code, let message):
      .failing(LoadFailure(code: code, message: message.string), after: latency)
    case .hang: .hanging
    case .late: .late
    }
  }

  /// Reads the name of an outcome, or a failure with its code and the sentence for people.
  fileprivate init(_ reader: JSONReader) throws(JSONShapeError) {
    switch reader.value {
    case .string(let name):
      guard let word = Self.words.first(where: { $0.name == name }) else {
        let names = Self.words.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw reader.error("expected one of \(names), or an object with a code")
      }
      self = word.outcome
    default:
      try reader.object()
      try reader.rejectUnknownMembers(allowed: ["code", "detail"])
      let detail = try reader.nullableMember("detail")
        .map { (json) throws(JSONShapeError) in try ValueType<Text>.text().read(json) }
      self = .failure(
        code: try ValueType<Text>.text(1...100).read("code", of: reader),
        message: detail ?? "The source has failed.")
    }
  }

  fileprivate var json: JSONValue {
    if let word = Self.words.first(where: { $0.outcome == self }) { return .string(word.name) }
    guard case .failure(let code, let message) = self else { return .null }
    return ["code": .string(code), "detail": .string(message)]
  }
}

/// Coded as ``FaultScript/json``.
extension FaultScript: Codable {
  /// Reads a script.
  package init(from decoder: any Decoder) throws { try self.init(JSONReader(from: decoder)) }

  /// Writes the script.
  ///
  /// - Throws: `EncodingError` if the latency is not a whole number of milliseconds, or is too long.
  package func encode(to encoder: any Encoder) throws {
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
