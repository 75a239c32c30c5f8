import Synchronization

extension SharedStore {
  /// A write that the subscribers are being told of.
  final class Draft: StoreDraft {
    private let store: SharedStore
    private let old: Value
    private let new: Value
    /// The number of the first subscriber who has not been told.
    private var firstUntold = 0

    init(store: SharedStore, old: Value, new: Value) {
      self.store = store
      self.old = old
      self.new = new
    }

    func tellNewcomers(in turn: Turn) {
      let (newcomers, next) = store.contents.withLock { contents in
        (contents.subscribers.filter { $0.key >= firstUntold }, contents.nextSubscriber)
      }
      firstUntold = next
      for (_, tell) in newcomers.sorted(by: { $0.key < $1.key }) { tell(old, new, turn) }
    }

    var isComplete: Bool { store.contents.withLock { $0.nextSubscriber == firstUntold } }

    func commit() {
      store.contents.withLock { contents in
        contents.value = new
        contents.version += 1
      }
    }
  }
}
