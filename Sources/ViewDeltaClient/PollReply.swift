import CanonicalJSON
import HTTPTypes
import Snapshots

/// The content of a view model that the app has, as a request names it.
struct HeldContent: Hashable, Sendable {
  /// The revision of the content; `nil` if the app has none.
  var revision: Text?
  /// The hash of the content, if the server may not know the revision.
  var hash: ContentHash?
  /// The window through which the app sees the revision, or wants to see the view model if it has none; `nil` for all
  /// rows.
  var window: RowWindow?
  /// The window to which the app scrolls; `nil` if it stays.
  var next: RowWindow?

  /// Whether the server may have no answer until the view model changes.
  var mayWait: Bool { revision != nil && next == nil }
}

/// The reply to a poll, by the names of the view models.
struct PollReply: Sendable {
  /// The current revisions. The reply about a single view model has none if that has changed.
  var revisions: [Text: Text] = [:]
  /// The documents of the view models that have changed.
  var documents: [Text: JSONReader] = [:]
}

extension HTTPField.Name {
  static let viewRevision = HTTPField.Name("View-Revision")!
  static let prefer = HTTPField.Name("Prefer")!
}

extension HTTPFields {
  /// Rules out a snapshot in place of a larger diff: only a diff says what is drawn again, and what is not animated.
  static let diffPreferred: HTTPFields = [.prefer: "return=diff"]
}

extension RemoteServer.Reply {
  /// The revisions that the reply names, or the codes of problems in their place; none if one is malformed, such as if a
  /// proxy has changed them. A server would refuse the next request for good.
  var revisions: [Text] {
    let names = (fields[.viewRevision] ?? "").split(
      separator: ",", omittingEmptySubsequences: false
    )
    .map { $0.trimmingPrefix(while: \.isWhitespace) }
    return names.allSatisfy(Self.isName) ? names.map { Text($0) } : []
  }

  /// Whether a text has the form of a revision.
  private static func isName(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
