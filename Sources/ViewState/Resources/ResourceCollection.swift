public import CanonicalJSON
import HashTreeCollections
public import Snapshots

/// The value of a ``Store`` of resources of one kind, which clients create, replace and delete within limits.
///
/// ```swift
/// let todos = Store("todos", ResourceCollection<Todo>("todo"), in: application.engine)
/// application.add(collection: todos, at: "/v1/todos")
/// ```
///
/// A copy costs O(1), and a write O(log *n*) expected, where *n* is the number of resources.
public struct ResourceCollection<Model: Resource>: Sendable {
  /// The reason why a read or a write is refused.
  public typealias Failure = StoreError<MissingElement>

  /// The name of one resource, such as `todo`. Problems are named after it: `unknown-todo`.
  public let noun: Text
  /// The name of several resources, which is in causes of revisions.
  public let plural: Text
  /// The limits of the collection.
  public let limits: CollectionLimits
  /// The resources, in the order in which they were created.
  public private(set) var elements: KeyedSequence<Model> = []
  private var versions: TreeDictionary<ResourceID, Int> = [:]
  private var ids = IDLedger()
  private var ledger = WriteLedger()

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - noun: The name of one resource.
  ///   - plural: The name of several resources; unless given, `noun` with an `s`.
  ///   - limits: The limits of the collection.
  public init(_ noun: Text, plural: Text? = nil, limits: CollectionLimits = CollectionLimits()) {
    self.noun = noun
    self.plural = plural ?? "\(noun)s"
    self.limits = limits
  }

  /// Creates a collection from an array, such as one of a data file.
  ///
  /// An element without an id gets the least whole number above all ids of the array.
  ///
  /// - Parameters:
  ///   - noun: The name of one resource.
  ///   - plural: The name of several resources; unless given, `noun` with an `s`.
  ///   - limits: The limits of the collection.
  ///   - array: The array; `nil` for an empty collection.
  /// - Throws: `JSONShapeError` if an element is no such resource, if an id is used twice, or if the array is
  ///   larger than the limits allow.
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of elements.
  public init(
    _ noun: Text, plural: Text? = nil, limits: CollectionLimits = CollectionLimits(),
    reading array: JSONReader?
  ) throws(JSONShapeError) {
    self.init(noun, plural: plural, limits: limits)
    let elements = try array?.elements() ?? []
    var used: Set<ResourceID> = []
    for element in elements {
      guard let member = try element.nullableMember("id") else { continue }
      let id = try ResourceID(member)
      ids.use(id)
      guard used.insert(id).inserted else { throw Self.usedTwice(id, in: element) }
    }
    // Like `IDLedger.free`, but checks each number once for all elements.
    var next = ids.free { _ in false }
    func free() -> ResourceID {
      while used.contains(next) { next = next.following }
      return next
    }
    var resources: [Model] = []
    resources.reserveCapacity(elements.count)
    for element in elements {
      let assigned: ResourceID? = try element.nullableMember("id") == nil ? free() : nil
      if let assigned { used.insert(assigned) }
      let resource = try Model(element, assigned: assigned)
      do { try resource.checkComputed() } catch { throw element.error(error.message) }
      guard resources.count < limits.count,
        let versioned = ledger.take(resource, inPlaceOf: nil, limit: limits.byteCount)
      else { throw element.error("this is more than the store takes") }
      // A model of its own code may change its id.
      guard versions.updateValue(versioned.version, forKey: resource.id) == nil else {
        throw Self.usedTwice(resource.id, in: element)
      }
      ids.use(resource.id)
      resources.append(resource)
    }
    self.elements = KeyedSequence(resources)
  }

  private static func usedTwice(_ id: ResourceID, in element: JSONReader) -> JSONShapeError {
    JSONShapeError(
      pointer: element.pointer.appending("id"), message: "the id \(id) is used twice")
  }
}

/// A kind of element, one of which a store does not have.
public struct MissingElement: Codable, Hashable, Sendable {
  /// The name of one element, such as `todo`.
  public let noun: Text
  /// The name of the elements to which such elements belong, such as `list`; `nil` if there are none.
  public let owner: Text?

  /// Names the kind.
  public init(_ noun: Text, of owner: Text? = nil) { (self.noun, self.owner) = (noun, owner) }
}

/// The limits of a ``ResourceCollection``. Both together bound its memory: ``count`` bounds what each resource takes
/// beside its texts, such as its numbers and its place in tables, and ``byteCount`` the texts.
public struct CollectionLimits: Codable, Hashable, Sendable {
  /// The largest number of resources. Another one is refused.
  public var count: Int
  /// The largest size of all texts together, in bytes. A resource beyond it is refused.
  public var byteCount: Int
  /// The number of deleted ids that are remembered. View models of other deleted ids are unknown.
  public var deletedCount: Int

  public init(
    count: Int = 1_000_000, byteCount: Int = 256 * 1024 * 1024, deletedCount: Int = 10_000
  ) {
    self.count = count
    self.byteCount = byteCount
    self.deletedCount = deletedCount
  }
}

extension ResourceCollection {
  /// The number of writes.
  public var version: Int { ledger.version }

  /// Returns the resource with an id, and its version.
  ///
  /// - Throws: ``StoreError/missing(_:)`` if there is none.
  /// - Complexity: O(log *n*) expected, where *n* is the number of resources.
  public func element(_ id: ResourceID) throws(Failure) -> Versioned<Model> {
    guard let resource = elements[id: id], let version = versions[id] else { throw missing }
    return Versioned(resource: resource, version: version)
  }

