import CanonicalJSON

/// The changes of a view model, as an app takes them: `for await update in connection.updates() { … }`.
///
/// The loop asks for one change after the other, each time that the app is ready for the next one. So no change is
/// missed and nothing is queued; changes that come faster than the app takes them arrive as one.
///
/// The loop ends if its task is cancelled, and after ``ViewModelUpdate/ended(_:)``. In all other cases it goes on: after a
/// failure it asks again after a random pause, which grows to 30 seconds. The pause is at least as long as the server asks
/// for; if it asks for none, the pause ends when the server answers a command of the connection, except after an
/// answer that the app cannot use, such as the login page of a network. To ask at once, as when the app comes to the
/// front, end the loop and begin another one with the last replica.
///
/// A view model with a source that was never loaded gets its opening command, which loads its sources. It gets it again
/// after a failure, until the server itself accepts or refuses it.
public struct ViewModelUpdates: AsyncSequence, Sendable {
  public typealias Element = ViewModelUpdate
  public typealias Failure = Never

  let name: Text
  /// Those of a group of one.
  let group: ViewModelGroupUpdates

  /// Begins a loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(name: name, group: group.makeAsyncIterator())
  }

  /// A loop over the changes, with a copy of the view model.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let name: Text
    var group: ViewModelGroupUpdates.AsyncIterator

    /// Returns the next change, once there is one; `nil` if the task is cancelled, and after the end of the view model.
    ///
    /// - Complexity: That of `Replica.apply(document:)`. After a failure also O(*n*), where *n* is the number of bytes of
    ///   the content.
    /// - Parameter actor: The actor on which the loop runs.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> ViewModelUpdate? {
      await group.next(isolation: actor)?[name]
    }
  }
}
