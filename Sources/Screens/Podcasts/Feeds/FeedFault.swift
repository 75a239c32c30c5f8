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
  /// The body is larger, or has more items, than is read.
  case tooLarge(limit: String)
  /// The content has no type of a feed.
  case unsupportedType(String)
  case unsupportedCharset(String)
  /// The content does not have the form of its type, with the reason.
  case malformed(String)
  /// The load was cancelled.
  case cancelled

  /// Returns the failure of the load of a podcast. Its texts do not have the address, which may be secret.
  func failure(of podcast: ResourceID) -> LoadFailure { failure("The feed of podcast \(podcast)") }

  /// Returns the failure of a load.
  ///
  /// - Parameter feed: The name of the feed for people, with which the sentence begins.
  private func failure(_ feed: String) -> LoadFailure {
    switch self {
    case .notAllowed:
      LoadFailure(
        code: "feed-not-allowed",
        message: "\(feed) is on a host from which this server does not load feeds.")
    case .missing(let status):
      LoadFailure(
        code: LoadFailure.missing.code, message: "\(feed) does not exist any more.",
        reason: "\(feed) is answered with status \(status).")
    case .status(let status):
      LoadFailure(
        code: LoadFailure.unavailable.code,
        message: "\(feed) is unavailable: its server answers with status \(status).")
    case .unreachable(let reason):
      LoadFailure(
        code: LoadFailure.unavailable.code, message: "\(feed) cannot be reached.",
        reason: "\(feed) cannot be reached: \(reason)")
    case .incomplete:
      LoadFailure(
        code: "feed-incomplete", message: "\(feed) ends before it is complete.")
    case .timedOut:
      LoadFailure(
        code: LoadFailure.timedOut.code, message: "\(feed) does not come in time.")
    case .tooManyRedirects(let limit):
      LoadFailure(
        code: "feed-redirects", message: "\(feed) redirects more than \(limit) times.")
    case .tooLarge(let limit):
      LoadFailure(
        code: "feed-too-large", message: "\(feed) is larger than \(limit).")
    case .unsupportedType(let type):
      LoadFailure(
        code: "feed-type", message: "\(feed) is neither RSS nor a JSON feed, but \(type).")
    case .unsupportedCharset(let charset):
      LoadFailure(
        code: "feed-charset", message: "\(feed) is written in \(charset), not in UTF-8.")
    case .malformed(let reason):
      LoadFailure(code: Self.malformedCode, message: "\(feed) is malformed: \(reason).")
    case .cancelled: .cancelled
    }
  }

  static let malformedCode: Text = "malformed"

  /// The failures of podcasts beside those of all sources, for client developers.
  static let failures =
    [
      notAllowed, incomplete, tooManyRedirects(limit: FeedLimits().redirectCount),
      tooLarge(limit: FeedLimits().byteCount.size), unsupportedType("text/html"),
      unsupportedCharset("another charset"),
    ].map { $0.failure("A feed") } + [
      LoadFailure(
        code: malformedCode,
        message: "A podcast or its feed has something that cannot be shown, or cannot be read.")
    ]
}
