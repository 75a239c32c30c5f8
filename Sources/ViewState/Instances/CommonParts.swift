package import CanonicalJSON
import Synchronization

/// The parts that many states have in common, such as the description of a form, while the states are recorded or read.
///
/// Each part is written as JSON once, and read once, and the states that are read share it.
package final class CommonParts: Sendable {
  private struct Part: Sendable {
    let type: ObjectIdentifier
    let json: JSONValue
    let value: any Equatable & Sendable
  }

  /// Those of the states that are recorded or read now.
  @TaskLocal private static var current: CommonParts?

  /// The parts that were asked for last come first.
  private let parts = Mutex<[Part]>([])
  /// The largest number of parts, each of which is compared with one that is asked for.
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
    if let known = current.first(where: { $0.type == type && $0.value as? Value == value }) {
      return known.json
    }
    let json = write(value)
    current.add(Part(type: type, json: json, value: value))
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
    if let known = current.first(where: { $0.type == type && $0.json == json }),
      let value = known.value as? Value
    {
      return value
    }
    let value = try read(json)
    current.add(Part(type: type, json: json, value: value))
    return value
  }

  private func first(where isWanted: (Part) -> Bool) -> Part? {
    parts.withLock { parts in
      guard let index = parts.firstIndex(where: isWanted) else { return nil }
      let part = parts.remove(at: index)
      parts.insert(part, at: 0)
      return part
    }
  }

  private func add(_ part: Part) {
    parts.withLock { parts in
      parts.insert(part, at: 0)
      if parts.count > Self.limit { parts.removeLast() }
    }
  }
}
