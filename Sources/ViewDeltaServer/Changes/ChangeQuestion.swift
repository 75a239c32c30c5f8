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

  var instance: String { "\(path.target)/diff" }

  var takesLong: Bool { screen.map { held.takesLong(of: $0, models.registry) } ?? true }

  func ask() throws(ProblemDetails) -> Answer {
    let screen = try models.screen(at: path, lastFound: screen)
    var budget = HeldRevision.hashedByteLimit
    let change = held.change(of: screen, models.registry, hashing: &budget)
    if preferences.isStrict { try change.refuseReset() }
    let reply = models.replies.reply(
      change, as: representation, mustBeDiff: preferences.wantsDiff)
    let watched = [Watched.shown(screen, change.revision.token)]
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
    if until != nil && held.since == nil { throw .badQuery("until needs since") }
    preferences = request.preferences
    wait = Self.wait(seconds: try query.seconds("wait") ?? preferences.wait ?? 0)
  }

  /// Returns a wait that is cut to the longest one.
  static func wait(seconds: Int) -> Duration { .seconds(min(seconds, longestWait)) }
}

extension HeldRevision {
  /// The names of the parameters of a query, and of the members of a body.
  static let parameters = ["since", "have", "window", "next"]

  /// Reads the parameters of a query.
  ///
  /// - Throws: A 400 problem for a parameter that is empty, malformed or given twice, and for parameters that do not
  ///   belong together.
  init(_ query: Query) throws(ProblemDetails) {
    try self.init { name throws(ProblemDetails) in try query.single(name) }
  }

  /// Reads the values of the parameters.
  ///
  /// - Parameter value: Returns the value of a parameter; `nil` if it is absent.
  /// - Throws: The problems of `value`, and a 400 problem for a value that is malformed, and for those that do not
  ///   belong together.
  init(_ value: (String) throws(ProblemDetails) -> String?) throws(ProblemDetails) {
    if let since = try value("since") { self.since = try Self.revisionName(since, in: "since") }
    if let have = try value("have") {
      guard let hash = ContentHash(have) else {
        throw .badQuery("have is not a SHA-256 in base64url without padding")
      }
      self.have = hash
    }
    if let window = try value("window") { self.window = try RowWindow(window, in: "window") }
    if let next = try value("next") { self.next = try RowWindow(next, in: "next") }
    if let problem = completeWindows() { throw .badQuery(problem) }
  }

  /// Sets ``next`` to the window that the client has, unless it names another one.
  ///
  /// - Returns: The reason why the values do not belong together; `nil` if they do.
  mutating func completeWindows() -> String? {
    if window != nil, have != nil { return "have and window exclude each other" }
    if next != nil, window == nil || since == nil { return "next needs since and window" }
    next = next ?? window
    return nil
  }

  /// Reads the name of a revision.
  ///
  /// - Throws: A 400 problem if it is not `[A-Za-z0-9._-]{1,64}`.
  fileprivate static func revisionName(
    _ value: String, in parameter: String
  ) throws(ProblemDetails) -> Text {
    guard RevisionToken.isWellFormed(value) else {
      throw .badQuery("\(parameter) is not a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
    }
    return Text(value)
  }
}

extension RowWindow {
  /// Reads the value of a parameter: the number of the first row, a comma, and the number of rows.
  ///
  /// - Throws: A 400 problem if it is something else, or out of range.
  init(_ value: String, in parameter: String) throws(ProblemDetails) {
    let numbers = value.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ String($0).hasOnlyDigits }),
      let start = Int(numbers[0]), let count = Int(numbers[1]),
      let window = RowWindow(start: start, count: count)
    else {
      throw .badQuery(
        "\(parameter) is not the first row and the number of rows, 1 to \(Self.greatestCount), "
          + "such as 200,100")
    }
    self = window
  }
}

extension Query {
  /// Reads the window in the parameter `window`; `nil` if it is absent.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, malformed or out of range.
  var window: RowWindow? {
    get throws(ProblemDetails) {
      try single("window").map { value throws(ProblemDetails) in
        try RowWindow(value, in: "window")
      }
    }
  }

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
      throw .badQuery("\(parameter) is not a whole number of seconds from 0")
    }
    return Int(text) ?? .max
  }
}
