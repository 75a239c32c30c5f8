public import CanonicalJSON
public import Snapshots

/// A part of a screen that writes changes back to the origin of its data, one after the other.
///
/// ```swift
/// struct State: ScreenState {
///   var todos = LoadState<[Todo]>()
///   var changes = SaveState<Change>()
/// }
///
/// static let finish = Command("finish", "Ticks a todo off.", .integer("todo")) {
///   (state: inout State, id) in
///   try state.changes.save(.finish(id))
/// }
///
/// var parts: [any ScreenPart<State>] {
///   [
///     Loading("todos", \.todos, from: todos) { todos, _ in … },
///     Saving(
///       "changes", \.changes, to: { list, change in try await database.apply(change, to: list) },
///       failure: { change in
///         switch change { case .finish(let id): "Couldn't tick todo \(id) off." }
///       }
///     ),
///   ]
/// }
/// ```
///
/// A command puts a change into the state; the write runs outside of the engine, and its end is an input.
/// While changes wait, the part is `isLoading` in `states`. If a write throws, or takes longer than the
/// time-out of the engine, the part is `failed` and has a row that says which change failed and why, with the
/// actions Retry and Discard; later changes wait. A write that failed may have taken effect, so writing a change
/// twice must do no harm: write the new due date, and not "14 days more".
///
/// To show changes before they are written, let the part that shows the value apply those in ``SaveState/pending`` to it.
/// After a write, put the change into the value. Load the value again when a change waits no longer: it was written, or
/// the user has discarded it, although it may have been written:
///
/// ```swift
/// var parts: [any ScreenPart<State>] {
///   [
///     Loading(
///       "todos", \.todos, from: todos,
///       showing: { state, todos in
///         state.changes.pending.reduce(into: todos) { $1.apply(to: &$0) }
///       }
///     ) { todos, _ in … },
///     Saving("changes", \.changes, to: write, failure: { … }) { state, _, change in
///       state.todos.change { change.apply(to: &$0) }
///     },
///   ]
/// }
///
/// func changed(_ state: inout State, from before: State) {
///   if state.changes.pending.count < before.changes.pending.count { state.todos.reload() }
/// }
/// ```
///
/// By ``Screen/changed(_:from:)`` a screen also reacts to a write that has failed, whose reason is in
/// ``SaveState/failure``.
///
/// On a personal screen each session writes its own changes, also if another session writes an equal one, and does not
/// wait for the others. The function that writes gets the key without the session. So if a change must not be written
/// twice, give it an id that differs in all sessions: ``Transaction/inputID``.
///
/// The time-out cancels the task of the write. The next write begins when that task has ended, so that no
/// two writes overlap and an older one never overwrites a newer one. If a task goes on although it is cancelled,
/// the writes after it time out.
public struct Saving<State, Change: Codable & Equatable & Sendable>: ScreenPart {
  public let name: Text
  private let path: any WritableKeyPath<State, SaveState<Change>> & Sendable
  private let write: @Sendable (Text, Change) async throws -> Void
  private let saved: @Sendable (inout State, inout Transaction, Change) -> Void
  private let failure: @Sendable (Change) -> Text
  private let error: RowType<FailedChange>
  private let identity = SourceIdentity()
  /// The command that tries again to write the change that failed.
  public let retry: Command<State>
  /// The command that drops the change that failed.
  public let discard: Command<State, Int?>

