import CanonicalJSON
import Snapshots

/// A view model that a loop follows, with its copy.
struct FollowedViewModel: Sendable {
  let connection: ViewModelConnection
  private var replica: Replica?
  /// Whether the copy must be replaced: a document could not be applied to it.
  private var isBroken = false
  /// Whether the copy was replaced once, and no change has fitted since.
  private var isReplaced = false
  /// How many answers in turn had the whole view model, and not a change.
  private var wholeCount = 0
  /// The revisions that the copy had before, the last one at the end.
  private var past: [Text] = []
  private static let pastLimit = 16
  /// Whether the last answer had one whole view model after the other, or led to a revision that the app has or had.
  private(set) var isRepeated = false
  /// The last answer, if the app cannot use that. The next request names it as `since`, so the server answers at the
  /// next change.
  private var passedOver: PassedOver?
  /// The window that the last request has asked for; `nil` for all rows.
  private var window: RowWindow?
  /// Whether the content is up to date, as far as the app was told; `nil` before the first answer.
  private var isCurrent: Bool?
  /// The time from which the opening command is sent if it is needed, once there is a copy; `nil` if that was decided.
  private var openingTime: Duration? = .zero
  private var openingFailureCount = 0
  /// How often in turn another change came before the opening command.
  private var outrunCount = 0
  /// After so many the command is sent for any revision, because changes come faster than the network brings it.
  private static let outrunLimit = 3

  private enum PassedOver {
    /// A problem that passes, by its code.
    case problem(Text)
    /// A view model that the app cannot read, by its revision, through a window.
    case unreadable(Text, RowWindow?)
  }

  /// - Parameter replica: What is known of the view model. A replica of another one is ignored, because no document of
  ///   this one would ever fit it.
  init(connection: ViewModelConnection, replica: Replica?) {
    self.connection = connection
    self.replica = replica?.screen == connection.name ? replica : nil
  }

  /// Returns the content that the next request names.
  ///
  /// - Complexity: O(1); for one with all rows that is doubtful O(*n*), where *n* is the number of bytes of the content.
  /// - Parameters:
  ///   - scrolled: The window to which the app has scrolled; `nil` keeps the window of the copy.
  ///   - isDoubtful: Whether the server may not know the revision.
  mutating func held(through scrolled: RowWindow?, isDoubtful: Bool) -> HeldContent {
    window = scrolled ?? replica?.snapshot.window?.rows
    guard let basis else { return HeldContent(window: window) }
    var held = HeldContent(revision: basis.name, window: basis.window)
    if basis.window != window { held.next = window }
    if isDoubtful, window == nil, passedOver == nil {
      held.hash = replica.map { ContentHash(of: $0.snapshot) }
    }
    return held
  }

  /// The name of what the next request starts from, and its window; `nil` if it asks for the whole.
  private var basis: (name: Text, window: RowWindow?)? {
    let basis: (name: Text, window: RowWindow?)
    switch passedOver {
    // No window is held, so there is none to scroll from: the server answers when the problem has passed.
    case .problem(let code)?: return (code, window)
    case .unreadable(let revision, let window)?: basis = (revision, window)
    case nil:
      guard let replica, !isBroken else { return nil }
      basis = (replica.revision, replica.snapshot.window?.rows)
    }
    // No diff leads from all rows to a window.
    return (basis.window == nil) == (window == nil) ? basis : nil
  }

