import CanonicalJSON
import HashTreeCollections
import Snapshots
import Synchronization

/// The values of all stores at one position of the inputs.
///
/// A copy costs O(1).
public struct Stores: Sendable {
  /// The settings at this position.
  var settings = Settings()
  /// The time before the first input, for what no input has changed. A journal keeps it.
  var begun = Timestamp(secondsSince1970: 0)
  private var values: [any StoreBox] = []
  private var versions: [StoreVersions] = []
  #if DEBUG
    /// Notes which stores are read.
    var reads: StoreReads?
    /// The stores before the last input; none before the first one. An array, as a value cannot contain another one of
    /// its type.
    private(set) var former: [Stores] = []

    /// Begins an input: keeps the stores as they are now.
    mutating func begin() {
      former = []
      former = [self]
    }
  #endif

  /// The estimated memory of what a small write copies of the trees of its store, in bytes.
  static let writeByteCount = 4_096

  /// The value of a store.
  ///
  /// - Precondition: The store is one of this engine.
  public subscript<Value: StoreValue>(store: Store<Value>) -> Value {
    #if DEBUG
      reads?.note(store.index, store.name)
    #endif
    guard let box = values[store.index] as? Box<Value> else {
      fatalError("the store is of another engine")
    }
    return box.value
  }

  /// Adds a store.
  ///
  /// - Returns: The index of the store.
  mutating func add(_ value: some StoreValue, _ versions: StoreVersions) -> Int {
    values.append(Box(value))
    self.versions.append(versions)
    return values.count - 1
  }

  /// Returns a store as JSON, for a checkpoint.
  func record(of index: Int) throws -> JSONValue {
    [
      "value": try JSONValue(recording: values[index].erased),
      "versions": try JSONValue(encoding: versions[index]),
    ]
  }

  /// Applies a write.
  mutating func apply<Value: StoreValue>(
    _ write: Value.Write, to store: Store<Value>, at position: Int, _ time: Timestamp
  ) throws(StoreError) -> Written<Value.Output> {
    var value = self[store]
    let written = try value.apply(write, at: time)
    values[store.index] = Box(value)
    if let change = written.change { versions[store.index].note(change, at: position, time) }
    return written
  }

  /// Returns the positions of the inputs that created what a view model shows of the first of its stores, and that last
  /// changed what it shows of one of them.
  func version(of stores: [ShownStore], for key: Text) -> StoreVersions.Version {
    let shown = stores.map { store in
      let versions = versions[store.index]
      return store.isWhole ? versions.whole : versions.element(key, isAlone: stores.count == 1)
    }
    let last = shown.max { $0.changed < $1.changed }
    return StoreVersions.Version(
      born: shown.first?.born ?? 0, changed: last?.changed ?? 0, time: last?.time)
  }

  /// Returns the time of the input that has made a version.
  func date(of version: StoreVersions.Version) -> Timestamp { version.time ?? begun }
}

#if DEBUG
  /// The names of the stores that some code reads, by their indexes.
  final class StoreReads: Sendable {
    private let names = Mutex<[Int: Text]>([:])

    var all: [Int: Text] { names.withLock { $0 } }

    func note(_ index: Int, _ name: Text) { names.withLock { $0[index] = name } }
  }
#endif

/// The value of a store in an object, whose type is compared without a copy of the value.
private protocol StoreBox: AnyObject, Sendable {
  var erased: any StoreValue { get }
}

private final class Box<Value: StoreValue>: StoreBox {
  let value: Value

  init(_ value: Value) { self.value = value }

  var erased: any StoreValue { value }
}

/// A store that the view models of a screen show: all of it, or one element.
public struct ShownStore: Hashable, Sendable {
  let index: Int
  /// Whether a view model shows all elements; otherwise, it shows the one whose key is its own.
  let isWhole: Bool

  /// Returns a store of which each view model shows one element: the one whose key is the key of the view model.
  public static func element(of store: Store<some StoreValue>) -> ShownStore {
    ShownStore(index: store.index, isWhole: false)
  }

  /// Returns a store of which each view model shows all elements.
  public static func whole(of store: Store<some StoreValue>) -> ShownStore {
    ShownStore(index: store.index, isWhole: true)
  }
}

/// The positions of the inputs that changed a store.
struct StoreVersions: Codable, Sendable {
  /// The positions of the inputs that created and last changed something; 0 if no input did.
  struct Version: Codable, Hashable, Sendable {
    var born = 0
    var changed = 0
    /// The time of the input that last changed it; `nil` if no input did.
    var time: Timestamp?

    fileprivate mutating func change(at position: Int, _ time: Timestamp) {
      (changed, self.time) = (position, time)
    }
  }

  private struct Removed: Identifiable, Codable, Equatable, Sendable {
    let id: Text
    let version: Version
  }

  private(set) var whole = Version()
  /// The versions of the elements that inputs have created or changed.
  private var elements: TreeDictionary<Text, Version> = [:]
  /// The versions of the elements that were removed last, oldest first.
  private var removed: KeyedSequence<Removed> = []
  /// The position and the time of the last removal that is not among `removed`.
  private var forgotten = 0
  private var forgottenTime: Timestamp?

  /// The number of removed elements whose versions are kept.
  static let removedLimit = 10_000

  mutating func note(_ change: StoreChange, at position: Int, _ time: Timestamp) {
    whole.change(at: position, time)
    for key in change.created.list {
      removed.remove(id: key)
      elements[key] = Version(born: position, changed: position, time: time)
    }
    for key in change.changed.list { elements[key, default: Version()].change(at: position, time) }
    for key in change.removed.list {
      let born = elements.removeValue(forKey: key)?.born ?? 0
      let version = Version(born: born, changed: position, time: time)
      removed.append(Removed(id: key, version: version))
    }
    while removed.count > Self.removedLimit, let oldest = removed.first {
      (forgotten, forgottenTime) = (oldest.version.changed, oldest.version.time)
      removed.remove(id: oldest.id)
    }
  }

  /// Returns whether all positions are of inputs up to another one. The revisions after that would get numbers that were
  /// given before, or that go back.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  func areKnown(at position: Int) -> Bool {
    func isKnown(_ version: Version) -> Bool {
      (0...position).contains(version.born) && (0...position).contains(version.changed)
    }
    return isKnown(whole) && (0...position).contains(forgotten)
      && elements.values.allSatisfy(isKnown) && removed.allSatisfy { isKnown($0.version) }
  }

  /// Returns the version of an element.
  ///
  /// A view model that shows other parts too has the greatest of their numbers. It must not have one number with the
  /// element and without it, so the number of a removal counts. If that removal is forgotten, the number of the last
  /// forgotten removal counts.
  ///
  /// - Parameter isAlone: Whether the view model shows no other part.
  /// - Complexity: O(log *n*) expected, where *n* is the number of elements.
  func element(_ key: Text, isAlone: Bool) -> Version {
    if let known = elements[key] ?? removed[id: key]?.version { return known }
    return isAlone ? Version() : Version(changed: forgotten, time: forgottenTime)
  }
}
