public import CanonicalJSON
import Snapshots

/// The reason why a load, or a write of a ``Saving`` part, has failed.
///
/// ```swift
/// throw LoadFailure(
///   code: "unknown-country", message: "There are no holidays for \(country).", reason: "\(error)")
/// ```
///
/// The row of the failure shows the code and the message, and the log has the reason too. Of the errors of other
/// types that a source, a look-up or a write throws, ``StoreError/missing(_:)`` is shown as ``missing``, and any other
/// one as ``unavailable``. Its description is the reason: it may have an address or a password in it, which clients must
/// not see.
///
/// Failures with equal codes are equal: the message is for people, and a new wording alone does not make a
/// revision.
public struct LoadFailure: Error, Codable, Sendable {
  /// A stable, machine-readable name such as `timed-out`.
  public let code: Text
  /// A sentence for people, which clients show, in each language.
  let messages: Localized
  /// The text that only the log has; `nil` if the message says everything.
  public let reason: String?

  /// The largest number of characters (Unicode scalars) of a message, and of a reason.
  static let longestMessage = 1_000
  private static let longestCode = 100

  /// Creates a failure. Texts that are too long are cut: the code after 100 characters, the others after
  /// 1,000. Control characters, such as line breaks, become spaces.
  ///
  /// - Parameters:
  ///   - code: A name that clients may branch on.
  ///   - message: A sentence for people. All clients of the view model get it.
  ///   - reason: A text for the log alone, such as the message of a library.
  public init(code: Text, message: Localized, reason: String? = nil) {
    self.code = Text(code.string.line(upTo: Self.longestCode))
    messages = message.map { Text($0.string.line(upTo: Self.longestMessage)) }
    self.reason = reason?.line(upTo: Self.longestMessage)
  }

  /// Creates a failure whose message is the same in all languages.
  public init(code: Text, message: String, reason: String? = nil) {
    self.init(code: code, message: Localized(Text(message)), reason: reason)
  }

  /// Returns the same failure with a reason for the log alone, such as the message of a library.
  ///
  /// ```swift
  /// static let failure = LoadFailure(code: "database", message: "The file cannot be read.")
  ///
  /// throw failure.because(String(cString: sqlite3_errmsg(database)))
  /// ```
  public func because(_ reason: String) -> LoadFailure {
    LoadFailure(code: code, message: messages, reason: reason)
  }

  /// Whether the answer of a source was no value of its type.
  package var isUnreadable: Bool { code == Self.unreadable.code }

  /// The message in English.
  public var message: String { message(in: .en) }

  /// Returns the message in a language.
  public func message(in language: Language) -> String { messages[language].string }

  /// Creates the failure for an error that a source, a look-up or a write has thrown.
  init(_ error: any Error) {
    switch error {
    case let failure as LoadFailure: self = failure
    case StoreError.missing(let element): self = .missing.because(element.detail.string)
    default: self = .unavailable.because("\(error)")
    }
  }

  /// Reads a failure, whose texts are cut as those of a new failure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      code: try container.decode(Text.self, forKey: .code),
      message: try container.decode(Localized.self, forKey: .messages),
      reason: try container.decodeIfPresent(String.self, forKey: .reason))
  }

  /// The load was cancelled.
  public static let cancelled = LoadFailure(
    code: "cancelled",
    message: Localized(en: "The load was cancelled.", de: "Das Laden wurde abgebrochen."))
  /// The source did not answer within the time-out of the engine.
  public static let timedOut = LoadFailure(
    code: "timed-out",
    message: Localized(
      en: "The source did not answer in time.", de: "Die Quelle hat nicht rechtzeitig geantwortet.")
  )
  /// The source cannot answer.
  public static let unavailable = LoadFailure(
    code: "unavailable",
    message: Localized(en: "The source is unavailable.", de: "Die Quelle ist nicht erreichbar."))
  /// The source has no value for the key.
  public static let missing = LoadFailure(
    code: "missing",
    message: Localized(
      en: "The source has no such value.", de: "Die Quelle hat keinen solchen Wert."))
}

extension LoadFailure: CustomStringConvertible {
  /// The code, and the reason or else the message in English, for the log.
  public var description: String { "\(code): \(reason ?? message)" }
}

extension LoadFailure: Hashable {
  public static func == (left: LoadFailure, right: LoadFailure) -> Bool {
    if left.code != right.code { return false }
    // A row that shows the one must not stand for the other.
    if left.messages != right.messages { LooseEquality.note() }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
  }
}

extension LoadFailure: FieldObject {
  /// The members of a row that shows a failure: `code`, and the message in English in `detail`.
  ///
  /// ```swift
  /// struct Line: Equatable { let id: Int; let failure: LoadFailure }
  /// RowType("sendError", of: Line.self, "A message that could not be sent.") {
  ///   LoadFailure.fields.map { $0.of(\.failure) }
  ///   Action(send, "Retry") { $0.id }
  /// }
  /// ```
  public static let fields: [Field<LoadFailure>] = Self.fields(in: .en)

  /// Returns the same members, with the message in a language.
  public static func fields(in language: Language) -> [Field<LoadFailure>] {
    [
      Field("code", \LoadFailure.code, .loadFailureCode),
      Field("detail", "What has happened, in a sentence for people.") {
        $0.message(in: language)
      },
    ]
  }
}

extension RowType<LoadFailure> {
  /// Declares the rows that show a failure: its code and message, a text, and an action that tries again.
  ///
  /// ```swift
  /// static let failed = RowType.failure(
  ///   "sendError", "The message could not be sent.", "Couldn't send the message.", retry: send)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - summary: One sentence on the rows, for client developers.
  ///   - text: The text of the rows, for people.
  ///   - retry: The command that tries again.
  ///   - language: The language of the message, and of the title of the action.
  public static func failure<State>(
    _ name: Text, _ summary: String, _ text: Text, retry: Command<State>,
    in language: Language = .en
  ) -> RowType {
    RowType(name, summary) {
      LoadFailure.fields(in: language)
      Field("text") { _ in text }
      Action(retry, Localized.retry[language])
    }
  }
}

extension ValueType<Text> {
  /// The code of a failure. The schema lists no codes, so that new ones do not break clients.
  fileprivate static var loadFailureCode: ValueType {
    text(["$ref": "#/components/schemas/LoadFailureCode"])
  }
}
