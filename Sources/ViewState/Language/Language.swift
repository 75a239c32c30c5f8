public import CanonicalJSON

/// The language of the texts that a server makes for people, such as dates, numbers and headings.
///
/// ```swift
/// Language.de.date(Timestamp("2026-11-22T08:00:00Z")!)  // "22. November 2026"
/// Language.de.number(1234.5)  // "1.234,5"
/// Localized(en: "Posts", de: "Beiträge")[.de]  // "Beiträge"
/// ```
///
/// Texts depend on the language and the value alone, not on the machine, its locale or its time zone: a view
/// model has the same bytes on every server.
public enum Language: String, CaseIterable, Codable, Sendable {
  /// English.
  case en
  /// German.
  case de
}

extension Language {
  /// Returns the day of a moment in UTC: "22 November 2026", "22. November 2026".
  ///
  /// - Complexity: O(1).
  public func date(_ moment: Timestamp) -> Text {
    let (year, month, day) = moment.day
    return switch self {
    case .en: "\(day) \(Self.months[month - 1][.en]) \(year)"
    case .de: "\(day). \(Self.months[month - 1][.de]) \(year)"
    }
  }

  private static let months = [
    Localized(en: "January", de: "Januar"), Localized(en: "February", de: "Februar"),
    Localized(en: "March", de: "März"), Localized("April"), Localized(en: "May", de: "Mai"),
    Localized(en: "June", de: "Juni"), Localized(en: "July", de: "Juli"), Localized("August"),
    Localized("September"), Localized(en: "October", de: "Oktober"), Localized("November"),
    Localized(en: "December", de: "Dezember"),
  ]

  /// Returns a number of things with their name: "1 friend", "1,234 friends".
  ///
  /// ```swift
  /// Language.de.count(42, en: ("friend", "friends"), de: ("Freund", "Freunde"))  // "42 Freunde"
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number.
  ///   - en: The English name of one thing, and of any other number of them.
  ///   - de: The German names; `nil` for the English ones.
  public func count(
    _ count: Int, en: (one: Text, others: Text), de: (one: Text, others: Text)? = nil
  ) -> Text {
    let names =
      switch self {
      case .en: en
      case .de: de ?? en
      }
    return "\(number(count)) \(count == 1 ? names.one : names.others)"
  }
}
