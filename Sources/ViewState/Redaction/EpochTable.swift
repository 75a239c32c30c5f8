import CanonicalJSON
import Synchronization

/// Tells which epoch a view model has under another seed, and under another name.
///
/// An epoch tells neither the name nor the birth of the key, so the birth is searched for: the one that gives the
/// epoch under the old seed. What was found is kept. The births that were tried are kept, too, up to a limit, because a
/// client may bring any number of epochs that are none of the name.
final class EpochTable: Sendable {
  private struct Question: Hashable {
    let epoch: RevisionEpoch
    let name: Text
  }

  /// The births of a name that were tried, by the epochs that they give under the old seed.
  private struct Births: Sendable {
    var byEpoch: [RevisionEpoch: Int] = [:]
    /// The next birth to try, with its negative.
    var next = 0
  }

  private struct State: Sendable {
    /// The births of epochs that are of their name: one for each time that its key was created.
    var found: [Question: Int] = [:]
    var births: [Text: Births] = [:]
    /// The number of births of all names.
    var count = 0
  }

  private let old: EpochSource
  let new: EpochSource
  private let state = Mutex(State())
  private let limit: Int

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - old: The seed of the epochs.
  ///   - new: The seed of the new epochs.
  ///   - limit: The number of births after which the table forgets those of other names. It never forgets those of
  ///     the name that is asked for, which has two births for each position, of some 40 bytes each.
  init(from old: [UInt8], to new: [UInt8], limit: Int = 1_000_000) {
    (self.old, self.new, self.limit) = (EpochSource(seed: old), EpochSource(seed: new), limit)
  }

  /// Returns the epoch under the new seed; the same epoch if it is none of the view model, such as one that a client
  /// has brought from another server.
  ///
  /// - Parameters:
  ///   - epoch: The epoch under the old seed.
  ///   - name: The name of the view model, such as `profile/1`.
  ///   - newName: The new name.
  ///   - position: The position up to which its key may have been created.
  /// - Complexity: O(1) expected for an epoch that was found before; otherwise O(*n*), where *n* is the number of
  ///   positions up to `position` that were not searched for the name, or whose births were forgotten.
  func epoch(
    _ epoch: RevisionEpoch, of name: Text, as newName: Text, upTo position: Int
  ) -> RevisionEpoch {
    let question = Question(epoch: epoch, name: name)
    let born = state.withLock { state -> Int? in
      if let known = state.found[question] { return known }
      var births = state.births.removeValue(forKey: name) ?? Births()
      if state.count > limit { (state.births, state.count) = ([:], births.byEpoch.count) }
      while births.byEpoch[epoch] == nil, births.next <= position + 1 {
        // A state that another program has recorded begins anew with a birth below 0.
        for birth in [births.next, -births.next] {
          births.byEpoch[old.epoch(of: name, born: birth)] = birth
        }
        births.next += 1
        state.count += 2
      }
      state.births[name] = births
      state.found[question] = births.byEpoch[epoch]
      return births.byEpoch[epoch]
    }
    return born.map { new.epoch(of: newName, born: $0) } ?? epoch
  }
}
