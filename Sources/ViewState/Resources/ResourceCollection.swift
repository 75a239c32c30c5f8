public import CanonicalJSON
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
  /// The name of one resource, such as `todo`. The codes of problems have it: `unknown-todo`.
  public private(set) var noun: Text
  /// The name of several resources, which is in causes of revisions.
  public private(set) var plural: Text
  /// The limits of the collection.
  public package(set) var limits: CollectionLimits
  private var list = ResourceList<Model>()
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
  /// - Throws: `JSONShapeError` if an element is no such resource or fails ``Resource/check(among:)``, if an id is
  ///   used twice, or if the array is larger than the limits allow.
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
      used.insert(id)
    }
    // Like `IDLedger.free`, but checks each number once for all elements.
    var next = ids.free { _ in false }
    func free() -> ResourceID {
      while used.contains(next) { next = next.following }
      return next
    }
    var resources: [Created<Model>] = []
    resources.reserveCapacity(elements.count)
    var known: Set<ResourceID> = []
    for element in elements {
      let assigned: ResourceID? = try element.nullableMember("id") == nil ? free() : nil
      if let assigned { used.insert(assigned) }
      try ledger.add(
        Model(element, assigned: assigned), at: element, to: &resources, &known, &ids, limits)
    }
    list = try ResourceList(resources, version: ledger.version, at: array)
  }
}

extension ResourceCollection {
  /// The resources, in the order in which they were created or moved.
  public var elements: KeyedSequence<Model> { list.elements }

  /// The number of writes.
  public var version: Int { ledger.version }

  /// Returns the resource with an id, and its version.
  ///
  /// - Throws: ``StoreError/missing(_:)`` if there is none.
  /// - Complexity: O(log *n*) expected, where *n* is the number of resources.
  public func element(_ id: ResourceID) throws(StoreError) -> Versioned<Model> {
    try list.element(id) { MissingElement(noun) }
  }

  /// Returns the resource whose id is the key of a view model.
  ///
  /// - Throws: `ScreenLookupError` if there is none, or if it was deleted.
  public func element(for key: Text) throws(ScreenLookupError) -> Model {
    try list.element(for: key, ids)
  }

  /// Returns a page of the resources; `nil` if no resource has the id after which the page begins.
  public func page(_ range: CollectionRange) -> CollectionPage<Model>? { list.page(range) }

  private var rules: ListRules<Model> {
    ListRules(missing: { [noun] in MissingElement(noun) }, limits: limits)
  }
}

extension ResourceCollection: StoreValue {
  /// A write of a client.
  public enum Write: Codable, Sendable {
    /// Creates a resource from a body, with the next free id if the body has none. It comes last unless it has a
    /// place. A client may name the versions of the collection that it may be added to.
    case create(JSONValue, at: Placement? = nil, if: VersionCondition? = nil)
    /// Moves the resource with an id. Nothing changes if the resource is at that place already.
    case move(ResourceID, Placement)
    /// Replaces, patches or deletes the resource with an id, as a client asks, which may name the versions that may be
    /// changed. Nothing changes if the new resource is equal to the old one.
    case change(ResourceID, ResourceChange)
    /// Replaces the resource with the same id. Nothing changes if the new resource is equal to the old one.
    case replace(Model)
    /// Deletes a resource.
    case delete(ResourceID)
  }

  /// Applies a write, and returns the resource after it, or the deleted resource.
  ///
  /// - Throws: `StoreError` for a body that is malformed, an id that is missing or in use, a version that the write
  ///   excludes, or a full collection; nothing has changed then.
  public mutating func apply(
    _ write: Write, at time: Timestamp
  ) throws(StoreError) -> Written<Versioned<Model>> {
    try apply(write) { _ throws(StoreError) in }
  }

  /// Applies a write under further rules, for a store of your own.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - prepare: Completes a resource that is created or replaces another one, or throws to refuse it. It keeps the
  ///     id.
  /// - Throws: As ``apply(_:at:)``, and the errors of `prepare`; nothing has changed then.
  public mutating func apply(
    _ write: Write, preparing prepare: @escaping (inout Model) throws(StoreError) -> Void
  ) throws(StoreError) -> Written<Versioned<Model>> {
    var rules = rules
    rules.prepare = prepare
    let (element, outcome) = try list.apply(write, &ids, &ledger, rules)
    return Written(element, outcome, of: element.resource.id, in: plural)
  }
}

extension ResourceCollection: RuledValue {
  mutating func takeRules(of program: ResourceCollection) {
    (noun, plural, limits) = (program.noun, program.plural, program.limits)
  }
}

extension ResourceCollection.Write: MeasuredWrite {
  var memoryByteCount: Int {
    switch self {
    case .create(let body, _, _): body.memoryByteCount
    case .change(_, let change): change.memoryByteCount
    case .replace(let model): model.json.memoryByteCount
    case .move, .delete: 0
    }
  }
}

extension ResourceCollection: Equatable, Codable {
  private enum CodingKeys: CodingKey {
    case noun
    case plural
    case limits
    case list
    case ids
    case ledger
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    noun = try container.decode(Text.self, forKey: .noun)
    plural = try container.decode(Text.self, forKey: .plural)
    limits = try container.decode(CollectionLimits.self, forKey: .limits)
    list = try container.decode(ResourceList<Model>.self, forKey: .list)
    ids = try container.decode(IDLedger.self, forKey: .ids)
    ledger = try container.decode(WriteLedger.self, forKey: .ledger)
    ledger.count(list.elements)
  }
}

extension ResourceID {
  /// The next whole number that JSON carries exactly; 1 after the greatest.
  fileprivate var following: ResourceID {
    let number = Int(text.string) ?? 0
    return ResourceID(number < JSONValue.interoperableIntegers.upperBound ? number + 1 : 1)
  }
}
