public import CanonicalJSON
public import Foundation

/// A revision of a view model that the server keeps: an entry of its history.
public struct KeptRevision: Hashable, Sendable {
  /// The revision. Compare it only for equality.
  public let revision: Text
  /// The time of the input that made the revision, by the clock of the server, to the second. Clocks can be set back, so
  /// a later revision can have an earlier date.
  public let date: Date
  /// The input that made the revision: an object whose `kind` is `start`, `command`, `loadResult` or `storeWrite`. The
  /// schema `Cause` of the server's API document describes its other members.
  public let cause: JSONValue
  /// The number of operations on sections and rows since the revision before, 0 for the first one; `nil` if the
  /// revision before is no longer kept.
  public let operationCount: Int?
  /// The size of the diff with these operations in bytes, 0 for the first one; `nil` if the revision before is no longer
  /// kept.
  public let byteCount: Int?

  init(_ reader: JSONReader) throws(JSONShapeError) {
    revision = try reader.member("revision").string()
    let moment = try reader.member("at")
    guard let date = try? Date(moment.string().string, strategy: .iso8601) else {
      throw moment.error("expected a time in ISO 8601")
    }
    self.date = date
    cause = .object(try reader.member("cause").object())
    operationCount = try reader.optionalMember("operations")?.integer()
    byteCount = try reader.optionalMember("bytes")?.integer()
  }
}
