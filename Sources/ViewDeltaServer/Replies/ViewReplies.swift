import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

/// Makes the replies about view models, each once for each representation.
struct ViewReplies: Sendable {
  let cache: ReplyCache
  let large = ReplyThread()
  /// Makes replies whose size is not known before. Most are small, and wait for no large one.
  let unsized = ReplyThread()

  /// The size, in bytes, up to which a diff is sent even if the snapshot is smaller: a snapshot would save
  /// little, and would not show what moved where.
  static let smallDocument = 4 * 1024

  /// The languages of the screens that name one, by the names of the screens.
  private let languages: [Text: Language]

  init(cache: ReplyCache, screens: [ScreenDescriptor]) {
    self.cache = cache
    languages = Dictionary(
      uniqueKeysWithValues: screens.compactMap { screen in
        screen.language.map { (screen.name, $0) }
      })
  }

  /// Makes a reply whose size is not known before: a change is mostly far smaller than what it changes. The plain
  /// content tells how large it is. Only if it is large and must be compressed does the reply wait for other large ones.
  ///
  /// - Parameter make: Makes the reply to the question, or to the same question in another representation.
  func unsizedReply<Asked: Question>(
    to request: Request, asking question: Asked,
    _ make: @escaping @Sendable (Asked) throws(ProblemDetails) -> Reply
  ) -> Reply {
    unsized.reply(to: request) { [large] () throws(ProblemDetails) in
      let wanted = question.representation
      if wanted.coding == .identity { return try make(question) }
      let plain = try question.with(wanted.plain).ask().response
      return try large.reply(to: request, as: wanted, upTo: plain.bodySize) {
        representation throws(ProblemDetails) in
        try make(question.with(representation))
      }
    }
  }

  /// Returns the language of a view model, such as `profile/1`; `nil` if its screen names none.
  func language(of viewModel: Text) -> Language? {
    InstancePath(viewModel).flatMap { languages[$0.screen] }
  }

  /// Returns the languages of view models as a list; `nil` if their screens name none.
  func languages(of viewModels: [Text]) -> String? {
    let names = Set(viewModels.compactMap { language(of: $0)?.rawValue })
    return names.isEmpty ? nil : names.sorted().joined(separator: ", ")
  }

  /// Returns the reply that brings a change to a client.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - representation: The representation that the client accepts.
  ///   - mustBeDiff: Whether a diff is sent even if the snapshot is smaller.
  func reply(_ change: Change, as representation: Representation, mustBeDiff: Bool) -> Response {
    switch change {
    case .whole(let revision):
      snapshot(at: revision, as: representation)
    case .nothing(let revision):
      representation.format == .firstEvent
        ? openingBlock(at: revision) : nothingNew(at: revision)
    case .diff(let older, let newer, let name):
      diff(from: older, to: newer, named: name, as: representation, mustBeDiff: mustBeDiff)
    case .reset(let revision, let reason):
      reset(to: revision, reason, as: representation)
    }
  }

  /// Returns whether a snapshot is kept in a representation, so that it need not be made.
  func isSnapshotKnown(
    at revision: SeenRevision, isPinned: Bool, as representation: Representation
  ) -> Bool {
    let subject = ReplyCache.Subject.view(
      .snapshot(isPinned: isPinned), from: nil, to: revision.name)
    return cache.known(subject, as: representation) != nil
  }

  /// Returns a snapshot: the current one, which caches revalidate by its entity tag, or a kept one that the client
  /// names by its revision.
  func snapshot(
    at revision: SeenRevision, isPinned: Bool = false, as representation: Representation
  ) -> Response {
    cached(.snapshot(isPinned: isPinned), nil, revision, representation) { format in
      reply(
        revision.document(as: format), revision, format, isPinned ? .forever : .revalidate,
        hasTag: format == .json)
    }
  }

  /// Returns the diff of two revisions that the client names, in either direction.
  func pinnedDiff(
    from: SeenRevision, to: SeenRevision, as representation: Representation
  ) -> Response {
    cached(.pinnedDiff, from.name, to, representation) { format in
      let diff = to.diff(from: from, named: Text(from.token.description), as: format)
      return reply(diff, to, format, .forever)
    }
  }

  /// Returns the reply if nothing has changed since a revision. It is the same in each representation.
  private func nothingNew(at revision: Revision) -> Response {
    cached(.nothingNew, nil, SeenRevision(revision), .json) { _ in
      Response(
        status: .noContent,
        fields: [
          .viewRevision: revision.token.description, .cacheControl: Caching.never.rawValue,
          .vary: "Accept",
        ])
    }
  }

