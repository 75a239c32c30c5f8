public import CanonicalJSON
import Snapshots

/// The changes of several view models, as an app takes them: `for await updates in group.updates() { … }`.
///
/// Each step has an update for each view model with news, by name. What one write changes in several view models comes
/// in one step. For each view model the updates are those of ``ViewModelUpdates``: one that was deleted ends, and one
/// whose code fails, or that the app cannot read, is interrupted until it changes, while the others go on; an outage
/// interrupts all.
///
/// The loop asks for one step after the other, each time that the app is ready for the next one. So no change is missed
/// and nothing is queued; changes that come faster than the app takes them arrive as one.
///
/// The loop ends if its task is cancelled, and when all view models have ended. In all other cases it goes on: after a
/// failure it asks again after a random pause, which grows to 30 seconds. The pause is at least as long as the server asks
/// for; if it asks for none, the pause ends when the server answers a command of the group, except after an answer
/// that the app cannot use, such as the login page of a network. To ask at once, as when the app comes to the front,
/// and to follow other view models, end the loop and begin another one with the last replicas.
///
/// A view model with a source that was never loaded gets its opening command, which loads its sources. It gets it again
/// after a failure, until the server itself accepts or refuses it.
public struct ViewModelGroupUpdates: AsyncSequence, Sendable {
  public typealias Element = [Text: ViewModelUpdate]
  public typealias Failure = Never

  /// Asks what has changed since what the app has of the view models.
  ///
  /// - Parameter wait: The time for which the server waits for a change, in seconds.
  typealias Poll =
    @Sendable (_ held: [Text: HeldContent], _ wait: Int) async throws(ConnectionError) ->
    PollReply

  let followed: [Text: FollowedViewModel]
  let server: RemoteServer
  let poll: Poll

