import CanonicalJSON
import HTTPTypes
import Snapshots

/// What an app has of a view model, as the server is told: nothing, or a revision.
struct HeldContent: Hashable, Sendable {
  var revision: Text?
  /// The hash of the content, if the server may not know the revision.
  var hash: ContentHash?
}

/// The reply to a poll: a document for each view model that has changed.
struct PollReply: Sendable {
  /// The revisions of those that have not changed.
  var revisions: [Text: Text] = [:]
  var documents: [Text: JSONReader] = [:]
}

extension HTTPField.Name {
  static let viewRevision = HTTPField.Name("View-Revision")!
}
