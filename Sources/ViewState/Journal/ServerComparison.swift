import CanonicalJSON
import Dispatch
import Synchronization

/// Compares this server with those that share its journal: sends the digest of each block of inputs, and takes theirs.
final class ServerComparison: Sendable {
  private let journal: any SharedJournal
  /// Sends inputs, and decides whether this server is wrong: it sends none from then on.
  private let sendingThread: DispatchQueue
  /// Computes digests.
  private let thread = DispatchQueue(label: "viewdelta.comparison")
  private let blocks = Mutex(BlockComparison())

  /// The time in which the digests of other servers come.
  private static let patience = Duration.seconds(1)

  init(_ journal: any SharedJournal, sendingOn sendingThread: DispatchQueue) {
    self.journal = journal
    self.sendingThread = sendingThread
  }

  /// Whether this server may be wrong.
  var isDoubtful: Bool { blocks.withLock { $0.isDoubtful } }

  /// The error with which inputs are refused if this server is wrong.
  var failure: JournalError? {
    blocks.withLock { $0.isWrong } ? .damaged("the state differs from that of other servers") : nil
  }

  /// Compares a block of inputs if it has ended.
  func compareBlock(of engine: Engine) {
    guard let block = engine.takeBlock() else { return }
    let position = block.position
    blocks.withLock { $0.begin(at: position) }
    // Beside the inputs that follow, because it takes long.
    thread.async { [self] in
      let digest = block.digest(shownBy: engine.contents.hosts)
      if blocks.withLock({ $0.add(digest, at: position) }) { settleLater(position, in: engine) }
      // If it fails, this block is not compared.
      sendingThread.async { [self] in try? journal.append(digest, at: position) }
    }
  }

  /// Takes the digest of another server.
  func take(_ digest: Text, at position: Int, in engine: Engine) {
    if blocks.withLock({ $0.take(digest, at: position) }) { settleLater(position, in: engine) }
  }

  private func settleLater(_ position: Int, in engine: Engine) {
    _ = engine.environment.scheduler.schedule(after: Self.patience) { [weak self, weak engine] in
      guard let self, let engine else { return }
      sendingThread.async { self.settle(position, in: engine) }
    }
  }

  /// Decides whether this server is wrong, of those that differ on a block.
  private func settle(_ position: Int, in engine: Engine) {
    guard blocks.withLock({ $0.settle(position) }) else { return }
    // Those with the difference must not be the ones to begin with.
    try? journal.removeCheckpoints(in: (position - BlockDigest.length + 1)...(.max))
    engine.environment.recordJournal(.differs(position: position))
  }
}
