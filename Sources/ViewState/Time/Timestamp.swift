import FoundationEssentials

/// A moment of the years 0 to 9999 with the precision of a second, written as ISO 8601 in UTC. All years are those of
/// the Gregorian calendar, also before it was introduced in 1582.
///
/// ```swift
/// let due = Timestamp("2026-03-01T10:30:00+01:00")!  // 2026-03-01T09:30:00Z
/// due - Timestamp("2026-03-01")!  // 9.5 hours, a Duration
/// due + .seconds(60)  // 2026-03-01T09:31:00Z
/// ```
public struct Timestamp: Hashable, Comparable, Sendable, InstantProtocol {
  /// The seconds since 1970-01-01T00:00:00Z, negative before it.
  public let secondsSince1970: Int

  /// The seconds of the years 0 to 9999, which have a text.
  private static let seconds = -62_167_219_200...253_402_300_799

  /// The days from 1 March of the year -400, the first day of an era of 400 years, to 1 January of the year 0.
  private static let daysOfEraBefore = 146_037

  /// Creates the moment a number of seconds after 1970-01-01T00:00:00Z, or before it if the number is negative. A
  /// moment outside of the years 0 to 9999 becomes the first or the last moment of these years.
  public init(secondsSince1970: Int) {
    self.secondsSince1970 = min(
      max(secondsSince1970, Self.seconds.lowerBound), Self.seconds.upperBound)
  }

  /// Returns the time of the system clock.
  public static func now() -> Timestamp {
    Timestamp(secondsSince1970: Int(Date().timeIntervalSince1970))
  }

  /// Returns the moment after a duration, without fractions of a second; at most the last moment of the year 9999.
  public func advanced(by duration: Duration) -> Timestamp {
    Timestamp(
      secondsSince1970: secondsSince1970 + duration.wholeUnits(perSecond: 1))
  }

  /// Returns the time from this moment to another one, in whole seconds; negative if the other one is earlier.
  public func duration(to other: Timestamp) -> Duration {
    .seconds(other.secondsSince1970 - secondsSince1970)
  }

  /// Returns the moment after a duration; see ``advanced(by:)``.
  public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    moment.advanced(by: duration)
  }

  /// Returns the moment before a duration; see ``advanced(by:)``.
  public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
    moment.advanced(by: .zero - duration)
  }

  /// Returns the time from the right moment to the left one; see ``duration(to:)``.
  public static func - (left: Timestamp, right: Timestamp) -> Duration {
    right.duration(to: left)
  }

  /// The year, the month from 1 and the day of the month, as in the description.
  ///
  /// By arithmetic, because Foundation takes 10 µs, and each row with a date needs it; after Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms", 2021. So are reading and writing.
  var day: (year: Int, month: Int, day: Int) {
    // Years begin in March, so that the leap day is the last one.
    let days = secondsSinceYear0 / 86_400 + Self.daysOfEraBefore
    let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = 400 * (era - 1) + yearOfEra
    return (
      month < 10 ? year : year + 1, month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private var secondsSinceYear0: Int { secondsSince1970 - Self.seconds.lowerBound }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.secondsSince1970 < right.secondsSince1970
  }
}

extension Timestamp: LosslessStringConvertible {
  /// Creates the moment of an ISO 8601 date, which may have a time with an offset; without one, it is
  /// midnight UTC. Fractions of a second are dropped.
  ///
  /// Returns `nil` for any other text, for a date that does not exist, such as the 31st of February, and for
  /// a moment outside of the years 0 to 9999 in UTC.
  public init?(_ text: String) {
    guard let moment = Self.withoutFraction(Array(text.utf8)) else { return nil }
    // An offset may lead out of the years that have four digits.
    guard let read = Self.secondsSince1970(moment), Self.seconds.contains(read) else { return nil }
    self.init(secondsSince1970: read)
  }

  /// Returns the seconds since 1970 of a moment without a fraction; `nil` if the day does not exist.
  private static func secondsSince1970(_ text: [UInt8]) -> Int? {
    func number(_ digits: Range<Int>) -> Int {
      text[digits].reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return nil }
    // Years begin in March, so that the leap day is the last one, and are counted from the year -400.
    let (era, yearOfEra) = (400 + (month > 2 ? year : year - 1))
      .quotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let seconds =
      Self.seconds.lowerBound + (era * 146_097 + dayOfEra - daysOfEraBefore) * 86_400
      + number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
    if text.count == 20 { return seconds }
    let offset = number(20..<22) * 3_600 + number(23..<25) * 60
    return text[19] == UInt8(ascii: "-") ? seconds + offset : seconds - offset
  }

  /// Returns the date with a time and an offset, without fractions of a second; `nil` if a digit is
  /// missing, or if the time or the offset is a day or longer.
  ///
  /// A regular expression would be shorter, but takes a third of the time of a whole write.
  private static func withoutFraction(_ text: [UInt8]) -> [UInt8]? {
    let form = text.map { (48...57).contains($0) ? UInt8(ascii: "0") : $0 }
    let (day, moment) = ("0000-00-00", "0000-00-00T00:00:00")
    if form.elementsEqual(day.utf8) { return text + Array("T00:00:00Z".utf8) }
    guard form.starts(with: moment.utf8) else { return nil }
    var end = moment.utf8.count
    if form[end...].first == UInt8(ascii: ".") {
      let digits = form[(end + 1)...].prefix { $0 == UInt8(ascii: "0") }
      guard (1...9).contains(digits.count) else { return nil }
      end = digits.endIndex
    }
    let isTime = { (time: ArraySlice<UInt8>) in
      time.prefix(2).lexicographicallyPrecedes("24".utf8)
        && time.dropFirst(3).lexicographicallyPrecedes("6".utf8)
    }
    let offset = text[end...]
    guard isTime(text[11..<16]), text[17] < UInt8(ascii: "6"),
      offset.elementsEqual("Z".utf8)
        || ["+00:00", "-00:00"].contains(where: { form[end...].elementsEqual($0.utf8) })
          && isTime(offset.dropFirst())
    else { return nil }
    return Array(text[..<moment.utf8.count] + offset)
  }

  public var description: String {
    let (year, month, day) = day
    let time = secondsSinceYear0 % 86_400
    var text: [UInt8] = []
    func write(_ number: Int, _ count: Int, _ end: Unicode.Scalar) {
      var unit = count == 4 ? 1_000 : 10
      while unit > 0 {
        text.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
        unit /= 10
      }
      text.append(UInt8(ascii: end))
    }
    write(year, 4, "-")
    write(month, 2, "-")
    write(day, 2, "T")
    write(time / 3_600, 2, ":")
    write(time / 60 % 60, 2, ":")
    write(time % 60, 2, "Z")
    return String(decoding: text, as: UTF8.self)
  }
}

/// Coded as its text.
extension Timestamp: Codable {
  /// Reads a moment.
  ///
  /// - Throws: `DecodingError` if the text is no ISO 8601 date.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let moment = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected a moment such as 2026-03-01T09:30:00Z")
    }
    self = moment
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
