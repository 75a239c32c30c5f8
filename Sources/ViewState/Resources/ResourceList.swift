import CanonicalJSON
import HashTreeCollections
import Snapshots

/// The numbers of the writes that created and last changed a resource.
///
/// Not a type of the list, so that the dictionary of stamps has no generic type, which is looked up at each step.
private struct Stamp: Codable, Equatable {
  let created: Int
  var version: Int
}

/// The resources of one list, each with the numbers of the writes that created and last changed it.
///
/// A ``ResourceCollection`` has one list. A ``NestedCollection`` has one of the parents and one of the children of
/// each parent, with one ledger of writes for all of them. A copy costs O(1), and a write O(log *n*) expected,
/// where *n* is the number of resources.
struct ResourceList<Model: Resource>: Equatable, Sendable {
  private(set) var elements: KeyedSequence<Model> = []
  private var stamps: TreeDictionary<ResourceID, Stamp> = [:]
  /// The number of the last write that changed the list or one of its resources.
  var version = 0

  /// What a write did to the list.
  enum Outcome {
    case created
    /// The memory of what the write made beside its input is estimated, in bytes.
    case changed(making: Int)
    case removed
    case moved
    case none
  }

  /// Creates an empty list.
  init(version: Int = 0) { self.version = version }

  /// Creates a list from the resources of a file, each with the number of the write that created it.
  ///
  /// - Precondition: They are in their order, and no two have one id.
  /// - Throws: `JSONShapeError` at `place` with the id of the first resource that fails ``Resource/check(among:)``.
  /// - Complexity: O(*n*) expected and *n* checks, where *n* is the number of resources.
  init(
    _ resources: [Created<Model>], version: Int, at place: JSONReader?
  ) throws(JSONShapeError) {
    elements = KeyedSequence(resources.map(\.resource))
    stamps = TreeDictionary(
      uniqueKeysWithValues: resources.map {
        ($0.resource.id, Stamp(created: $0.number, version: $0.number))
      })
    self.version = version
    for resource in elements {
      do throws(JSONShapeError) {
        try resource.checkRule(among: elements)
      } catch {
        throw JSONShapeError(
          pointer: place?.pointer ?? .root, message: "the id \(resource.id): \(error)")
      }
    }
  }

  subscript(id: ResourceID) -> Versioned<Model>? {
    guard let resource = elements[id: id], let stamp = stamps[id] else { return nil }
    return Versioned(resource: resource, version: stamp.version)
  }

  /// Returns the number of the write that created a resource; `nil` if there is none with the id.
  func number(_ id: ResourceID) -> Int? { stamps[id]?.created }

  /// Takes over another order than that in which the resources were put.
  mutating func sort(by precedes: (Created<Model>, Created<Model>) -> Bool) {
    let list = elements.map { Created(resource: $0, number: stamps[$0.id]?.created ?? 0) }
    if zip(list, list.dropFirst()).allSatisfy({ !precedes($1, $0) }) { return }
    elements = KeyedSequence(list.sorted(by: precedes).map(\.resource))
  }

  /// Returns the resource whose id is the key of a view model.
  func element(for key: Text, _ ids: IDLedger) throws(ScreenLookupError) -> Model {
    let id = ResourceID(named: key)
    if let resource = elements[id: id] { return resource }
    throw ids.isDeleted(id) ? .deletedKey : .unknownKey
  }

  /// Returns a page of the resources; `nil` if no resource has the id behind which the page begins.
  func page(_ range: CollectionRange) -> CollectionPage<Model>? {
    elements.page(range, version: version)
  }
}

/// A resource with the number of the write that created it.
public struct Created<Model: Sendable>: Sendable {
  /// The resource as it is now.
  public let resource: Model
  /// The number of the write: the greater, the later.
  public let number: Int

  /// Creates a resource with its number.
  public init(resource: Model, number: Int) {
    self.resource = resource
    self.number = number
  }
}

