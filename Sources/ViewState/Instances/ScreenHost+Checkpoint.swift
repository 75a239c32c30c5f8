import CanonicalJSON
import Synchronization

/// The states of all instances, for checkpoints, and from them.
extension ScreenHost {
  /// The states that inputs have given to instances, and that the stores do not give, by the keys.
  var allRests: [Text: Rest] {
    var (known, rests, uses) = instances.withLock { ($0.all, $0.rests, $0.uses) }
    for instance in known {
      let key = instance.key.text
      // An instance that was touched has the newer state.
      if let rest = instance.newestRest { rests[key] = rest }
      if let use = uses[key], instance.wasUsed(since: use.lastLook) { uses[key]?.renew() }
    }
    for (key, use) in uses { rests[key]?.unusedCount = use.wasUsed ? 0 : use.unusedCount }
    return rests
  }

  /// The estimated memory of all states at rest, in bytes.
  var restByteCount: Int {
    instances.withLock { $0.rests.values.reduce(0) { $0 + $1.share } }
  }

  /// The current revisions of instances, without those that are known not to be shown.
  func heads(atMost limit: Int) -> [Revision] {
    // Not under the lock, because the last reference to an instance must not be released there.
    instances.withLock { $0.all }.prefix(limit).compactMap(\.shownHead)
  }

  /// Returns the record of a state for a checkpoint; see ``EngineScreen/record(_:of:in:besides:)``.
  func record(
    _ rest: Rest, of key: Text, in stores: Stores, besides initial: inout [Text: RecordedState]
  ) throws -> KeptState<RecordedState> {
    rest.with(try screen.record(rest.state, of: self.key(key), in: stores, besides: &initial))
  }

  /// Takes over the states of instances from a checkpoint; see ``RecordedState/whole(of:besides:)``. Leaves out
  /// the states of keys that name nothing in this program.
  ///
  /// - Parameters:
  ///   - records: The states by the keys.
  ///   - initial: The states before any input, by the elements.
  ///   - position: The position of the checkpoint.
  ///   - isOther: Whether another program has written the checkpoint. It may know other keys, and read the stores in
  ///     another way.
  ///   - isShown: Whether clients may see the states under the tokens of the journal. Otherwise a state that was
  ///     migrated keeps its token, too, because the inputs after the checkpoint name it.
  /// - Throws: ``JournalError/damaged(_:)`` if a state cannot be read or migrated.
  func restore(
    _ records: [Text: KeptState<RecordedState>], besides initial: [Text: RecordedState],
    at position: Int, byOther isOther: Bool, isShown: Bool, _ report: inout StartReport
  ) throws(JournalError) {
    let stores = engine.stores
    var (lost, dropped) = (0, 0)
    for (text, record) in records {
      report.reach(position)
      let whole = try record.state.whole(of: text, besides: initial)
      if record.token.number > position {
        throw .damaged("the state of \(loggedName(text)) has a revision after the checkpoint")
      }
      guard let key = try? self.key(text) else { continue }
      var rest: Rest
      var keepsToken = false
      do {
        if let kept = try screen.state(whole, byOther: isOther, for: key.element, in: stores) {
          (rest, keepsToken) = (record.with(kept.state), kept.isSame || !isShown)
        } else {
          lost += 1
          rest = record.with(try screen.initialState(for: key.element, in: stores))
          // It starts over, with nothing of what inputs brought.
          (rest.measuredByteCount, rest.broughtByteCount) = (0, 0)
          rest.share = InstanceDraft.restByteCount + name(of: key).byteCount
        }
      } catch is ScreenLookupError {
        dropped += 1
        continue
      } catch {
        let reason =
          "the state of \(loggedName(text)) in version \(whole.version) cannot be read: \(error)"
        throw .damaged(isOther ? "\(reason): \(Recovery.demand)" : reason)
      }
      // Nothing may be shown under a token that was given to something else.
      let epoch = keepsToken ? record.token.epoch : epoch(of: key, born: -1 - position)
      restore(rest, as: epoch, key)
    }
    warn(of: lost, "started over, because the screen has no migration from another version")
    warn(of: dropped, "dropped, because the screen knows no such key")
  }

  private func warn(of count: Int, _ what: String) {
    if count == 0 { return }
    engine.environment.recordJournal(
      .warning("\(count) state\(count == 1 ? "" : "s") of \(descriptor.name) \(what)"))
  }

  /// Gives all instances the tokens of the engine, and drops their histories. Called before the first reader.
  func renewTokens() {
    let rests = allRests
    for instance in instances.withLock({ $0.all }) { ended(instance) }
    let stores = engine.stores
    for (text, rest) in rests {
      guard let key = try? self.key(text) else { continue }
      let born = stores.version(of: screen.shownStores, for: key.element).born
      restore(rest, as: epoch(of: key, born: born), key)
    }
  }

  private func epoch(of key: InstanceKey, born: Int) -> RevisionEpoch {
    engine.epoch(of: name(of: key), born: born)
  }

  private func restore(_ rest: Rest, as epoch: RevisionEpoch, _ key: InstanceKey) {
    var rest = rest
    rest.token = RevisionToken(epoch: epoch, number: rest.token.number)
    instances.withLock { [rest] in $0.restore(rest, key) }
    // As unused as it was at the checkpoint, or else a server that each day has a new build would never forget it.
    if key.hasSession { lookAfter(key, SessionUse(unusedCount: rest.unusedCount ?? 0)) }
  }

  /// Starts the work again that runs in the states of instances, and the loads by the clock.
  ///
  /// - Parameter origin: Whether other servers may run it.
  func resumeWork(_ origin: InputOrigin) {
    // Few of many have work, so only their keys are sorted.
    let keys = allRests.filter { _, rest in
      !screen.running(in: rest.state).isEmpty || !screen.refreshes(in: rest.state).isEmpty
    }.keys
    for key in keys.sorted() { known(key)?.resumeWork(origin) }
  }
}
