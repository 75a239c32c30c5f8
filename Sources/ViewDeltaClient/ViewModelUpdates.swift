import CanonicalJSON
import HTTPTypes
import Snapshots

/// The changes of a view model, as an app takes them: `for try await update in connection.updates() { … }`.
///
/// The loop asks for one change after the other, each time that the app is ready for the next one. So no change is
/// missed and nothing is queued; changes that come faster than the app takes them arrive as one.
///
/// The loop ends without an error if its task is cancelled. It throws ``ConnectionError/refused(_:)`` if the server
/// refuses for good, such as with a 404 for a key that does not exist and with a 410 for one that was deleted. In all
/// other cases it goes on: after a failure it asks again after a random pause, which grows to 30 seconds, and which is
/// at least as long as the server asks for. To ask at once, as when the app comes to the front, end the loop and begin
/// another one with the last replica.
///
/// A screen with a source that was never loaded gets its opening command, which loads its sources.
public struct ViewModelUpdates: AsyncSequence, Sendable {
  public typealias Element = ViewModelUpdate
  public typealias Failure = ConnectionError

  let connection: ViewModelConnection
  let replica: Replica?

  /// Begins a loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(connection: connection, replica: replica)
  }

  /// A loop over the changes, with a copy of the view model.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let connection: ViewModelConnection
    private var replica: Replica?
    /// Whether the copy must be replaced: a document could not be applied to it.
    private var isBroken = false
    /// Whether the server may not know the revision, because it may have been started anew.
    private var isDoubtful = true
    /// The time from which the opening command is sent if it is needed; `nil` if that was decided.
    private var openingTime: Duration?
    private var failureCount = 0
    /// The pause before the next request.
    private var pause = Duration.zero
    private var hasEnded = false

    private static let viewRevision = HTTPField.Name("View-Revision")!
    /// The shortest time between two polls that bring nothing.
    private static let shortWait = Duration.seconds(1)
    private static let openingPause = Duration.seconds(5)

    init(connection: ViewModelConnection, replica: Replica?) {
      (self.connection, self.replica) = (connection, replica)
      openingTime = .zero
    }

    /// Returns the next change, once there is one; `nil` if the task is cancelled, and after an error.
    ///
    /// - Complexity: That of `Replica.apply(document:)`. After a failure also O(*n*), where *n* is the number of bytes of
    ///   the content.
    /// - Parameter actor: The actor on which the loop runs.
    /// - Throws: ``ConnectionError/refused(_:)`` if the server refuses for good.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ConnectionError) -> ViewModelUpdate? {
      while !hasEnded {
        do {
          if pause > .zero { try await connection.pacing.sleep(pause) }
          pause = .zero
          await open()
          if let update = try await ask() { return update }
        } catch let error as ConnectionError where !Task.isCancelled {
          // A view model whose code fails may be repaired by the next change.
          guard error.isPassing || error.status == 500 else {
            hasEnded = true
            throw error
          }
          failureCount += 1
          isDoubtful = true
          pause = connection.pacing.pause(afterFailures: failureCount, atLeast: error.retryAfter)
          if failureCount == 1 { return .interrupted(error) }
        } catch {
          hasEnded = true
        }
      }
      return nil
    }

    /// Sends the opening command if a source that it loads was never loaded. If it cannot be sent now, it is sent
    /// later, before a request: the view model is followed meanwhile.
    private nonisolated(nonsending) mutating func open() async {
      guard let replica, let time = openingTime, time <= connection.pacing.now() else { return }
      openingTime = nil
      let states = replica.snapshot.states
      guard states.values.contains("notRequested") else { return }
      do {
        let opening = try await connection.opening()
        if let opening, opening.sources.contains(where: { states[$0] == "notRequested" }) {
          try await connection.send(["type": .string(opening.command)], patience: .zero)
        }
      } catch let error as ConnectionError where error.isPassing {
        openingTime = connection.pacing.now() + (error.retryAfter ?? Self.openingPause)
      } catch {
        // The rows say what the screen has.
      }
    }

    /// Asks for the next change.
    ///
    /// - Returns: `nil` if the content is still the same.
    private nonisolated(nonsending) mutating func ask() async throws(ConnectionError)
      -> ViewModelUpdate?
    {
      let start = connection.pacing.now()
      let reply: ViewModelConnection.Reply
      // Asked without a wait after a failure, so that the app soon knows that it is over.
      let waits = !isDoubtful
      if let replica, !isBroken {
        reply = try await connection.changes(
          since: replica.revision, have: isDoubtful ? ContentHash(of: replica.snapshot) : nil,
          waits: waits)
      } else {
        reply = try await connection.whole()
      }
      if reply.status == 204, let revision = reply.fields[Self.viewRevision] {
        replica?.rename(to: Text(revision))
        // The server waits for a change, unless it is about to stop.
        if waits, connection.pacing.now() - start < Self.shortWait { pause = Self.shortWait }
        return succeeded() ? .resumed : nil
      }
      guard reply.status == 200 else { throw .unexpected("its status is \(reply.status)") }
      do {
        let changes = try take(reply.body)
        _ = succeeded()
        return replica.map { .changed($0, changes) }
      } catch {
        if isBroken || replica == nil { throw .unexpected(Text("\(error)")) }
        isBroken = true
        return nil
      }
    }

    /// Takes a document over.
    private mutating func take(_ bytes: [UInt8]) throws(ReplicaError) -> Changeset {
      let document = try WireDocument(parsing: bytes)
      if document.isWhole { openingTime = .zero }
      guard var copy = replica else {
        let first = try Replica(document)
        replica = first
        return first.snapshot.difference(from: .empty)
      }
      let changes = try copy.apply(document)
      (replica, isBroken) = (copy, false)
      return changes
    }

    /// Notes an answer.
    ///
    /// - Returns: Whether the request before has failed.
    private mutating func succeeded() -> Bool {
      defer { (failureCount, isDoubtful) = (0, false) }
      return failureCount > 0
    }
  }
}
