import CanonicalJSON
import Synchronization

/// Tells which epoch a view model has under another seed, and under another name.
///
/// An epoch tells neither the name nor the birth of the key, so the birth is searched for: the one that gives the
/// epoch under the old seed.
final class EpochTable: Sendable {
  private struct Question: Hashable {
    let epoch: RevisionEpoch
    let name: Text
  }

  private let old: EpochSource
  let new: EpochSource
  private let answers = Mutex<[Question: RevisionEpoch]>([:])

  init(from old: [UInt8], to new: [UInt8]) {
    (self.old, self.new) = (EpochSource(seed: old), EpochSource(seed: new))
  }

  /// Returns the epoch under the new seed; the same epoch if it is none of the view model, such as one that a client
  /// has brought from another server.
  ///
  /// - Parameters:
  ///   - epoch: The epoch under the old seed.
  ///   - name: The name of the view model, such as `profile/1`.
  ///   - newName: The new name.
  ///   - position: The position up to which its key may have been created.
  /// - Complexity: O(*n*) at the first question, where *n* is `position`, and O(1) later.
  func epoch(
    _ epoch: RevisionEpoch, of name: Text, as newName: Text, upTo position: Int
  ) -> RevisionEpoch {
    let question = Question(epoch: epoch, name: name)
    if let known = answers.withLock({ $0[question] }) { return known }
    // A state that another program has recorded begins anew with a birth below 0.
    let births = (0...position + 1).lazy.flatMap { [$0, -$0] }
    let born = births.first { old.epoch(of: name, owner: Engine.owner, born: $0) == epoch }
    let answer = born.map { new.epoch(of: newName, owner: Engine.owner, born: $0) } ?? epoch
    answers.withLock { $0[question] = answer }
    return answer
  }
}
