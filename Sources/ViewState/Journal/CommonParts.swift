package import CanonicalJSON
import Snapshots
import Synchronization

/// The parts that many states have in common, such as the description of a form.
///
/// While states are recorded or read, each part is written as JSON once, and read once, and the states that are read
/// share it.
package final class CommonParts: Sendable {
  private struct Part: Sendable {
    let json: JSONValue
    let value: any Equatable & Sendable
  }

  /// Those of the states that are recorded or read now.
  @TaskLocal private static var current: CommonParts?

  /// The parts that states were given last.
  private static let given = CommonParts()

  /// The parts by their types. Those that were asked for last come first.
  private let parts = Mutex<[ObjectIdentifier: [Part]]>([:])
  /// The largest number of parts of a type, each of which is compared with one that is asked for.
  private static let limit = 64

  /// Records or reads states that have parts in common.
  static func kept<Output, Failure: Error>(
    while body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try $current.withValue(CommonParts()) {
      do throws(Failure) { return Result<Output, Failure>.success(try body()) } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Returns a part as JSON.
  package static func json<Value: Equatable & Sendable>(
    of value: Value, _ write: (Value) -> JSONValue
  ) -> JSONValue {
    guard let current else { return write(value) }
    let type = ObjectIdentifier(Value.self)
    // Equal values may be written in different ways, such as the ids 1 and "1".
    let known = current.first(of: type) { ($0.value as? Value)?.isAlike(to: value) == true }
    if let known { return known.json }
    let json = write(value)
    current.add(Part(json: json, value: value), of: type)
    return json
  }

  /// Returns a part that is read from JSON.
  ///
  /// - Parameters:
  ///   - json: The part as JSON.
  ///   - type: The type that reads it. Another one may read another part.
  ///   - read: Reads a part that is not known yet.
  package static func value<Value: Equatable & Sendable, Failure: Error>(
    of json: JSONValue, as type: Any.Type, _ read: (JSONValue) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let current else { return try read(json) }
    let type = ObjectIdentifier(type)
    let known = current.first(of: type) { $0.json == json }
    if let value = known?.value as? Value { return value }
    let value = try read(json)
    current.add(Part(json: json, value: value), of: type)
    return value
  }

  /// Returns an equal part that another state was given before, so that both share it; this part if there is none.
  package static func shared<Value: Equatable & Sendable>(_ value: Value) -> Value {
    let type = ObjectIdentifier(Value.self)
    let known = given.first(of: type) { ($0.value as? Value)?.isAlike(to: value) == true }
    if let value = known?.value as? Value { return value }
    given.add(Part(json: .null, value: value), of: type)
    return value
  }

  private func first(of type: ObjectIdentifier, where isWanted: (Part) -> Bool) -> Part? {
    parts.withLock { parts in
      guard let index = parts[type]?.firstIndex(where: isWanted),
        let part = parts[type]?.remove(at: index)
      else { return nil }
      parts[type]?.insert(part, at: 0)
      return part
    }
  }

  private func add(_ part: Part, of type: ObjectIdentifier) {
    parts.withLock { parts in
      parts[type, default: []].insert(part, at: 0)
      if parts[type, default: []].count > Self.limit { parts[type]?.removeLast() }
    }
  }
}
