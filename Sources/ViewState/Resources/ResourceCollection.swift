public import CanonicalJSON
import HashTreeCollections
public import Snapshots

/// Resources of one kind as the value of a ``Store``: they are created, replaced and deleted, within limits.
///
/// ```swift
/// let todos = Store("todos", ResourceCollection<Todo>("todo"), in: application.engine)
/// application.add(collection: todos, at: "/v1/todos")
/// ```
///
/// A copy costs O(1), and a write O(log *n*) expected, where *n* is the number of resources.
public struct ResourceCollection<Model: Resource>: Sendable {
  /// Why a read or a write is refused.
  public typealias Failure = StoreError<MissingElement>

  /// What one resource is called, such as `todo`. Problems are named after it (`unknown-todo`).
  public let noun: Text
  /// What several are called. Causes of revisions name it.
  public let plural: Text
  /// How much the collection takes.
  public let limits: CollectionLimits
  /// The resources, in the order in which they were created.
  public private(set) var elements: KeyedSequence<Model> = []
  private var versions: TreeDictionary<ResourceID, Int> = [:]
  private var ids = IDLedger()
  private var ledger = WriteLedger()

  /// Creates an empty collection.
  ///
  /// - Parameters:
  ///   - limits: How much the collection takes.
  ///   - noun: What one resource is called, in the singular.
  ///   - plural: By default the noun with an `s`.
  public init(_ noun: Text, plural: Text? = nil, limits: CollectionLimits = CollectionLimits()) {
    self.noun = noun
    self.plural = plural ?? "\(noun)s"
    self.limits = limits
  }

  /// Creates a collection from an array, such as that of a data file; an empty one if there is none. An element without an id gets the least whole number above all ids
  /// of the array.
  ///
  /// - Throws: `JSONShapeError` for an element that is no such resource, an id that is used twice, and more
  ///   than the collection takes.
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
    // Like `IDLedger.free`, but each number is looked at once for all elements.
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
      guard resources.count < limits.count,
        let versioned = ledger.take(resource, inPlaceOf: nil, limit: limits.byteCount)
      else { throw element.error("this is more than the store takes") }
      // A model may read its id as another one.
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

/// A kind of element that a store does not have.
public struct MissingElement: Codable, Hashable, Sendable {
  /// What one is called, such as `todo`.
  public let noun: Text
  /// What has elements of the kind, such as `list`; `nil` if they are on their own.
  public let owner: Text?

  /// Names the kind.
  public init(_ noun: Text, of owner: Text? = nil) { (self.noun, self.owner) = (noun, owner) }
}

/// How much a ``ResourceCollection`` takes, so that clients cannot fill the memory.
public struct CollectionLimits: Codable, Hashable, Sendable {
  /// A resource beyond this many is refused.
  public var count: Int
  /// A resource is refused if all together would take more than this many bytes of text.
  public var byteCount: Int
  /// This many deleted ids are remembered; screens of older ones become unknown.
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
  /// The number of writes so far.
  public var version: Int { ledger.version }

  /// Returns the resource with an id, and its version.
  public func element(_ id: ResourceID) throws(Failure) -> Versioned<Model> {
    guard let resource = elements[id: id], let version = versions[id] else { throw missing }
    return Versioned(resource: resource, version: version)
  }

  /// Returns the resource that the key of a screen names.
  ///
  /// - Throws: `ScreenLookupError` if there is none, or none any longer.
  public func element(for key: Text) throws(ScreenLookupError) -> Model {
    let id = ResourceID(named: key)
    guard let resource = elements[id: id] else {
      throw ids.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return resource
  }

  /// Returns a part of the resources; `nil` if there is none with the id that the part begins behind.
  public func part(_ range: CollectionRange) -> CollectionPart<Model>? {
    elements.part(range, version: version) { $0 }
  }

  private var missing: Failure { .missing(MissingElement(noun)) }
}

extension ResourceCollection: StoreValue {
  /// What clients can do to the resources.
  public enum Write: Codable, Sendable {
    /// Creates the resource in a body, with the next free id if the body has none.
    case create(JSONValue)
    /// Replaces the resource of the same id; if a version is given, only that one. If it is equal, nothing
    /// changes.
    case replace(Model, expecting: Int? = nil)
    /// Deletes a resource; if a version is given, only that one.
    case delete(ResourceID, expecting: Int? = nil)
  }

  /// Answers the resource as it is then, or was before it was deleted.
  public mutating func apply(
    _ write: Write, at time: Timestamp
  ) throws(Failure) -> Written<Versioned<Model>> {
    switch write {
    case .create(let body):
      let resource: Model
      do {
        resource = try Model(
          JSONReader(body), assigned: ids.free { elements.contains(id: $0) })
      } catch {
        throw .malformed(error)
      }
      guard !elements.contains(id: resource.id) else { throw .duplicateID(resource.id) }
      guard elements.count < limits.count else { throw .full }
      let versioned = try take(resource, inPlaceOf: nil)
      ids.use(resource.id)
      return Written(versioned, creating: [resource.id.text], of: plural)
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

  /// Moves a resource to a position among all, which is a write too if it changes the order.
  ///
  /// - Precondition: There is such a resource, and the position is in the bounds.
  /// - Returns: Whether that changed the order.
  /// - Complexity: O(log *n*) expected.
  package mutating func move(_ id: ResourceID, to position: Int) -> Bool {
    guard let resource = elements[id: id], elements.index(of: id) != position else { return false }
    elements.move(id: id, to: position)
    _ = ledger.take(resource, inPlaceOf: resource, limit: .max)
    return true
  }

  /// Makes room for a resource and puts it in the place of the old one, or at the end.
  private mutating func take(
    _ resource: Model, inPlaceOf old: Model?
  ) throws(Failure) -> Versioned<Model> {
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
    // In the order of the elements: a dictionary has none that is the same in every process.
    try container.encode(elements.compactMap { versions[$0.id] }, forKey: .versions)
    try container.encode(ids, forKey: .ids)
    try container.encode(ledger, forKey: .ledger)
  }
}

extension ResourceID {
  /// The next whole number that JSON carries exactly; after the greatest, 1.
  fileprivate var following: ResourceID {
    let number = Int(text.string) ?? 0
    return ResourceID(number < JSONValue.interoperableIntegers.upperBound ? number + 1 : 1)
  }
}
