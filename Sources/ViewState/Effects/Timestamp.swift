import FoundationEssentials

/// A moment to the second, written as ISO 8601 in UTC: `2026-03-01T09:30:00Z`.
public struct Timestamp: Hashable, Comparable, Sendable {
  private let date: Date

  /// The moment so many seconds after 1970-01-01T00:00:00Z.
  public init(secondsSince1970: Int) {
    date = Date(timeIntervalSince1970: Double(secondsSince1970))
  }

  /// What the machine's clock shows.
  public static func now() -> Timestamp {
    Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970))
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.date < right.date }
}

extension Timestamp: LosslessStringConvertible {
  /// The moment named by an ISO 8601 date, alone (midnight UTC) or with a time and an offset;
  /// fractions of a second are dropped. `nil` for anything else, also for the 31st of February and
  /// for what is outside the years 0 to 9999 in UTC.
  public init?(_ text: String) {
    // Foundation stops reading where its pattern ends and rolls impossible days over, so the form
    // is checked first and the day is compared with what was read.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let form = /\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}))?/
    let day = text.prefix(10)
    guard text.wholeMatch(of: form) != nil,
      let midnight = try? Date.ISO8601FormatStyle.iso8601.parse("\(day)T00:00:00Z"),
      midnight.formatted(.iso8601).hasPrefix(day)
    else { return nil }
    guard text.count > day.count else {
      self.init(midnight)
      return
    }
    guard let date = try? Date.ISO8601FormatStyle.iso8601.parse(text) else { return nil }
    self.init(date)
    // An offset may lead out of the years that have four digits.
    guard description.utf8.count == "2026-03-01T09:30:00Z".utf8.count else { return nil }
  }

  private init(_ date: Date) {
    self.init(secondsSince1970: Int(date.timeIntervalSince1970.rounded(.down)))
  }

  public var description: String { date.formatted(.iso8601) }
}