  /// Takes a document over.
  ///
  /// - Parameters:
  ///   - reader: The document.
  ///   - isDoubtful: Whether the server may have been started anew, and have loaded nothing.
  /// - Returns: The update; `nil` if the app has this very revision.
  /// - Throws: ``ReplicaError`` if it does not fit.
  mutating func take(
    _ reader: JSONReader, isDoubtful: Bool
  ) throws(ReplicaError) -> ViewModelUpdate? {
    if let refusal = try Self.problem(reader) {
      (passedOver, isRepeated) = (refusal.code.map(PassedOver.problem), false)
      return refusal.isFinal ? .ended(refusal) : interrupt(.refused(refusal))
    }
    let document = try WireDocument(reader)
    guard document.screen == connection.name else {
      throw .otherScreen(expected: connection.name, found: document.screen)
    }
    let found = document.window?.rows
    guard found == window else { throw .otherWindow(expected: window, found: found) }
    let (next, changes): (Replica, Changeset)
    if var copy = replica {
      changes = try copy.apply(document)
      next = copy
    } else {
      next = try Replica(document)
      changes = next.snapshot.difference(from: .empty)
    }
    // A `snapshot` may be in place of a larger diff.
    let isChange = passedOver == nil && !wantsWhole && !document.isReset
    if !isChange || isDoubtful { openingTime = .zero }
    if !document.isWhole { isReplaced = false }
    // Also through the same window, whose rows may be the same as those of another one.
    let isHeld = document.isWhole && isChange && isCurrent == true && replica == next
    wholeCount = document.isWhole ? wholeCount + 1 : 0
    // What a scroll brings has the same revision.
    let isSeen = isChange && replica?.snapshot.window?.rows == found && has(next.revision)
    isRepeated = wholeCount > 1 || isSeen
    if let replica, replica.revision != next.revision {
      past = past.suffix(Self.pastLimit - 1) + [replica.revision]
    }
    (replica, isBroken, passedOver, isCurrent) = (next, false, nil, true)
    return isHeld ? nil : .changed(next, changes)
  }

  /// Whether the app has a revision, or had it.
  private func has(_ revision: Text) -> Bool {
    replica?.revision == revision || past.contains(revision)
  }

  private static func problem(_ reader: JSONReader) throws(ReplicaError) -> ServerProblem? {
    do throws(JSONShapeError) {
      guard try reader.member("kind").string() == "problem" else { return nil }
      _ = try reader.member("code").string()
      return ServerProblem(status: try reader.member("status").integer(), reader)
    } catch {
      throw .unexpectedShape(error)
    }
  }

  /// Notes that the content has not changed.
  ///
  /// - Parameters:
  ///   - revision: The name of its revision now.
  ///   - isDoubtful: Whether the server may have been started anew, and have loaded nothing.
  mutating func keep(_ revision: Text, isDoubtful: Bool) -> ViewModelUpdate? {
    (wholeCount, isRepeated) = (0, false)
    if passedOver != nil { return nil }
    if isDoubtful, replica?.revision != revision { openingTime = .zero }
    replica?.rename(to: revision)
    defer { isCurrent = true }
    return isCurrent == true ? nil : .resumed
  }

  /// Notes that a document does not fit, after which the whole view model is asked for.
  ///
  /// - Returns: Whether it is asked for at once: not if the document was the whole, and not if one change after the other
  ///   does not fit, such as that of a cache between the app and the server.
  mutating func replace() -> Bool {
    if wantsWhole { return false }
    let isRepeated = isReplaced && passedOver == nil
    isReplaced = passedOver == nil
    (isBroken, passedOver) = (true, nil)
    return !isRepeated
  }

  /// Whether the server was asked for the whole view model, or for all of its window.
  var wantsWhole: Bool { basis == nil }

  /// Notes that the whole view model does not fit, such as one of a later server.
  ///
  /// - Parameter revision: The name of its revision, from which a change is waited for.
  mutating func passOver(_ revision: Text, _ error: ReplicaError) -> ViewModelUpdate? {
    passedOver = .unreadable(revision, window)
    return interrupt(.unexpected(Text("\(error)")))
  }

  /// Notes that the content may be out of date.
  mutating func interrupt(_ error: ConnectionError) -> ViewModelUpdate? {
    defer { isCurrent = false }
    return isCurrent == false ? nil : .interrupted(error)
  }

  /// The time at which it must be decided whether the opening command is sent; `nil` if that was decided, or cannot be.
  var decisionTime: Duration? { replica == nil ? nil : openingTime }

  /// Returns the copy if it must be decided now whether the opening command is sent, and whether for its revision alone.
  mutating func replicaToOpen(at now: Duration) -> (replica: Replica, isExact: Bool)? {
    guard let replica, let time = openingTime, time <= now else { return nil }
    openingTime = nil
    return (replica, outrunCount < Self.outrunLimit)
  }

  /// Notes the answer to the opening command.
  ///
  /// - Parameter error: The reason why it must be sent again, if so.
  mutating func opened(_ error: ConnectionError?, _ pacing: Pacing) {
    openingFailureCount = error == nil ? 0 : openingFailureCount + 1
    outrunCount = error?.problem?.status == 412 ? outrunCount + 1 : 0
    openingTime = error.map {
      pacing.now() + pacing.pause(afterFailures: openingFailureCount, atLeast: $0.retryAfter)
    }
  }
}
