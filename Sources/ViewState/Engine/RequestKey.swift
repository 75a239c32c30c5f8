public import CanonicalJSON
import Snapshots

/// The key of a request, for which the engine remembers the outcome: a request that is sent again is not applied
/// again.
///
/// ```swift
/// let key = RequestKey(target: "POST /v1/notes", name: "8e03978e", fingerprint: hash)
/// let note = try await notes.write(.create(body), once: key)
/// ```
public struct RequestKey: Codable, Hashable, Sendable {
  /// The target of the request. Equal names for different targets are different keys.
  public let target: Text
  /// The name that the client has given to the request.
  public let name: Text
  /// A hash of the content of the request. A request with the same key and another fingerprint is refused.
  public let fingerprint: Text

  /// Creates a key.
  public init(target: Text, name: Text, fingerprint: Text) {
    (self.target, self.name, self.fingerprint) = (target, name, fingerprint)
  }
}

/// A refusal of an input, as the engine remembers it for a ``RequestKey``.
package protocol KeyRefusal: Error, Codable, Sendable {
  /// The refusal of a request with a key that another request had before.
  static var reusedKey: Self { get }

  /// The refusal of an input that the ``Journal`` of the engine cannot record now. Nothing has changed, and the
  /// request may be sent again.
  static var notRecorded: Self { get }

  /// The refusal of an input if a ``Journal`` has not confirmed, or not in time, that the input is recorded. The input
  /// may still be applied, so only a request with a key may be sent again.
  static var unconfirmed: Self { get }

  /// Whether the refusal is remembered for the key. If it is `false`, a request with the same key is applied again.
  var isFinal: Bool { get }
}

/// The limits of the outcomes that an engine remembers for the keys of requests.
///
/// ```swift
/// Settings(keys: KeyLimits(count: 1_000, lifetime: .seconds(600)))
/// ```
public struct KeyLimits: Hashable, Sendable {
  /// The largest number of outcomes. Beyond it, the oldest are forgotten.
  public var count: Int
  /// The largest memory of all outcomes and keys, in bytes, estimated. Beyond it, the oldest are forgotten.
  public var byteCount: Int
  /// The time after which an outcome is forgotten, in whole seconds.
  public var lifetime: Duration

  /// Creates limits, by default 10,000 outcomes, 16 MiB and one hour.
  public init(
    count: Int = 10_000, byteCount: Int = 16 * 1024 * 1024, lifetime: Duration = .seconds(3600)
  ) {
    (self.count, self.byteCount, self.lifetime) = (count, byteCount, lifetime)
  }
}

/// An input whose outcome can be remembered.
protocol RepeatableInput: RequestInput where Success: Codable {}

/// An input that is applied once, however often its request comes.
struct Once<Repeatable: RepeatableInput>: RequestInput {
  typealias Success = Repeatable.Success
  typealias Failure = Repeatable.Failure

  let input: Repeatable
  let key: RequestKey

  var subject: Text { input.subject }
  var memoryByteCount: Int { input.memoryByteCount }

  func json() throws(JSONShapeError) -> JSONValue {
    try input.json().mergePatched(with: ["once": JSONValue(encoding: key)])
  }

  func apply(in step: Step) -> Repeatable.Outcome {
    let limits = step.transaction.stores.settings.keys
    switch step.memory.outcomes.find(key, at: step.time, limits) {
    case .reused: return .failure(.reusedKey)
    case .known(let json): return outcome(json)
    case nil:
      let outcome = input.apply(in: step)
      if case .failure(let refusal) = outcome, !refusal.isFinal { return outcome }
      step.memory.outcomes.remember(json(of: outcome), for: key, at: step.time, limits)
      return outcome
    }
  }

  /// The JSON form of an outcome; null if it has none. The request is refused then if it comes again, for
  /// it must not be done twice.
  private func json(of outcome: Repeatable.Outcome) -> JSONValue {
    do {
      switch outcome {
      case .success(let success): return ["done": try JSONValue(encoding: success)]
      case .failure(let refusal): return ["refused": try JSONValue(encoding: refusal)]
      }
    } catch {
      return .null
    }
  }