  /// Declares a part.
  ///
  /// - Parameters:
  ///   - name: The name of the part in `states` and causes. Its commands are named `retry` and `discard`
  ///     followed by the name.
  ///   - path: The path to the changes in the state of the screen.
  ///   - write: Writes a change of the view model with this key. An error ends the write as failed: a
  ///     ``LoadFailure`` with its code and message, any other error with the code `unavailable`; its
  ///     description goes to the log alone.
  ///   - type: The type of the row for a failure.
  ///   - failure: Returns the text of the row for a change that could not be written. It also goes to the log,
  ///     so it should name the change, and have no secrets in it. It is cut after 1,000 characters.
  ///   - language: The language of the message of a failure, and of the titles of the actions.
  ///   - saved: Changes the state, and stores through the transaction, after a change was written, for example to
  ///     put it into the loaded value. ``Screen/changed(_:from:)`` is called after it.
  public init(
    _ name: Text, _ path: any WritableKeyPath<State, SaveState<Change>> & Sendable,
    to write: @escaping @Sendable (_ key: Text, Change) async throws -> Void,
    error type: Text = "saveError", failure: @escaping @Sendable (Change) -> Text,
    language: Language = .en,
    then saved: @escaping @Sendable (inout State, inout Transaction, Change) -> Void = { _, _, _ in
    }
  ) {
    self.name = name
    self.path = path
    self.write = write
    self.failure = { Text(failure($0).string.line(upTo: LoadFailure.longestMessage)) }
    self.saved = saved
    let retry = Command<State>(
      "retry\(name.capitalized)", "Tries again to save the change of \(name) that failed."
    ) { (state: inout State) in state[keyPath: path].retry() }
    let discard = Command(
      "discard\(name.capitalized)",
      "Drops the change of \(name) that failed. With the number of an attempt, only if that one failed.",
      .optional(.integer("attempt"))
    ) { (state: inout State, attempt) in state[keyPath: path].discard(attempt: attempt) }
    (self.retry, self.discard) = (retry, discard)
    error = RowType(type, "A change that could not be saved, to try again or to discard.") {
      LoadFailure.fields(in: language).map { $0.of(\.failure) }
      Field("text", "Which change could not be saved.") { $0.text }
      Action(retry, Localized.retry[language])
      Action(discard, Localized.discard[language]) { $0.attempt }
    }
  }
}

/// A change that could not be written, as its row shows it.
private struct FailedChange: Equatable, Sendable {
  let text: Text
  let failure: LoadFailure
  let attempt: Int
}

extension Saving: RunningPart {
  var place: AnyKeyPath { path }

  public var commands: [AnyCommand<State>] { [retry.erased, discard.erased] }

  public var rowTypes: [RowTypeDescriptor] { [error.descriptor] }

  public var isOpened: Bool { false }

  public func stateName(in state: State) -> String { state[keyPath: path].stateName }

  func running(in state: State) -> [(work: PartWork, token: LoadToken)] {
    let changes = state[keyPath: path]
    guard changes.isSaving, let change = changes.pending.first else { return [] }
    return [(PartWork(part: name, request: try? JSONValue(encoding: change)), changes.token)]
  }

  /// Does nothing, because a screen that comes into view has nothing to save.
  public func load(_ state: inout State) {}

  func start(_ work: PartWork, for key: Text, in stores: Stores) -> Work {
    guard let request = work.request, let change = try? request.decode(Change.self) else {
      return .failing(.unreadable, after: .zero)
    }
    return .running(
      OutsideLoad(
        identity: identity, key: key, request: request, limit: 1, isShared: false
      ) {
        [write] in
        try await write(key, change)
        return .null
      })
  }

  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> ScreenIncident.Kind? {
    let (before, change) = (stateName(in: state), state[keyPath: path].pending.first)
    guard state[keyPath: path].end(token, failure) else {
      return .transition(source: name.string, .late, action: "saved", state: before)
    }
    if failure == nil, let change { saved(&state, &transaction, change) }
    return nil
  }

  func incident(_ failure: LoadFailure, of work: PartWork) -> ScreenIncident.Kind {
    let change = try? work.request?.decode(Change.self)
    return .saveFailure(part: name, change: change.map(self.failure) ?? "", failure)
  }

  @ListBuilder<RowPart>
  public func rows(_ state: State) -> [RowPart] {
    let changes = state[keyPath: path]
    if let failure = changes.failure, let change = changes.pending.first {
      let attempt = changes.token.ordinal
      error(
        "\(name)/error",
        FailedChange(text: self.failure(change), failure: failure, attempt: attempt))
    }
  }

  var stateMachine: StateMachine {
    SaveState<Bool>.machine(of: name, commands: (retry.name, discard.name))
  }
}
