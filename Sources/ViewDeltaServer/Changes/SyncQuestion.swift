import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// Asks which of many view models changed since the revisions that a client holds, and how.
struct SyncQuestion: Question {
  var instances: [HeldInstance]
  let preferences: Preferences
  var representation: Representation
  /// The same for all questions.
  let models: ViewModels

  /// The path of the requests that ask it.
  static let path = "/v1/sync"

  var requestPath: String { Self.path }

  /// The names of revisions that a client holds.
  var revisionNames: [Text] { instances.compactMap(\.held.since) }

  var takesLong: Bool {
    instances.contains { asked in
      // After the first answer all are made but those that are created anew.
      if representation != .nextEvent, models.mustMake(asked.path) { return true }
      guard let instance = try? models.instance(at: asked.path) else { return false }
      return asked.held.takesLong(of: instance, models.registry)
    }
  }

  /// The size of the content of which the answer may consist, in bytes.
  var changedByteCount: Int {
    instances.reduce(0) { sum, asked in
      sum + ((try? models.instance(at: asked.path)).map(asked.held.changedByteCount) ?? 0)
    }
  }

  /// Finds the changes of all view models that have any. A reset or a problem of one view model is its change
  /// and does not affect the others. All are read at one moment, so that no client sees half of a write to
  /// several.
  func ask() -> Answer {
    let isFirst = representation.format == .firstEvent
    var next = self
    next.representation = .nextEvent
    var documents: [Text: [UInt8]] = [:]
    var shown: [Text] = []
    var hasDiff = false
    var watched: [Watched] = []
    // Of each view model that of now, or the code of its problem.
    var revisions: [String] = []
    var budget = HeldRevision.hashedByteLimit
    let readings = models.registry.reading(of: instances.map { ($0.path.screen, $0.path.key) })
    for (index, reading) in readings.enumerated() {
      let asked = instances[index]
      do throws(ProblemDetails) {
        let reading = try reading.mapError { ProblemDetails($0) }.get()
        let change = asked.held.change(
          of: reading.instance, at: reading.revision, models.registry,
          inStream: representation.format.isEvent, hashing: &budget)
        if preferences.isStrict { try change.refuseReset() }
        let token = Text(change.revision.token.description)
        revisions.append(token.string)
        watched.append(.shown(reading.instance, change.revision.token))
        if case .nothing = change {
          // The first event gives what the client holds its current name.
          if isFirst { next.instances[index].held.move(to: token) }
          continue
        }
        if case .diff = change { hasDiff = true }
        documents[asked.path.name] =
          models.replies.reply(change, as: .json, mustBeDiff: preferences.wantsDiff).body
        shown.append(asked.path.name)
        next.instances[index].held.move(to: token)
      } catch {
        // In place of a revision the client has the code of the problem, and does not get it again.
        let code = Text(error.code)
        // One that fails may be repaired, and one that is missing may be created.
        switch error.code {
        case ProblemDetails.screenFailed.code:
          if let instance = try? models.recipient(at: asked.path) {
            watched.append(.failing(instance))
          }
        case ProblemDetails.unknownKey.code, ProblemDetails.deletedKey.code:
          watched.append(.absent(asked.path, models))
        default: break
        }
        revisions.append(code.string)
        if asked.held.since == code { continue }
        documents[asked.path.name] = error.document
        next.instances[index].held.move(to: code)
      }
    }
    let names = revisions.joined(separator: ",")
    if documents.isEmpty, !isFirst {
      let fields: HTTPFields = [
        .cacheControl: Caching.never.rawValue, .vary: "Accept", .viewRevision: names,
      ]
      return .unchanged(Response(status: .noContent, fields: fields), watching: watched)
    }
    switch representation.format {
    case .firstEvent, .eventStream:
      let event = EventBlock(
        id: next.instances.map { $0.held.since?.string ?? "" }.joined(separator: ","),
        data: documents.isEmpty ? nil : Self.body(documents), isFirst: isFirst)
      return .changed(
        Response(status: .ok, body: event.bytes), next: SharedQuestion(next), watching: watched)
    case .json, .jsonPatch:
      var fields: HTTPFields = [.vary: "Accept, Accept-Encoding, Prefer", .viewRevision: names]
      fields[.contentLanguage] = models.replies.languages(of: shown)
      if hasDiff, preferences.wantsDiff { fields[.preferenceApplied] = Preferences.diff }
      let reply = Response.json(encoded: Self.body(documents), fields: fields)
      return .changed(reply.coded(representation.coding), next: nil, watching: watched)
    }
  }

  static func == (left: SyncQuestion, right: SyncQuestion) -> Bool {
    left.instances == right.instances && left.preferences == right.preferences
      && left.representation == right.representation
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(instances)
    hasher.combine(representation)
  }

  private static func body(_ documents: [Text: [UInt8]]) -> [UInt8] {
    var writer = JSONWriter()
    var isFirst = true
    writer.raw("{\"screens\":{")
    for (name, document) in documents.sorted(by: { $0.key < $1.key }) {
      writer.separate(&isFirst)
      writer.string(name)
      writer.raw(":")
      writer.raw(document)
    }
    writer.raw("}}")
    return writer.bytes
  }
}

/// The body of a request for the changes of many view models.
struct SyncQuery: Sendable {
  let instances: [HeldInstance]
  /// How long the client waits for a change of any of them.
  let wait: Duration

  /// Reads a body.
  ///
  /// - Throws: `JSONShapeError` with a pointer to the member at fault.
  init(_ body: JSONReader) throws(JSONShapeError) {
    try body.rejectUnknownMembers(allowed: ["screens", "wait"])
    instances = try HeldInstance.list(body.member("screens"))
    guard let wait = try body.optionalMember("wait") else {
      self.wait = .zero
      return
    }
    let seconds = try wait.integer()
    guard seconds >= 0 else { throw wait.error("expected a whole number of seconds, 0 or more") }
    self.wait = ChangeQuery.wait(seconds: seconds)
  }
}

extension ProblemDetails {
  /// The problem as the document of one view model among others.
  fileprivate var document: [UInt8] {
    json(instance: nil).mergePatched(with: ["kind": "problem"]).canonicalBytes()
  }
}
