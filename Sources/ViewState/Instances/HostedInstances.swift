import CanonicalJSON

/// The instances of a host by their keys, held weakly, and their epochs.
///
/// Each strong reference to an instance is returned to the caller: the last one must not be released under the
/// lock of the host, because the end of an instance takes the lock.
struct HostedInstances: Sendable {
  /// An object, because each look-up would copy a value with its weak reference, which takes as long as the rest.
  private final class Entry: Sendable {
    weak let instance: Instance?
    let id: ObjectIdentifier
    let key: InstanceKey
    let epoch: RevisionEpoch
    let initialEpoch: RevisionEpoch

    init(_ instance: Instance) {
      self.instance = instance
      id = ObjectIdentifier(instance)
      key = instance.key
      epoch = instance.epoch
      initialEpoch = instance.initialEpoch
    }
  }

  private var entries: [Text: Entry] = [:]
  /// The rests of instances that cannot be made from the stores alone.
  var rests: [Text: Rest] = [:]
  /// The sessions that are looked at from time to time, by their keys.
  var uses: [Text: SessionUse] = [:]
  /// The epochs of all entries and rests.
  private(set) var epochs: Set<RevisionEpoch> = []
  /// The keys with sessions of all entries and rests, by their elements.
  private var sessions: [Text: Set<Text>] = [:]
  /// The instances of sessions that were last made of the stores, with their first views, by their elements.
  private var newest: [Text: (entry: Entry, view: FirstView?)] = [:]
  /// The number of keys with sessions of all entries and rests.
  private(set) var sessionCount = 0

  subscript(key: Text) -> Instance? { entries[key]?.instance }

  /// All instances.
  var all: [Instance] { entries.values.compactMap(\.instance) }

  /// Returns the keys of the instances that may show some elements, and the rests of those that are at rest, which may
  /// be among the instances, too.
  ///
  /// - Parameter elements: The elements; `nil` for all.
  func showing(_ elements: [Text]?) -> (keys: [Text], rests: [Text: Rest]) {
    guard let elements else { return (Array(entries.keys), rests) }
    var (keys, found) = ([Text](), [Text: Rest]())
    for key in sessions.isEmpty ? elements : elements + elements.flatMap({ sessions[$0] ?? [] }) {
      if entries[key] != nil {
        keys.append(key)
      } else if let rest = rests[key] {
        found[key] = rest
      }
    }
    return (keys, found)
  }

  /// The largest number of sessions among which one that is not at rest is looked for.
  private static let siblingLimit = 64

  /// Returns the first view of the session that was last made of the stores.
  func firstView(of element: Text) -> FirstView? { newest[element]?.view }

  /// Returns another instance of the same element, preferably the session that was last made of the stores.
  func sibling(of key: InstanceKey) -> Instance? {
    if let newest = newest[key.element]?.entry.instance { return newest }
    // The element may be named like a session of another one. That is checked before the instance is retained, because
    // it must not be released here.
    if let entry = entries[key.element], !entry.key.hasSession, let shared = entry.instance {
      return shared
    }
    // Not by a lazy map, which would find the instance twice and release it in between.
    for session in (sessions[key.element] ?? []).prefix(Self.siblingLimit) {
      if let found = self[session] { return found }
    }
    return nil
  }

  /// Adds the rest of an instance that is not there.
  mutating func restore(_ rest: Rest, _ key: InstanceKey) {
    if let former = rests.updateValue(rest, forKey: key.text) { epochs.remove(former.token.epoch) }
    epochs.insert(rest.token.epoch)
    addSession(of: key)
  }

  private mutating func addSession(of key: InstanceKey) {
    guard key.hasSession else { return }
    if sessions[key.element, default: []].insert(key.text).inserted { sessionCount += 1 }
  }

  /// Begins to count how long a session is not in use, unless that is counted already.
  ///
  /// - Returns: Whether it must be looked at from now on.
  mutating func begin(_ use: SessionUse, of key: Text) -> Bool {
    if uses[key] != nil { return false }
    uses[key] = use
    return true
  }

  /// Adds an instance that was made from a rest, or from the stores.
  ///
  /// - Parameter view: What it shows, if it was made from the stores.
  /// - Returns: The instance of the key, which is another one if that was added before. `nil` if the key has
  ///   another rest meanwhile.
  mutating func file(
    _ made: Instance, of rest: Rest?, showing view: FirstView? = nil
  ) -> Instance? {
    let key = made.key.text
    if let known = self[key] { return known }
    if rests[key]?.token != rest?.token { return nil }
    addSession(of: made.key)
    let entry = Entry(made)
    if rest == nil, made.key.hasSession { newest[made.key.element] = (entry, view) }
    if let gone = entries.updateValue(entry, forKey: key) {
      epochs.subtract([gone.epoch, gone.initialEpoch])
      // Its end finds this entry in place of its own.
      if newest[made.key.element]?.entry === gone { newest[made.key.element] = nil }
    }
    epochs.formUnion([made.epoch, made.initialEpoch])
    return made
  }

  /// Removes an instance, but not one that was added in its place.
  mutating func remove(_ id: ObjectIdentifier, _ key: Text) {
    guard let entry = entries[key], entry.id == id else { return }
    entries[key] = nil
    if newest[entry.key.element]?.entry.id == id { newest[entry.key.element] = nil }
    if entry.key.hasSession, rests[key] == nil {
      let element = entry.key.element
      if sessions[element]?.remove(key) != nil { sessionCount -= 1 }
      if sessions[element]?.isEmpty == true { sessions[element] = nil }
    }
    for epoch in [entry.epoch, entry.initialEpoch] where rests[key]?.token.epoch != epoch {
      epochs.remove(epoch)
    }
    // Tables do not shrink by themselves, and most of many instances made at once go at once.
    if entries.count < entries.capacity / 8 { entries = entries.filter { _ in true } }
    if epochs.count < epochs.capacity / 8 { epochs = epochs.filter { _ in true } }
  }
}
