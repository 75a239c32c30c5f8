/// One message on its way through a `SerialOwner`: what is prepared in it becomes visible at its
/// end, all at once.
///
/// Not `Sendable`, so that it cannot leave the thread that handles the message.
public final class Turn {
  /// Whose turn it is.
  let owner: SerialOwner
  private var drafts: [any StoreDraft] = []
  private var publications: [() -> [any RevisionWatcher]] = []
  private var removals: [() -> Void] = []
  private var sequels: [() -> Void] = []

  init(owner: SerialOwner) {
    self.owner = owner
  }

  /// Has something become visible at the end of the turn.
  ///
  /// - Parameter publish: runs under the gate; returns whom to tell.
  func publish(_ publish: @escaping () -> [any RevisionWatcher]) {
    publications.append(publish)
  }

  /// Has a screen taken out of reach, before anybody is woken to look for it.
  func remove(_ removal: @escaping () -> Void) {
    removals.append(removal)
  }

  /// Has something done once all of the turn can be seen.
  func afterwards(_ sequel: @escaping () -> Void) {
    sequels.append(sequel)
  }

  /// Has a store changed at the end of the turn.
  func add(_ draft: some StoreDraft) {
    drafts.append(draft)
    draft.tellNewcomers(in: self)
  }

  /// Shows what was prepared, then tells who waited for it, then does what follows from it.
  func end() {
    // A screen that began to show a store while its write was prepared has to come along: it is
    // told, and the gate is tried again. Each further try means that one more screen came to be.
    var woken = show()
    while woken == nil {
      for draft in drafts { draft.tellNewcomers(in: self) }
      woken = show()
    }
    for removal in removals { removal() }
    for watcher in woken ?? [] { watcher.revisionPublished() }
    for sequel in sequels { sequel() }
  }

  private func show() -> [any RevisionWatcher]? {
    owner.atGate {
      guard drafts.allSatisfy(\.isComplete) else { return nil }
      for draft in drafts { draft.commit() }
      return publications.flatMap { $0() }
    }
  }
}
