import Foundation
import TestSupport
import Testing
import ViewState

@Suite("A timestamp")
struct TimestampTests {
  @Test(
    "reads ISO 8601 and writes it in UTC to the second",
    arguments: [
      ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00Z"),
      ("2026-03-01T09:30:00.987Z", "2026-03-01T09:30:00Z"),
      ("2026-03-01T09:30:00.999999999Z", "2026-03-01T09:30:00Z"),
      ("2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z"),
      ("2026-03-01T09:30:00-05:30", "2026-03-01T15:00:00Z"),
      ("2026-03-01", "2026-03-01T00:00:00Z"),
      ("2024-02-29", "2024-02-29T00:00:00Z"),
      ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
      ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
      ("0000-01-01T00:00:00+00:00", "0000-01-01T00:00:00Z"),
      ("9999-12-31T23:59:59.999999999-00:00", "9999-12-31T23:59:59Z"),
    ])
  func reading(text: String, written: String) {
    #expect(Timestamp(text)?.description == written)
  }

  @Test(
    "refuses what only looks like a date",
    arguments: [
      "", "now", "2026-3-1", "2026-13-01", "2026-02-30", "2025-02-29", "2026-00-10",
      "2026-03-01T09:30", "2026-03-01T24:00:00Z", "2026-03-01T09:60:00Z", "2026-03-01 09:30:00Z",
      "2026-03-01T09:30:00", "2026-03-01T09:30:00Zz", " 2026-03-01", "02026-03-01", "1772357400",
      "9999-12-31T23:00:00-10:00", "0000-01-01T00:00:00+10:00", "2026-00-00", "1900-02-29",
      "2026-03-01T09:30:60Z", "2026-03-01T09:30:00.Z", "2026-03-01T09:30:00.1234567890Z",
      "2026-03-01T09:30:00+24:00", "2026-03-01T09:30:00+01:60", "2026-03-01T09:30:00+01",
      "2026-03-01T09:30:00z", "2026-03-01T", "2026-03-01T09:30Z", "-026-03-01",
      "2026-03-01\u{301}", "2026-03-0\u{661}", "2026-03-01T09:30:00Z\u{301}",
      "2026-03-01T09:30:00.5\u{301}Z", "2026-03-01T09:30:00.\u{665}Z",
    ])
  func refusing(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test("stays in the years 0 to 9999, also after the longest duration")
  func range() {
    let start = Timestamp(secondsSince1970: 0)
    for far in [start.advanced(by: .seconds(Int64.max)), Timestamp(secondsSince1970: .max)] {
      #expect(
        far.description == "9999-12-31T23:59:59Z" && far.advanced(by: .seconds(Int64.max)) == far)
    }
    for far in [start.advanced(by: .seconds(Int64.min)), Timestamp(secondsSince1970: .min)] {
      #expect(far.description == "0000-01-01T00:00:00Z")
    }
    #expect(start.advanced(by: .milliseconds(1_999)) == Timestamp(secondsSince1970: 1))
  }

  @Test("has the time to another one in whole seconds, and is found again by it")
  func arithmetic() throws {
    let (start, due) = (
      try #require(Timestamp("2026-03-01")), try #require(Timestamp("2026-03-02"))
    )
    #expect(due - start == .seconds(86_400) && start.duration(to: due) == .seconds(86_400))
    #expect(due - .seconds(86_401) == Timestamp("2026-02-28T23:59:59Z"))
    try withSeeds(200) { random in
      let (from, to) = (
        Timestamp(secondsSince1970: random.number(in: -62_167_219_200...253_402_300_799)),
        Timestamp(secondsSince1970: random.number(in: -62_167_219_200...253_402_300_799))
      )
      try require(from + (to - from) == to && from - to == .zero - (to - from), "\(from) \(to)")
      try require(Timestamp(secondsSince1970: from.secondsSince1970) == from, "\(from)")
    }
  }

  @Test("is a day of the calendar exactly if Foundation knows the day")
  func days() throws {
    try withSeeds(5_000) { random in
      func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let year = random.pick([random.number(in: 1583...9999), 1600, 1900, 2000, 2024])
      let (month, day) = (random.number(in: 0...13), random.number(in: 0...32))
      let text = "\(year)-\(digits(month))-\(digits(day))"
      let midnight = try? Date.ISO8601FormatStyle.iso8601.parse("\(text)T00:00:00Z")
      let isDay = midnight?.formatted(.iso8601).hasPrefix(text) == true
      try require((Timestamp(text) != nil) == isDay, text)
      let (hours, minutes) = (digits(random.number(in: 0...23)), digits(random.number(in: 0...59)))
      let moment =
        "\(text)T\(hours):\(minutes):07\(random.pick(["+", "-"]))\(minutes.prefix(1))\(random.number(in: 0...9)):30"
      let date = try? Date.ISO8601FormatStyle.iso8601.parse(moment)
      if isDay, let date, (1600...9998).contains(year) {
        try require(Timestamp(moment)?.description == date.formatted(.iso8601), moment)
      }
    }
  }

  @Test(
    "is a moment of the Gregorian calendar also before 1582",
    arguments: [
      ("0000-01-01T00:00:00Z", -62_167_219_200), ("0000-02-29T12:00:00Z", -62_162_078_400),
      ("0000-03-01T00:00:00Z", -62_162_035_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
      ("1066-10-14T09:00:00Z", -28_502_722_800), ("1500-02-28T23:59:59Z", -14_826_672_001),
      ("1500-03-01T00:00:00Z", -14_826_672_000), ("1582-10-04T00:00:00Z", -12_220_243_200),
      ("1582-10-05T00:00:00Z", -12_220_156_800), ("1582-10-15T00:00:00Z", -12_219_292_800),
    ])
  func gregorian(text: String, seconds: Int) {
    #expect(Timestamp(text)?.secondsSince1970 == seconds)
    #expect(Timestamp(secondsSince1970: seconds).description == text)
  }

  @Test("is the day after the one before, through all years")
  func years() throws {
    var start = -62_167_219_200
    for year in 0...9_999 {
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let name = String(String(year + 10_000).dropFirst())
      let days = [
        (0, "01-01"), (58, "02-28"), (59, isLeap ? "02-29" : "03-01"),
        (isLeap ? 365 : 364, "12-31"),
      ]
      for (day, text) in days {
        let moment = Timestamp(secondsSince1970: start + 86_400 * day + 86_399)
        try require(moment.description == "\(name)-\(text)T23:59:59Z", "\(moment)")
        try require(Timestamp(moment.description) == moment, "\(moment)")
      }
      try require((Timestamp("\(name)-02-29") != nil) == isLeap, name)
      start += 86_400 * (isLeap ? 366 : 365)
    }
    #expect(start == 253_402_300_800)
    for day in stride(from: -62_167_219_200, through: 253_402_300_799, by: 86_400 * 97) {
      let moment = Timestamp(secondsSince1970: day)
      try require(Timestamp(moment.description) == moment, "\(moment)")
    }
  }

  @Test("has the date that Foundation has, and is read from it again")
  func everyDay() throws {
    try withSeeds(2_000) { random in
      // From 1600, because Foundation has the Julian calendar before 1582.
      let seconds = random.number(in: -11_676_096_000...253_402_300_799)
      let timestamp = Timestamp(secondsSince1970: seconds)
      let date = Date(timeIntervalSince1970: Double(seconds))
      try require(timestamp.description == date.formatted(.iso8601), "\(seconds)")
      try require(Timestamp(timestamp.description) == timestamp, "\(timestamp)")
    }
  }
}