  private func outcome(_ json: JSONValue) -> Repeatable.Outcome {
    let reader = JSONReader(json)
    do {
      if let refusal = try reader.optionalMember("refused") {
        return .failure(try refusal.decode(Repeatable.Failure.self))
      }
      return .success(try reader.member("done").decode(Repeatable.Success.self))
    } catch {
      return .failure(.reusedKey)
    }
  }
}

/// The remembered outcomes of requests, by the target and the name of the request.
///
/// A copy costs O(1).
struct Outcomes: Equatable, Sendable {
  /// The outcomes, oldest first.
  fileprivate var entries: KeyedSequence<Entry> = []
  /// The estimated memory of all outcomes, in bytes.
  private(set) var byteCount = 0

  fileprivate struct Entry: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
      let target: Text
      let name: Text
    }

    let id: ID
    let fingerprint: Text
    let time: Timestamp
    /// As canonical JSON, which takes the least memory.
    let outcome: [UInt8]

    /// The estimated memory of the entry, with its share of the tables, in bytes.
    var byteCount: Int { 512 + id.target.byteCount + id.name.byteCount + outcome.count }
  }

  /// The outcome for a key.
  enum Finding {
    case known(JSONValue)
    /// Another request had the key before.
    case reused
  }

  /// The number of keys.
  var count: Int { entries.count }

  /// Returns the outcome for a key, after it has removed those that are too old.
  ///
  /// - Returns: `nil` if the key is new.
  /// - Complexity: O(log *n*) expected, amortised, where *n* is the number of keys.
  mutating func find(
    _ key: RequestKey, at time: Timestamp, _ limits: KeyLimits
  ) -> Finding? {
    forget(at: time, limits)
    let id = Entry.ID(target: key.target, name: key.name)
    guard let entry = entries[id: id] else { return nil }
    return entry.fingerprint == key.fingerprint ? .known(entry.json) : .reused
  }

  /// Adds the outcome for a new key, and removes the oldest ones beyond the limits.
  ///
  /// - Complexity: O(log *n*) expected, amortised, where *n* is the number of keys.
  mutating func remember(
    _ outcome: JSONValue, for key: RequestKey, at time: Timestamp, _ limits: KeyLimits
  ) {
    append(
      Entry(
        id: Entry.ID(target: key.target, name: key.name),
        fingerprint: key.fingerprint, time: time, outcome: outcome.canonicalBytes()))
    forget(at: time, limits)
  }

  fileprivate mutating func append(_ entry: Entry) {
    entries.append(entry)
    byteCount += entry.byteCount
  }

  private mutating func forget(at time: Timestamp, _ limits: KeyLimits) {
    while let oldest = entries.first,
      entries.count > limits.count || byteCount > limits.byteCount
        || time >= oldest.time.advanced(by: limits.lifetime)
    {
      byteCount -= oldest.byteCount
      entries.remove(id: oldest.id)
    }
  }
}

extension Outcomes.Entry: Codable {
  private enum CodingKeys: CodingKey {
    case target
    case name
    case fingerprint
    case time
    case outcome
  }

  /// The outcome, which holds a document that a request could hold, and more around it.
  fileprivate var json: JSONValue {
    (try? JSONValue(parsing: outcome, limits: .greatest)) ?? .null
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = ID(
      target: try container.decode(Text.self, forKey: .target),
      name: try container.decode(Text.self, forKey: .name))
    fingerprint = try container.decode(Text.self, forKey: .fingerprint)
    time = try container.decode(Timestamp.self, forKey: .time)
    outcome = try container.decode(JSONValue.self, forKey: .outcome).canonicalBytes()
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.target, forKey: .target)
    try container.encode(id.name, forKey: .name)
    try container.encode(fingerprint, forKey: .fingerprint)
    try container.encode(time, forKey: .time)
    try container.encode(json, forKey: .outcome)
  }
}

/// As an array, oldest first.
extension Outcomes: Codable {
  init(from decoder: any Decoder) throws {
    for entry in try [Entry](from: decoder) { append(entry) }
  }

  func encode(to encoder: any Encoder) throws { try entries.encode(to: encoder) }
}
