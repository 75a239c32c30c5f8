import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

/// Makes the replies of view models, each once for every representation.
struct ViewReplies: Sendable {
  let cache: ReplyCache

  /// A diff of this size or less, in bytes, is not worth a snapshot in its place: nothing that matters
  /// is saved on the way, and the client would lose what moved where.
  static let smallDocument = 4 * 1024

  init(cache: ReplyCache) {
    self.cache = cache
  }

  /// What a client is told, in the form that it wants.
  ///
  /// - Parameter mustBeDiff: whether no snapshot may come in place of a larger diff.
  func reply(
    _ change: Change, of screen: any ScreenInstance, as representation: Representation,
    mustBeDiff: Bool = false
  ) -> Response {
    switch change {
    case .whole(let revision):
      snapshot(of: screen, at: revision, as: representation)
    case .nothing(let revision):
      representation.format == .firstEvent ? place(at: revision) : nothingNew(at: revision)
    case .diff(let older, let newer, let name):
      diff(
        of: screen, from: older, to: newer, named: name, as: representation, mustBeDiff: mustBeDiff)
    case .reset(let revision, let reason):
      reset(of: screen, to: revision, reason: reason, as: representation)
    }
  }

  /// The current snapshot, to be revalidated by its entity tag.
  func snapshot(
    of screen: any ScreenInstance, at revision: Revision, as representation: Representation
  ) -> Response {
    cached(.snapshot, nil, revision, representation) { format in
      Document(revision, .revalidate, hasTag: format == .json)
        .reply(revision.snapshot(of: screen, as: format), format)
    }
  }

  /// A kept snapshot, asked for by its revision.
  func pinnedSnapshot(
    of screen: any ScreenInstance, at revision: Revision, as representation: Representation
  ) -> Response {
    cached(.pinnedSnapshot, nil, revision, representation) { format in
      Document(revision, .forGood, hasTag: true)
        .reply(revision.snapshot(of: screen, as: format), format)
    }
  }

  /// The diff between two revisions that the client named, in either direction.
  func pinnedDiff(
    of screen: any ScreenInstance, from: Revision, to: Revision,
    as representation: Representation
  ) -> Response {
    cached(.pinnedDiff, from.token, to, representation) { format in
      let diff = to.diff(of: screen, from: from, named: Text(from.token.description), as: format)
      return Document(to, .forGood).reply(diff, format)
    }
  }

  /// That nothing has changed since the revision; the same in every representation.
  private func nothingNew(at revision: Revision) -> Response {
    cached(.nothingNew, nil, revision, .json) { _ in
      Response(
        status: .noContent,
        fields: [
          .viewRevision: revision.token.description, .cacheControl: Caching.never.rawValue,
          .vary: "Accept",
        ])
    }
  }

  /// The block that opens a stream for which there is no news yet.
  private func place(at revision: Revision) -> Response {
    let representation = Representation(format: .firstEvent, coding: .identity)
    return cached(.nothingNew, nil, revision, representation) { format in
      Document(revision, .never).reply(nil, format)
    }
  }

  /// What changed between the two revisions: a diff, or the snapshot if that is smaller.
  private func diff(
    of screen: any ScreenInstance, from older: Revision, to newer: Revision, named name: Text?,
    as representation: Representation, mustBeDiff: Bool
  ) -> Response {
    // Clients that know the older revision by a name of another run share nothing: each has to read
    // its own name.
    if let name {
      return makeDiff(
        of: screen, from: older, to: newer, named: name, as: representation.format,
        mustBeDiff: mustBeDiff, .never
      ).coded(representation.coding)
    }
    return cached(.change(mustBeDiff: mustBeDiff), older.token, newer, representation) { format in
      makeDiff(
        of: screen, from: older, to: newer, named: Text(older.token.description), as: format,
        mustBeDiff: mustBeDiff, .briefly)
    }
  }

  private func makeDiff(
    of screen: any ScreenInstance, from older: Revision, to newer: Revision, named name: Text,
    as format: DocumentFormat, mustBeDiff: Bool, _ caching: Caching
  ) -> Response {
    let diff = newer.diff(of: screen, from: older, named: name, as: format)
    if diff.count > Self.smallDocument, !mustBeDiff {
      // What events put around either does not count.
      let whole = Representation(format: format == .jsonPatch ? format : .json, coding: .identity)
      let snapshot = snapshot(of: screen, at: newer, as: whole)
      if diff.count > snapshot.bodySize {
        return Document(newer, .never, hasTag: format == .json).reply(snapshot.body, format)
      }
    }
    return Document(newer, caching).reply(diff, format)
  }

  /// The whole view model for a client whose revision cannot be diffed.
  private func reset(
    of screen: any ScreenInstance, to revision: Revision, reason: ResetReason,
    as representation: Representation
  ) -> Response {
    cached(.reset(reason), nil, revision, representation) { format in
      Document(revision, .never).reply(
        revision.reset(of: screen, reason: reason, as: format), format)
    }
  }

  /// A page of the history, to be revalidated by its entity tag.
  func history(_ page: HistoryPage, as representation: Representation) -> Response {
    cached(
      .history(isLast: page.previous == nil), page.entries.first?.token, page.end, representation
    ) { _ in
      var fields: HTTPFields = [
        .eTag: page.tag.text, .cacheControl: Caching.revalidate.rawValue,
        .vary: "Accept, Accept-Encoding", .viewRevision: page.end.token.description,
      ]
      fields[.link] = page.link
      return .json(encoded: page.document, fields: fields)
    }
  }

  private func cached(
    _ form: ReplyForm, _ from: RevisionToken?, _ to: Revision, _ representation: Representation,
    _ make: (DocumentFormat) -> Response
  ) -> Response {
    cache.reply(on: .view(form, from: from, to: to.token), as: representation, make)
  }
}

/// The head of a reply that speaks of a revision.
private struct Document {
  private let revision: Revision
  private let caching: Caching
  private let hasTag: Bool

  init(_ revision: Revision, _ caching: Caching, hasTag: Bool = false) {
    self.revision = revision
    self.caching = caching
    self.hasTag = hasTag
  }

  /// - Parameter document: the body, before it is put into an event.
  func reply(_ document: [UInt8]?, _ format: DocumentFormat) -> Response {
    let token = revision.token.description
    var fields: HTTPFields = [
      .contentType: format.contentType, .cacheControl: caching.rawValue,
      .vary: "Accept, Accept-Encoding", .viewRevision: token,
    ]
    if hasTag { fields[.eTag] = EntityTag(Text(token)).text }
    return Response(status: .ok, fields: fields, body: revision.framed(document, as: format))
  }
}

extension HTTPField.Name {
  fileprivate static var link: HTTPField.Name { HTTPField.Name("Link")! }
}