  /// Returns the block that opens a stream if nothing has changed since a revision.
  private func openingBlock(at revision: Revision) -> Response {
    let whole = SeenRevision(revision)
    return cached(.nothingNew, nil, whole, .firstEvent) { format in
      reply(nil, whole, format, .never)
    }
  }

  /// Returns the difference of two revisions: a diff, or the snapshot if that is smaller.
  private func diff(
    from older: SeenRevision, to newer: SeenRevision, named name: Text?,
    as representation: Representation, mustBeDiff: Bool
  ) -> Response {
    // Not cached: clients that know the older revision by names of another run get their own names back.
    if let name {
      return makeDiff(
        from: older, to: newer, named: name, as: representation.format, mustBeDiff: mustBeDiff,
        .never
      ).coded(representation.coding)
    }
    return cached(.change(mustBeDiff: mustBeDiff), older.name, newer, representation) { format in
      makeDiff(
        from: older, to: newer, named: Text(older.token.description), as: format,
        mustBeDiff: mustBeDiff, .oneSecond)
    }
  }

  /// Makes the reply that depends on whether the client prefers a diff, and says so.
  private func makeDiff(
    from older: SeenRevision, to newer: SeenRevision, named name: Text, as format: DocumentFormat,
    mustBeDiff: Bool, _ caching: Caching
  ) -> Response {
    let diff = newer.diff(from: older, named: name, as: format)
    // A snapshot that is larger than a small document has at least 4/5 of its estimated size. So mostly none is made
    // only to compare the sizes.
    if !mustBeDiff, diff.count > max(Self.smallDocument, newer.contentByteCount / 5 * 4) {
      // The size of an event around the two documents does not count.
      let whole = Representation(format: format == .jsonPatch ? format : .json, coding: .identity)
      let snapshot = snapshot(at: newer, as: whole)
      if diff.count > snapshot.bodySize {
        return reply(
          snapshot.body, newer, format, .never, hasTag: format == .json,
          beside: Self.varyingByPrefer)
      }
    }
    // Clients may hold many revisions, and only the bodies of their replies differ.
    let plain = Representation(format: format, coding: .identity)
    let empty = cached(.diffFields(caching, mustBeDiff: mustBeDiff), nil, newer, plain) { format in
      var fields = Self.varyingByPrefer
      if mustBeDiff { fields[.preferenceApplied] = Preferences.diff }
      return reply(nil, newer, format, caching, beside: fields)
    }
    return empty.with(body: newer.body(with: diff, as: format))
  }

  private static let varyingByPrefer: HTTPFields = [.vary: "Accept, Accept-Encoding, Prefer"]

  /// Returns the whole view model for a client whose revision cannot be diffed.
  private func reset(
    to revision: SeenRevision, _ reason: ResetReason, as representation: Representation
  ) -> Response {
    cached(.reset(reason), nil, revision, representation) { format in
      reply(revision.reset(reason, as: format), revision, format, .never)
    }
  }

  /// Returns a page of the history, which caches revalidate by its entity tag.
  func history(_ page: HistoryPage, as representation: Representation) -> Response {
    cached(
      .history(isLast: page.previous == nil), page.entries.first.map { SeenRevision($0).name },
      SeenRevision(page.end), representation
    ) { _ in
      let document = page.document
      var fields: HTTPFields = [
        .eTag: EntityTag(hashing: document).text, .cacheControl: Caching.revalidate.rawValue,
        .vary: "Accept, Accept-Encoding", .viewRevision: page.end.token.description,
      ]
      fields[.link] = page.link
      return .json(encoded: document, fields: fields)
    }
  }

  private func cached(
    _ form: ReplyCache.Form, _ from: SeenRevision.Name?, _ to: SeenRevision,
    _ representation: Representation, _ make: (DocumentFormat) -> Response
  ) -> Response {
    cache.reply(on: .view(form, from: from, to: to.name), as: representation, make)
  }

  /// Returns the reply with a document of a revision. The fields replace those that most replies have.
  private func reply(
    _ document: [UInt8]?, _ revision: SeenRevision, _ format: DocumentFormat, _ caching: Caching,
    hasTag: Bool = false, beside special: HTTPFields = [:]
  ) -> Response {
    let token = revision.token.description
    var fields: HTTPFields = [
      .contentType: format.contentType, .cacheControl: caching.rawValue,
      .vary: "Accept, Accept-Encoding", .viewRevision: token,
    ]
    fields[.contentLanguage] = language(of: revision.revision.instanceName)?.rawValue
    if hasTag { fields[.eTag] = EntityTag(Text(token)).text }
    for field in special { fields[field.name] = field.value }
    return Response(status: .ok, fields: fields, body: revision.body(with: document, as: format))
  }
}
