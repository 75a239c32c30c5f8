import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

/// Asks which of many view models changed since the revisions that a client holds, and how.
struct SyncQuestion: Question {
  let query: SyncQuery
  let preferences: Preferences
  let coding: ContentCoding
  let models: ViewModels

  var instance: String { SyncEndpoint.path }

  /// The reply if none of them changed.
  private static let nothingNew = Response(
    status: .noContent, fields: [.cacheControl: Caching.never.rawValue, .vary: "Accept"])

  /// Returns the changes of all view models that have any. A reset or a problem of one view model is its
  /// change and does not affect the others. All are read at one moment, so that no client sees half of a
  /// write to several.
  func ask() throws(ProblemDetails) -> Answer {
    var writer = JSONWriter()
    var isFirst = true
    var hasDiff = false
    var watched: [Watched] = []
    var languages: Set<String> = []
    writer.raw("{\"screens\":{")
    let readings = models.registry.reading(of: query.screens.map { ($0.path.screen, $0.path.key) })
    for ((name, _, held), reading) in zip(query.screens, readings) {
      let document: [UInt8]
      do throws(ProblemDetails) {
        let reading = try reading.orProblem()
        let change = held.change(of: reading.screen, at: reading.revision, models.registry)
        if preferences.isStrict { try change.refuseReset() }
        if case .nothing(let revision) = change {
          watched.append(Watched(reading.screen, after: revision))
          continue
        }
        if case .diff = change { hasDiff = true }
        if let language = models.replies.language(of: reading.screen.name) {
          languages.insert(language.rawValue)
        }
        document =
          models.replies.reply(
            change, as: .json, mustBeDiff: preferences.wantsDiff
          ).body
      } catch {
        document = error.document
      }
      writer.separate(&isFirst)
      writer.string(name)
      writer.raw(":")
      writer.raw(document)
    }
    if isFirst { return .unchanged(Self.nothingNew, watching: watched) }
    writer.raw("}}")
    var fields: HTTPFields = [.vary: "Accept, Accept-Encoding, Prefer"]
    fields[.contentLanguage] = languages.sorted().joined(separator: ", ")
    if hasDiff, preferences.wantsDiff { fields[.preferenceApplied] = Preferences.diff }
    return .changed(.json(encoded: writer.bytes, fields: fields).coded(coding))
  }
}

/// The body of a request for the changes of many view models.
struct SyncQuery: Sendable {
  /// The view models by their names, with what the client holds of each.
  let screens: [(name: Text, path: ScreenPath, held: HeldRevision)]
  /// How long the client waits for a change of any of them.
  let wait: Duration

  /// The number of view models that one request may name.
  static let limit = 100

  /// Reads a body.
  ///
  /// - Throws: `JSONShapeError` with a pointer to the member at fault.
  init(_ body: JSONReader) throws(JSONShapeError) {
    try body.rejectUnknownMembers(allowed: ["screens", "wait"])
    let screens = try body.member("screens")
    let names = try screens.memberNames
    guard (1...Self.limit).contains(names.count) else {
      throw screens.error("expected 1 to \(Self.limit) screens, found \(names.count)")
    }
    var parsed: [(name: Text, path: ScreenPath, held: HeldRevision)] = []
    for name in names {
      let screen = try screens.member(name)
      guard let path = ScreenPath(name) else {
        throw screen.error("the name is not a screen and a key, such as profile/1")
      }
      parsed.append((name, path, try HeldRevision(screen)))
    }
    self.screens = parsed
    guard let wait = try body.optionalMember("wait") else {
      self.wait = .zero
      return
    }
    let seconds = try wait.integer()
    guard seconds >= 0 else { throw wait.error("expected a whole number of seconds from 0") }
    self.wait = ChangeQuery.wait(seconds: seconds)
  }
}

extension HeldRevision {
  fileprivate init(_ screen: JSONReader) throws(JSONShapeError) {
    try screen.rejectUnknownMembers(allowed: ["since", "have"])
    if let since = try screen.optionalMember("since") {
      let name = try since.string()
      guard RevisionToken.isWellFormed(name.string) else {
        throw since.error("expected a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
      }
      self.since = name
    }
    if let have = try screen.optionalMember("have") {
      guard let hash = ContentHash(try have.string().string) else {
        throw have.error("expected a SHA-256 in base64url without padding")
      }
      self.have = hash
    }
  }
}

extension ProblemDetails {
  /// The problem as the document of one view model among others.
  fileprivate var document: [UInt8] {
    var members = (try? JSONReader(JSONValue(parsing: response().body)).object()) ?? [:]
    members["kind"] = "problem"
    return JSONValue.object(members).canonicalBytes()
  }
}
