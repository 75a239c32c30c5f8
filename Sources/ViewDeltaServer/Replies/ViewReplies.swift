import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

/// Makes the replies of a view model, each once.
struct ViewReplies: Sendable {
  private let cache: ReplyCache

  /// A document of this size or less is not worth a snapshot in place of a diff: nothing that
  /// matters is saved on the way, and the client would lose what moved where.
  static let smallDocument = 4 * 1024

  init(cache: ReplyCache) {
    self.cache = cache
  }

  /// The current snapshot, to be revalidated by its entity tag.
  func snapshot(of screen: any ScreenInstance, at revision: Revision) -> Response {
    reply(.snapshot, nil, revision) {
      document(revision, revision.snapshot(of: screen), caching: .revalidate, hasTag: true)
    }
  }

  /// A kept snapshot, asked for by its revision.
  func pinnedSnapshot(of screen: any ScreenInstance, at revision: Revision) -> Response {
    reply(.pinnedSnapshot, nil, revision) {
      document(revision, revision.snapshot(of: screen), caching: .forGood, hasTag: true)
    }
  }

  /// That nothing has changed since the revision.
  func nothingNew(at revision: Revision) -> Response {
    reply(.nothingNew, nil, revision) {
      Response(
        status: .noContent,
        fields: [
          .viewRevision: revision.token.description, .cacheControl: Caching.never.rawValue,
        ])
    }
  }

  /// What changed between the two revisions: a diff, or the snapshot where that is not clearly
  /// larger.
  func change(
    of screen: any ScreenInstance, from older: Revision, to newer: Revision
  ) -> Response {
    reply(.change, older.token, newer) {
      change(of: screen, from: older, to: newer, named: older.token.description)
    }
  }

  /// The same for a client that knows the older revision by a name of another run.
  func change(
    of screen: any ScreenInstance, from older: Revision, to newer: Revision, named name: String
  ) -> Response {
    let diff = newer.diff(of: screen, from: older, named: name)
    if diff.count > Self.smallDocument {
      let snapshot = snapshot(of: screen, at: newer)
      if diff.count > snapshot.bodySize / 10 * 9 {
        return document(newer, snapshot.body, caching: .never, hasTag: true)
      }
    }
    return document(newer, diff, caching: .never)
  }

  /// The diff between two revisions that the client named, in either direction.
  func pinnedDiff(
    of screen: any ScreenInstance, from: Revision, to: Revision
  ) -> Response {
    reply(.pinnedDiff, from.token, to) {
      document(
        to, to.diff(of: screen, from: from, named: from.token.description), caching: .forGood)
    }
  }

  /// The whole view model for a client whose revision cannot be diffed.
  func reset(
    of screen: any ScreenInstance, to revision: Revision, reason: ResetReason
  ) -> Response {
    reply(.reset(reason), nil, revision) {
      document(revision, revision.reset(of: screen, reason: reason), caching: .never)
    }
  }

  private func reply(
    _ form: ReplyForm, _ from: RevisionToken?, _ to: Revision, _ make: () -> Response
  ) -> Response {
    cache.reply(for: ReplyCache.Key(form: form, from: from, to: to.token), make)
  }

  private func document(
    _ revision: Revision, _ body: [UInt8], caching: Caching, hasTag: Bool = false
  ) -> Response {
    let token = revision.token.description
    var fields: HTTPFields = [
      .contentType: "application/json", .cacheControl: caching.rawValue, .vary: "Accept",
      .viewRevision: token,
    ]
    if hasTag { fields[.eTag] = EntityTag(token).text }
    return Response(status: .ok, fields: fields, body: body)
  }
}
