import CanonicalJSON
import MicroHTTP
import Snapshots
import ViewState

/// Asks what changed in one view model since the revision that a client holds.
struct ChangeQuestion: Question {
  let path: ScreenPath
  /// The screen that the path led to last; `nil` if it must be made.
  var screen: Instance?
  var held: HeldRevision
  let preferences: Preferences
  var representation: Representation
  /// The same for all questions.
  let models: ViewModels

  var instance: String { "/v1/view-models/\(path.screen)/\(path.key)/diff" }

  var takesLong: Bool { screen.map { held.takesLong(of: $0, models.registry) } ?? true }

  func ask() throws(ProblemDetails) -> Answer {
    let screen = try models.screen(at: path, lastFound: screen)
    let change = held.change(of: screen, models.registry)
    if preferences.isStrict { try change.refuseReset() }
    let reply = models.replies.reply(
      change, as: representation, mustBeDiff: preferences.wantsDiff)
    let watched = [Watched(screen, after: change.revision)]
    if case .nothing = change, representation.format != .firstEvent {
      return .unchanged(reply, watching: watched)
    }
    guard representation.format.isEvent else {
      return .changed(reply, next: nil, watching: watched)
    }
    var next = self
    next.screen = screen
    next.held.move(to: Text(change.revision.token.description))
    next.representation = .nextEvent
    return .changed(reply, next: SharedQuestion(next), watching: watched)
  }

  static func == (left: ChangeQuestion, right: ChangeQuestion) -> Bool {
    left.screen === right.screen && left.path == right.path && left.held == right.held
      && left.preferences == right.preferences && left.representation == right.representation
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(screen.map { ObjectIdentifier($0) })
    hasher.combine(held)
    hasher.combine(representation)
  }
}

/// The query of a request for the changes of one view model.
struct ChangeQuery: Sendable {
  let held: HeldRevision
  /// The name of the revision up to which the client wants the changes; `nil` if that is the current one.
  let until: Text?
  let preferences: Preferences
  /// How long the client waits for a change.
  let wait: Duration

  /// The longest wait in seconds. A longer one is cut to this, because many proxies give up after a minute.
  static let longestWait = 55

  /// Reads a query.
  ///
  /// - Throws: A 400 problem for a parameter that is empty, malformed or given twice, and for `until` without
  ///   `since`.
  init(_ request: Request) throws(ProblemDetails) {
    let query = request.query
    held = try HeldRevision(query)
    until = try query.revisionName("until")
    if until != nil && held.since == nil { throw .badParameter("until needs since") }
    preferences = request.preferences
    wait = Self.wait(seconds: try query.seconds("wait") ?? preferences.wait ?? 0)
  }

  /// Returns a wait that is cut to the longest one.
  static func wait(seconds: Int) -> Duration { .seconds(min(seconds, longestWait)) }
}

extension HeldRevision {
  /// Reads the parameters `since` and `have` of a query.
  ///
  /// - Throws: A 400 problem for a parameter that is empty, malformed or given twice.
  init(_ query: Query) throws(ProblemDetails) {
    try self.init(since: query.single("since"), have: query.single("have"))
  }

  /// Reads the values of the parameters `since` and `have`.
  ///
  /// - Throws: A 400 problem for one that is malformed.
  init(since: String?, have: String?) throws(ProblemDetails) {
    self.since = try since.map { value throws(ProblemDetails) in
      try Self.revisionName(value, in: "since")
    }
    guard let have else { return }
    guard let hash = ContentHash(have) else {
      throw .badParameter("have is not a SHA-256 in base64url without padding")
    }
    self.have = hash
  }

  /// Reads the name of a revision.
  ///
  /// - Throws: A 400 problem if it is not `[A-Za-z0-9._-]{1,64}`.
  fileprivate static func revisionName(
    _ value: String, in parameter: String
  ) throws(ProblemDetails) -> Text {
    guard RevisionToken.isWellFormed(value) else {
      throw .badParameter("\(parameter) is not a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
    }
    return Text(value)
  }
}

extension Query {
  /// Reads the name of a revision in a parameter.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, or not `[A-Za-z0-9._-]{1,64}`.
  func revisionName(_ parameter: String) throws(ProblemDetails) -> Text? {
    try single(parameter).map { value throws(ProblemDetails) in
      try HeldRevision.revisionName(value, in: parameter)
    }
  }

  /// Reads a number of seconds in a parameter; `Int.max` if it is too large for an integer.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, or not a whole number from 0.
  fileprivate func seconds(_ parameter: String) throws(ProblemDetails) -> Int? {
    guard let text = try single(parameter) else { return nil }
    guard text.hasOnlyDigits else {
      throw .badParameter("\(parameter) is not a whole number of seconds from 0")
    }
    return Int(text) ?? .max
  }
}
