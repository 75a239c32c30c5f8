public import CanonicalJSON

/// A text for people in each language.
///
/// ```swift
/// let empty = Localized(en: "No notes yet", de: "Noch keine Notizen")
/// empty[.de]  // "Noch keine Notizen"
/// ```
///
/// A text that lacks a language does not compile. It is coded as an object with the text of each language.
public struct Localized: Codable, Hashable, Sendable {
  private let en: Text
  private let de: Text

  /// Creates a text from its English and its German wording.
  public init(en: Text, de: Text) {
    (self.en, self.de) = (en, de)
  }

  /// Creates a text that is the same in all languages.
  public init(_ text: Text) {
    self.init(en: text, de: text)
  }

  /// The text in a language.
  public subscript(language: Language) -> Text {
    switch language {
    case .en: en
    case .de: de
    }
  }

  /// The text of a row while something is loading.
  public static let loading = Localized(en: "Loading…", de: "Wird geladen …")
  /// The title of an action that tries again.
  public static let retry = Localized(en: "Retry", de: "Erneut versuchen")
  /// The title of an action that cancels running work.
  public static let cancel = Localized(en: "Cancel", de: "Abbrechen")
  /// The title of an action that drops a change that could not be saved.
  public static let discard = Localized(en: "Discard", de: "Verwerfen")

  /// The title of an action that shows the elements below one that is collapsed.
  public static let expand = Localized(en: "Expand", de: "Aufklappen")
  /// The title of an action that hides the elements below another one.
  public static let collapse = Localized(en: "Collapse", de: "Zuklappen")

  /// Returns the text with the text of each language changed.
  func map(_ transform: (Text) -> Text) -> Localized {
    Localized(en: transform(en), de: transform(de))
  }
}
