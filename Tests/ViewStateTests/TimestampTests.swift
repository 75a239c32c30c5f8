import Testing
import ViewState

@Suite("A timestamp")
struct TimestampTests {
  @Test(
    "reads ISO 8601 and writes it in UTC to the second",
    arguments: [
      ("2026-03-01T09:30:00Z", "2026-03-01T09:30:00Z"),
      ("2026-03-01T09:30:00.987Z", "2026-03-01T09:30:00Z"),
      ("2026-03-01T00:30:00+01:00", "2026-02-28T23:30:00Z"),
      ("2026-03-01T09:30:00-05:30", "2026-03-01T15:00:00Z"),
      ("2026-03-01", "2026-03-01T00:00:00Z"),
      ("2024-02-29", "2024-02-29T00:00:00Z"),
      ("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z"),
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
      "9999-12-31T23:00:00-10:00", "0000-01-01T00:00:00+10:00",
    ])
  func refusing(text: String) {
    #expect(Timestamp(text) == nil)
  }
}
