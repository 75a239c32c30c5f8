import CanonicalJSON
import ViewState

/// The reason why a feed cannot be read.
enum FeedFault: Error, Equatable {
  /// The operator has not allowed the host of the address, or of one that it redirects to.
  case notAllowed
  /// The server says that there is no such feed.
  case missing(status: Int)
  /// The server answers with another status that has no feed.
  case status(Int)
  /// The server cannot be reached, or the connection is lost, with the words of the HTTP library.
  case unreachable(String)
  /// The answer ends before its announced end.
  case incomplete
  case timedOut
  case tooManyRedirects(limit: Int)
  /// The body has more bytes than are read.
  case tooLarge(limit: Int)
  case tooManyItems(limit: Int)
  /// The content has another type than that of a feed, or none.
  case unsupportedType(String?)
  /// The content is in another encoding than UTF-8, with its name if it has one.
  case unsupportedCharset(String?)
  /// The content does not have the form of its type, with the reason for the log.
  case malformed(String)
  /// The load was cancelled.
  case cancelled

  /// Returns the failure of the load of a podcast. Its texts do not have the address, which may be secret.
  func failure(of podcast: ResourceID) -> LoadFailure {
    failure(
      Localized(en: "The feed of podcast \(podcast)", de: "Der Feed des Podcasts \(podcast)"))
  }

  /// Returns the failure of a load.
  ///
  /// - Parameter feed: The name of the feed for people, with which the sentence begins.
  private func failure(_ feed: Localized) -> LoadFailure {
    func failure(
      code: Text, en: String, de: String, reason: String? = nil
    ) -> LoadFailure {
      LoadFailure(
        code: code, message: Localized(en: "\(feed[.en]) \(en)", de: "\(feed[.de]) \(de)"),
        reason: reason.map { "\(feed[.en]) \($0)" })
    }
    return switch self {
    case .notAllowed:
      failure(
        code: "feed-not-allowed", en: "is on a host from which this server does not load feeds.",
        de: "liegt auf einem Host, von dem dieser Server keine Feeds lädt.")
    case .missing(let status):
      failure(
        code: LoadFailure.missing.code, en: "does not exist any more.", de: "existiert nicht mehr.",
        reason: "is answered with status \(status).")
    case .status(let status):
      failure(
        code: LoadFailure.unavailable.code,
        en: "is unavailable: its server answers with status \(status).",
        de: "ist nicht erreichbar: Sein Server antwortet mit Status \(status).")
    case .unreachable(let reason):
      failure(
        code: LoadFailure.unavailable.code, en: "cannot be reached.", de: "ist nicht erreichbar.",
        reason: "cannot be reached: \(reason)")
    case .incomplete:
      failure(
        code: "feed-incomplete", en: "ends before it is complete.",
        de: "endet, bevor er vollständig ist.")
    case .timedOut:
      failure(
        code: LoadFailure.timedOut.code, en: "does not come in time.",
        de: "kommt nicht rechtzeitig.")
    case .tooManyRedirects(let limit):
      failure(
        code: "feed-redirects", en: "redirects more than \(limit) times.",
        de: "leitet mehr als \(limit)-mal weiter.")
    case .tooLarge(let limit):
      failure(
        code: "feed-too-large", en: "is larger than \(limit.size).",
        de: "ist größer als \(limit.size).")
    case .tooManyItems(let limit):
      failure(
        code: "feed-too-large", en: "has more than \(Language.en.number(limit)) items.",
        de: "hat mehr als \(Language.de.number(limit)) Einträge.")
    case .unsupportedType(let type):
      failure(
        code: "feed-type", en: "is neither RSS nor a JSON feed, but \(type ?? "of no type").",
        de: "ist weder RSS noch ein JSON Feed, sondern \(type ?? "ohne Typ").")
    case .unsupportedCharset(let charset):
      failure(
        code: "feed-charset", en: "is written in \(charset ?? "another encoding"), not in UTF-8.",
        de: "ist in \(charset ?? "einer anderen Codierung") geschrieben, nicht in UTF-8.")
    case .malformed(let reason):
      failure(
        code: Self.malformedCode, en: "is malformed.", de: "ist fehlerhaft.",
        reason: "is malformed: \(reason)")
    case .cancelled: .cancelled
    }
  }

  static let malformedCode: Text = "malformed"

  /// The failures of podcasts beside those of all sources, for client developers.
  static let failures =
    [
      notAllowed, incomplete, tooManyRedirects(limit: FeedLimits().redirectCount),
      tooLarge(limit: FeedLimits().byteCount), unsupportedType("text/html"),
      unsupportedCharset(nil),
    ].map { $0.failure(Localized(en: "A feed", de: "Ein Feed")) }
}