/// The rules for the writes to a list.
struct ListRules<Model: Resource> {
  /// Returns the kind of element that is missing if the list has no resource of an id. A function, because each write
  /// makes rules, and few writes need the kind.
  let missing: () -> MissingElement
  let limits: CollectionLimits
  /// Whether no other list has the same ledger of ids.
  var isAlone = true
  /// Whether an id is in one list alone, so that the search for a free one begins at the last one that it found.
  var hasUniqueIDs = true
  /// Returns whether another list has an id that this one must not have, too.
  var isInUseElsewhere: (ResourceID) -> Bool = { _ in false }
  /// Reads a body that creates a resource.
  var create: (JSONReader, _ assigned: ResourceID?) throws(JSONShapeError) -> Model = {
    (body, assigned) throws(JSONShapeError) in try Model(body, assigned: assigned)
  }
  /// Reads a body that replaces a resource.
  var replace: (JSONReader, Model) throws(JSONShapeError) -> Model = {
    (body, current) throws(JSONShapeError) in try Model(body, replacing: current)
  }
  /// Completes a resource that is created or replaces another one, or throws if it must not.
  var prepare: (inout Model) throws(StoreError) -> Void = { _ in }
  /// Returns whether a resource comes before another one; if it is `nil`, a new one comes last.
  var precedes: ((Created<Model>, Created<Model>) -> Bool)?
}

/// If one of these throws, nothing has changed.
extension ResourceList {
  func element(
    _ id: ResourceID, missing: () -> MissingElement
  ) throws(StoreError) -> Versioned<Model> {
    guard let element = self[id] else { throw .missing(missing()) }
    return element
  }

  /// Applies a write, and returns the resource after it, or before its deletion.
  mutating func apply(
    _ write: ResourceCollection<Model>.Write, _ ids: inout IDLedger, _ ledger: inout WriteLedger,
    _ rules: ListRules<Model>
  ) throws(StoreError) -> (Versioned<Model>, Outcome) {
    switch write {
    case .create(let body, let place, let condition):
      try condition?.check(version)
      let position = try place.map { place throws(StoreError) in try elements.position(at: place) }
      let (resource, assigned): (Model, ResourceID?)
      do throws(JSONShapeError) {
        let reader = JSONReader(body)
        // What is refused must not cost the search for an id. A full list refuses all, and no resource has the id "/".
        if ids.isExhausted { _ = try rules.create(reader, 0) }
        assigned =
          elements.count < rules.limits.count
          ? ids.free(for: reader) { elements.contains(id: $0) || rules.isInUseElsewhere($0) } : "/"
        resource = try rules.create(reader, assigned)
      } catch {
        throw .malformed(error)
      }
      let versioned = try insert(resource, assigned: assigned, &ids, &ledger, rules)
      if let position, rules.precedes == nil { elements.move(id: resource.id, to: position) }
      return (versioned, .created)
    case .move(let id, let place):
      let current = try element(id, missing: rules.missing)
      let position = try elements.position(of: id, at: place)
      // A list in an order of its own keeps it.
      guard rules.precedes == nil, elements.index(of: id) != position else {
        return (current, .none)
      }
      elements.move(id: id, to: position)
      _ = ledger.take(current.resource, inPlaceOf: current.resource, limit: .max)
      version = ledger.version
      return (current, .moved)
    case .change(let id, let change):
      let current = try element(id, missing: rules.missing)
      var made = 0
      let changed = try change.applied(to: current, making: &made, read: rules.replace)
      guard let changed else { return (remove(id, current, &ids, &ledger, rules), .removed) }
      return try replace(current, with: changed, making: made, &ledger, rules)
    case .replace(let resource):
      let current = try element(resource.id, missing: rules.missing)
      do { try resource.checkPlainInputs() } catch { throw .malformed(error) }
      let replaced = try replace(current, with: resource, making: 0, &ledger, rules)
      #if DEBUG
        replaced.0.resource.checkReading()
      #endif
      return replaced
    case .delete(let id):
      let current = try element(id, missing: rules.missing)
      return (remove(id, current, &ids, &ledger, rules), .removed)
    }
  }

  private mutating func replace(
    _ current: Versioned<Model>, with resource: Model, making byteCount: Int,
    _ ledger: inout WriteLedger, _ rules: ListRules<Model>
  ) throws(StoreError) -> (Versioned<Model>, Outcome) {
    if current.resource == resource { return (current, .none) }
    let changed = try put(resource, inPlaceOf: current.resource, &ledger, rules)
    return (changed, .changed(making: byteCount))
  }