  /// Returns the resource whose id is the key of a view model.
  ///
  /// - Throws: `ScreenLookupError` if there is none, or if it was deleted.
  public func element(for key: Text) throws(ScreenLookupError) -> Model {
    let id = ResourceID(named: key)
    guard let resource = elements[id: id] else {
      throw ids.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return resource
  }

  /// Returns a part of the resources; `nil` if no resource has the id behind which the part begins.
  public func part(_ range: CollectionRange) -> CollectionPart<Model>? {
    elements.part(range, version: version) { $0 }
  }

  private var missing: Failure { .missing(MissingElement(noun)) }
}

extension ResourceCollection: StoreValue {
  /// A write of a client.
  public enum Write: Codable, Sendable {
    /// Creates a resource from a body, with the next free id if the body has none.
    case create(JSONValue)
    /// Replaces, patches or deletes the resource with an id, as a client demands. It changes nothing if the
    /// resource stays equal.
    case change(ResourceID, ResourceChange)
    /// Replaces the resource with the same id. It is refused if a version is expected and is not the current
    /// one, and changes nothing if both are equal.
    case replace(Model, expecting: Int? = nil)
    /// Deletes a resource. It is refused if a version is expected and is not the current one.
    case delete(ResourceID, expecting: Int? = nil)
  }

  /// Applies a write, and answers with the resource after it, or before its deletion.
  public mutating func apply(
    _ write: Write, at time: Timestamp
  ) throws(Failure) -> Written<Versioned<Model>> {
    switch write {
    case .create(let body):
      let (resource, assigned): (Model, ResourceID?)
      do throws(JSONShapeError) {
        let reader = JSONReader(body)
        // A refused body must not cost the search for an id.
        if ids.isExhausted { _ = try Model(reader, assigned: 0) }
        assigned = ids.free(for: reader) { elements.contains(id: $0) }
        resource = try Model(reader, assigned: assigned)
      } catch {
        throw .malformed(error)
      }
      guard !elements.contains(id: resource.id) else { throw .duplicateID(resource.id) }
      guard elements.count < limits.count else { throw .full }
      let versioned = try take(resource, inPlaceOf: nil)
      if resource.id == assigned { ids.give(resource.id) } else { ids.use(resource.id) }
      return Written(versioned, creating: [resource.id.text], of: plural)
    case .change(let id, let change):
      let current = try element(id)
      let changed = try change.applied(to: current, or: Failure.self) {
        (body, current) throws(JSONShapeError) in
        try Model(body, replacing: current)
      }
      return try apply(changed.map { .replace($0) } ?? .delete(id), at: time)
    case .replace(let resource, let expected):
      let current = try element(resource.id)
      try Failure.check(current.version, against: expected)
      if current.resource == resource { return Written(unchanged: current) }
      return Written(
        try take(resource, inPlaceOf: current.resource), changing: [resource.id.text], of: plural)
    case .delete(let id, let expected):
      let current = try element(id)
      try Failure.check(current.version, against: expected)
      ledger.release(current.resource)
      elements.remove(id: id)
      versions[id] = nil
      ids.delete(id, remembering: limits.deletedCount)
      return Written(current, removing: [id.text], of: plural)
    }
  }

  /// Moves a resource to a position among all. It is a write if it changes the order.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Returns: Whether the order has changed; `false` if no resource has the id.
  /// - Complexity: O(log *n*) expected, where *n* is the number of resources.
  package mutating func move(_ id: ResourceID, to position: Int) -> Bool {
    guard let resource = elements[id: id], elements.index(of: id) != position else { return false }
    elements.move(id: id, to: position)
    _ = ledger.take(resource, inPlaceOf: resource, limit: .max)
    return true
  }

  /// Puts a resource in the place of the old one, or at the end, if the limits allow its size and JSON carries
  /// it: a resource that cannot be written would make each page with it fail.
  private mutating func take(
    _ resource: Model, inPlaceOf old: Model?
  ) throws(Failure) -> Versioned<Model> {
    do { try resource.checkComputed() } catch { throw .malformed(error) }
    guard let versioned = ledger.take(resource, inPlaceOf: old, limit: limits.byteCount) else {
      throw .full
    }
    elements.append(resource)
    versions[resource.id] = versioned.version
    return versioned
  }
}

extension ResourceCollection: Equatable {}

extension ResourceCollection: Codable {
  private enum CodingKeys: CodingKey {
    case noun
    case plural
    case limits
    case elements
    case versions
    case ids
    case ledger
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    noun = try container.decode(Text.self, forKey: .noun)
    plural = try container.decode(Text.self, forKey: .plural)
    limits = try container.decode(CollectionLimits.self, forKey: .limits)
    elements = try container.decode(KeyedSequence<Model>.self, forKey: .elements)
    ids = try container.decode(IDLedger.self, forKey: .ids)
    ledger = try container.decode(WriteLedger.self, forKey: .ledger)
    let list = try container.decode([Int].self, forKey: .versions)
    guard list.count == elements.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .versions, in: container, debugDescription: "expected a version for each element")
    }
    for (element, version) in zip(elements, list) { versions[element.id] = version }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(noun, forKey: .noun)
    try container.encode(plural, forKey: .plural)
    try container.encode(limits, forKey: .limits)
    try container.encode(elements, forKey: .elements)
    // In the order of the elements, because the order of a dictionary differs between processes.
    try container.encode(elements.compactMap { versions[$0.id] }, forKey: .versions)
    try container.encode(ids, forKey: .ids)
    try container.encode(ledger, forKey: .ledger)
  }
}

extension ResourceID {
  /// The next whole number that JSON carries exactly; 1 after the greatest.
  fileprivate var following: ResourceID {
    let number = Int(text.string) ?? 0
    return ResourceID(number < JSONValue.interoperableIntegers.upperBound ? number + 1 : 1)
  }
}
