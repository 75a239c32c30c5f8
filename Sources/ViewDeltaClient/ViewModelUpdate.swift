public import Snapshots

/// An event of a view model that an app follows.
public enum ViewModelUpdate: Sendable {
  /// The content has changed, or is there for the first time.
  ///
  /// The replica is the new content. The changes are those from the content before, which is empty at first, so an app
  /// applies each to its list in the same way: the positions follow the rules for batch updates of `UITableView`. There
  /// are none if the content has changed, and changed back.
  case changed(Replica, Changeset)
  /// The server cannot be reached, or refuses for now. It comes once for an outage; the loop goes on, and the content may
  /// be out of date until the next update.
  case interrupted(ConnectionError)
  /// The server answers again, and the content is up to date. After an interruption either this comes, or the next
  /// change, and so in a loop that begins with a replica.
  case resumed
  /// The server refuses the view model for good, such as with a 404 for a key that does not exist and with a 410 for one
  /// that was deleted, or a proxy wants the user to sign in, with a 401 or a 403. It is the last update.
  case ended(ServerProblem)
}