  /// Begins a loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(followed: followed, server: server, poll: poll)
  }

  /// A loop over the changes, with copies of the view models.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    /// Those that have not ended.
    private var followed: [Text: FollowedViewModel]
    private let server: RemoteServer
    private let poll: Poll
    /// The windows of the last request.
    private var windows: [Text: RowWindow] = [:]
    /// Whether the server may not know the revisions, because it may have been started anew.
    private var isDoubtful = true
    /// The number of failures since the last answer.
    private var failureCount = 0
    /// Whether the last request might wait for a change, and whether it has no answer yet.
    private var (mightWait, isWaiting) = (false, false)
    /// How many of the requests that might wait have failed since one was answered.
    private var waitFailureCount = 0
    /// The pause before the next request.
    private var pause = Duration.zero
    /// The number of commands that the server had answered before the pause; `nil` if no answer ends it.
    private var answerCount: Int?

    /// The time for which the server waits for a change, in seconds.
    private static let longWait = 20.0
    /// The shortest time between two polls that bring nothing, one whole view model after the other, or what the app had
    /// before.
    private static let shortWait = Duration.seconds(1)

    init(followed: [Text: FollowedViewModel], server: RemoteServer, poll: @escaping Poll) {
      (self.followed, self.server, self.poll) = (followed, server, poll)
    }

    /// Returns the next changes, once there are some; `nil` if the task is cancelled, and after the end of all view
    /// models. Documents are read and applied outside of the actor.
    ///
    /// - Complexity: That of `Replica.apply(document:)` for each document. After a failure also O(*n*), where *n* is the
    ///   number of bytes of the contents.
    /// - Parameter actor: The actor on which the loop runs.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> [Text: ViewModelUpdate]? {
      while !followed.isEmpty {
        do {
          try await rest()
          // Not before a poll has told which revision a server has that may have been started anew.
          if !isDoubtful { await open() }
          let updates = try await ask()
          // The app may have begun another loop from the replica of before, which gets the same changes.
          try Task.checkCancellation()
          if !updates.isEmpty { return updates }
        } catch let error as ConnectionError where !Task.isCancelled {
          if case .refused(let problem) = error, problem.isFinal {
            defer { followed = [:] }
            return followed.mapValues { _ in ViewModelUpdate.ended(problem) }
          }
          // Only polls that wait fail, as behind a proxy that does not hold them: those in between are answered.
          let isRefusedWait = isWaiting && waitFailureCount > 0
          if mightWait { waitFailureCount += 1 }
          failureCount += 1
          isDoubtful = true
          pause = server.pacing.pause(
            afterFailures: Swift.max(failureCount, waitFailureCount), atLeast: error.retryAfter)
          answerCount = error.endsWithAnswer ? server.answerCount.value : nil
          if isRefusedWait { continue }
          let updates = updateEach { $1.interrupt(error) }
          if !updates.isEmpty { return updates }
        } catch {
          followed = [:]
        }
      }
      return nil
    }

    /// Pauses before the next request, if that is needed.
    private nonisolated(nonsending) mutating func rest() async throws {
      if pause == .zero { return }
      let sleep: @Sendable () async throws -> Void = { [pause, pacing = server.pacing] in
        try await pacing.sleep(pause)
      }
      if failureCount == 0 {
        _ = try await server.windows.untilChange(from: windows, sleep)
      } else if let answerCount {
        _ = try await server.answerCount.untilChange(from: answerCount, sleep)
      } else {
        try await sleep()
      }
      pause = .zero
    }

    /// Sends the opening commands of the view models with a source that was never loaded. One that cannot be sent now is
    /// sent later, before a request: the view models are followed meanwhile.
    private nonisolated(nonsending) mutating func open() async {
      let pacing = server.pacing
      let now = pacing.now()
      await withTaskGroup(of: (Text, ConnectionError?).self) { tasks in
        for (name, var viewModel) in followed {
          guard let (replica, isExact) = viewModel.replicaToOpen(at: now) else { continue }
          followed[name] = viewModel
          let connection = viewModel.connection
          tasks.addTask { (name, await connection.open(replica, isExact: isExact)) }
        }
        for await (name, error) in tasks { followed[name]?.opened(error, pacing) }
      }
    }

    /// Asks for the next changes.
    ///
    /// - Returns: Nothing if all contents are still the same, one must be replaced first, or the app has scrolled.
    private mutating func ask() async throws -> [Text: ViewModelUpdate] {
      let pacing = server.pacing
      let start = pacing.now()
      // Asked without a wait after a failure, so that the app soon knows that it is over. An opening command that could
      // not be sent is due when the wait ends.
      let due = followed.values.compactMap(\.decisionTime).min().map { ($0 - start) / .seconds(1) }
      let limit = Swift.min(Swift.max(1, due ?? Self.longWait), Self.longWait)
      let wait = isDoubtful ? 0 : Int(limit.rounded(.up))
      windows = server.windows.value
      var held: [Text: HeldContent] = [:]
      for name in followed.keys {
        held[name] = followed[name]?.held(through: windows[name], isDoubtful: isDoubtful)
      }
      let request: @Sendable () async throws -> PollReply = { [held, poll] in
        try await poll(held, wait)
      }
      // A request that is answered at once is never cut short: an app that scrolls all the time would get no answer.
      let mayWait = wait > 0 && held.values.allSatisfy(\.mayWait)
      (mightWait, isWaiting) = (mayWait, mayWait)
      guard
        let reply = try await mayWait
          ? server.windows.untilChange(from: windows, request) : request()
      else { return [:] }
      isWaiting = false
      for (name, held) in held where held.revision == nil && reply.documents[name] == nil {
        throw ConnectionError.unexpected("it lacks \(name)")
      }
      let before = followed
      var misfits: [Text: ReplicaError] = [:]
      let updates = updateEach { [isDoubtful] name, viewModel in
        do throws(ReplicaError) {
          if let document = reply.documents[name] {
            return try viewModel.take(document, isDoubtful: isDoubtful)
          }
          return reply.revisions[name].flatMap { viewModel.keep($0, isDoubtful: isDoubtful) }
        } catch {
          if viewModel.wantsWhole, let revision = reply.revisions[name] {
            return viewModel.passOver(revision, error)
          }
          misfits[name] = error
          return nil
        }
      }
      // All or nothing, so that a change of several view models is never taken in part.
      if !misfits.isEmpty {
        followed = before
        for (name, error) in misfits where followed[name]?.replace() == false {
          throw ConnectionError.unexpected(Text("\(error)"))
        }
        return [:]
      }
      if isDoubtful { server.recoveryCount.update { $0 += 1 } }
      isDoubtful = false
      // Not after an answer at once without news: a proxy may pass it on, and refuse the poll that waits.
      if mayWait || wait > 0 && !updates.isEmpty { waitFailureCount = 0 }
      failureCount = 0
      // The server waits for a change, unless it is about to stop. One whole comes after the other if the revision is
      // lost on the way, or if servers that do not know of each other take turns, and what was there before if a cache
      // has it.
      let isRepeated = mayWait && followed.values.contains(where: \.isRepeated)
      if wait > 0, updates.isEmpty || isRepeated, pacing.now() - start < Self.shortWait {
        (pause, answerCount) = (Self.shortWait, nil)
      }
      return updates
    }

    /// Changes each view model, and returns the updates that come of it.
    private mutating func updateEach(
      _ change: (Text, inout FollowedViewModel) -> ViewModelUpdate?
    ) -> [Text: ViewModelUpdate] {
      var updates: [Text: ViewModelUpdate] = [:]
      for (name, var viewModel) in followed {
        let update = change(name, &viewModel)
        followed[name] = viewModel
        guard let update else { continue }
        updates[name] = update
        if case .ended = update { followed[name] = nil }
      }
      return updates
    }
  }
}
