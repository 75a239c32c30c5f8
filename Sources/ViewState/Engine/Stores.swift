import CanonicalJSON
import HashTreeCollections

/// The values of all stores at one position of the inputs.
///
/// A copy costs O(1).
public struct Stores: Sendable {
  /// The settings at this position.
  var settings = Settings()
  private var values: [any StoreValue] = []
  private var versions: [StoreVersions] = []

  /// The value of a store.
  ///
  /// - Precondition: The store is one of this engine.
  public subscript<Value: StoreValue>(store: Store<Value>) -> Value {
    guard let value = values[store.index] as? Value else {
      preconditionFailure("the store is of another engine")
    }
    return value
  }

  /// Adds a store.
  ///
  /// - Returns: The index of the store.
  mutating func add(_ value: some StoreValue) -> Int {
    values.append(value)
    versions.append(StoreVersions())
    return values.count - 1
  }

  /// Applies a write.
  mutating func apply<Value: StoreValue>(
    _ write: Value.Write, to store: Store<Value>, at position: Int, _ time: Timestamp
  ) throws(Value.Refusal) -> (output: Value.Output, change: StoreChange?) {
    var value = self[store]
    let written = try value.apply(write, at: time)
    values[store.index] = value
    if let change = written.change { versions[store.index].note(change, at: position) }
    return (written.output, written.change)
  }

  /// Returns the positions of the inputs that created and last changed the part of a store that a view model
  /// shows.
  func version(of part: StorePart?, for key: Text) -> StoreVersions.Version {
    switch part {
    case nil: StoreVersions.Version()
    case .element(let store): versions[store].elements[key] ?? StoreVersions.Version()
    case .whole(let store): versions[store].whole
    }
  }
}

/// The part of a store that the view models of a screen show.
public enum StorePart: Sendable {
  case element(of: Int)
  case whole(of: Int)

  /// Returns the element whose key is that of the view model.
  public static func element(of store: Store<some StoreValue>) -> StorePart {
    .element(of: store.index)
  }

  /// Returns the whole store.
  public static func whole(of store: Store<some StoreValue>) -> StorePart {
    .whole(of: store.index)
  }
}

/// The positions of the inputs that changed a store.
struct StoreVersions: Sendable {
  /// The positions of the inputs that created and last changed something; 0 if no input did.
  struct Version: Hashable, Sendable {
    var born = 0
    var changed = 0
  }

  private(set) var whole = Version()
  /// The versions of the elements that inputs have created or changed.
  private(set) var elements: TreeDictionary<Text, Version> = [:]

  mutating func note(_ change: StoreChange, at position: Int) {
    whole.changed = position
    for key in change.created { elements[key] = Version(born: position, changed: position) }
    for key in change.changed { elements[key, default: Version()].changed = position }
    for key in change.removed { elements[key] = nil }
  }
}