  private mutating func remove(
    _ id: ResourceID, _ current: Versioned<Model>, _ ids: inout IDLedger,
    _ ledger: inout WriteLedger, _ rules: ListRules<Model>
  ) -> Versioned<Model> {
    ledger.release(current.resource)
    version = ledger.version
    elements.remove(id: id)
    stamps[id] = nil
    if rules.isAlone {
      ids.delete(id, remembering: rules.limits.deletedCount)
    } else {
      ids.release(id)
    }
    return current
  }

  /// Inserts a new resource.
  ///
  /// - Parameter assigned: The free id that was found for it; `nil` if it has an id of its own.
  private mutating func insert(
    _ resource: Model, assigned: ResourceID?, _ ids: inout IDLedger,
    _ ledger: inout WriteLedger, _ rules: ListRules<Model>
  ) throws(StoreError) -> Versioned<Model> {
    guard !elements.contains(id: resource.id), !rules.isInUseElsewhere(resource.id) else {
      throw .duplicateID(resource.id)
    }
    guard elements.count < rules.limits.count else { throw .full }
    let versioned = try put(resource, inPlaceOf: nil, &ledger, rules)
    if resource.id == assigned, rules.hasUniqueIDs {
      ids.give(resource.id)
    } else {
      ids.use(resource.id)
    }
    return versioned
  }

  /// Puts a resource in its place, if the limits allow its size and JSON carries it: a resource that cannot be
  /// written would make each page with it fail.
  private mutating func put(
    _ resource: Model, inPlaceOf old: Model?, _ ledger: inout WriteLedger,
    _ rules: ListRules<Model>
  ) throws(StoreError) -> Versioned<Model> {
    do { try resource.checkComputed() } catch { throw .malformed(error) }
    var resource = resource
    try rules.prepare(&resource)
    do { try resource.checkRule(among: elements) } catch { throw .malformed(error) }
    guard let versioned = ledger.take(resource, inPlaceOf: old, limit: rules.limits.byteCount)
    else { throw .full }
    version = versioned.version
    stamps[resource.id, default: Stamp(created: version, version: version)].version = version
    if let precedes = rules.precedes {
      let stamps = stamps
      func created(_ resource: Model) -> Created<Model> {
        Created(resource: resource, number: stamps[resource.id]?.created ?? 0)
      }
      elements.insert(resource) { precedes(created($0), created($1)) }
    } else {
      elements.append(resource)
    }
    return versioned
  }
}

extension ResourceList: Codable {
  private enum CodingKeys: CodingKey {
    case elements
    case stamps
    case version
  }

  init(from decoder: any Decoder) throws {
    // Also those of a list without elements, for which the writes have bodies.
    Model.declareNames()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    elements = try container.decode(KeyedSequence<Model>.self, forKey: .elements)
    version = try container.decode(Int.self, forKey: .version)
    let list = try container.decode([Stamp].self, forKey: .stamps)
    guard list.count == elements.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .stamps, in: container, debugDescription: "expected a stamp for each element")
    }
    for (element, stamp) in zip(elements, list) { stamps[element.id] = stamp }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(elements, forKey: .elements)
    // In the order of the elements, because the order of a dictionary differs between processes.
    try container.encode(elements.compactMap { stamps[$0.id] }, forKey: .stamps)
    try container.encode(version, forKey: .version)
  }
}

extension Written {
  /// Creates the result of a write to a resource of a list.
  ///
  /// - Parameters:
  ///   - id: The id of the resource.
  ///   - source: The name of the source in the causes of revisions.
  init<Model>(
    _ output: Output, _ outcome: ResourceList<Model>.Outcome, of id: ResourceID, in source: Text
  ) {
    switch outcome {
    case .created: self.init(output, creating: [id.text], of: source)
    case .changed(let byteCount):
      self = Written(output, changing: [id.text], of: source).making(byteCount)
    case .removed: self.init(output, removing: [id.text], of: source)
    case .moved: self.init(output, of: source)
    case .none: self.init(unchanged: output)
    }
  }
}
