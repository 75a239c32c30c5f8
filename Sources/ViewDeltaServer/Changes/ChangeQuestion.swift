import CanonicalJSON
import MicroHTTP
import ViewState

/// Asks what changed in one view model since the revision that a client holds.
struct ChangeQuestion: Question {
  let path: InstancePath
  /// The instance that the path led to last; `nil` if it must be made.
  var instance: Instance?
  var held: HeldRevision
  let preferences: Preferences
  var representation: Representation
  /// The same for all questions.
  let models: ViewModels

  var requestPath: String { "\(path.target)/diff" }

  var takesLong: Bool { instance.map { held.takesLong(of: $0, models.registry) } ?? true }

  func ask() throws(ProblemDetails) -> Answer {
    let instance = try models.instance(at: path, lastFound: instance)
    var budget = HeldRevision.hashedByteLimit
    let change = held.change(
      of: instance, models.registry, inStream: representation.format.isEvent, hashing: &budget)
    if preferences.isStrict { try change.refuseReset() }
    let reply = models.replies.reply(
      change, as: representation, mustBeDiff: preferences.wantsDiff)
    let watched = [Watched.shown(instance, change.revision.token)]
    if case .nothing = change, representation.format != .firstEvent {
      return .unchanged(reply, watching: watched)
    }
    guard representation.format.isEvent else {
      return .changed(reply, next: nil, watching: watched)
    }
    var next = self
    next.instance = instance
    next.held.move(to: Text(change.revision.token.description))
    next.representation = .nextEvent
    return .changed(reply, next: SharedQuestion(next), watching: watched)
  }

  static func == (left: ChangeQuestion, right: ChangeQuestion) -> Bool {
    left.instance === right.instance && left.path == right.path && left.held == right.held
      && left.preferences == right.preferences && left.representation == right.representation
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(instance.map { ObjectIdentifier($0) })
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
    if until != nil && held.since == nil { throw .badQuery("until needs since") }
    preferences = request.preferences
    wait = Self.wait(seconds: try query.seconds("wait") ?? preferences.wait ?? 0)
  }

  /// Returns a wait that is cut to the longest one.
  static func wait(seconds: Int) -> Duration { .seconds(min(seconds, longestWait)) }
}

extension Query {
  /// Reads a number of seconds in a parameter; `Int.max` if it is too large for an integer.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, or not a whole number from 0.
  fileprivate func seconds(_ parameter: String) throws(ProblemDetails) -> Int? {
    guard let text = try single(parameter) else { return nil }
    guard text.hasOnlyDigits else {
      throw .badQuery("\(parameter) is not a whole number of seconds, 0 or more")
    }
    return Int(text) ?? .max
  }
}
