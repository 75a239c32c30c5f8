public import CanonicalJSON
import HashTreeCollections
public import Snapshots

/// The value of a ``Store`` of parents, each with the list of its children, which clients create, replace and
/// delete within limits.
///
/// ```swift
/// let notes = Store("notes", NestedCollection<Comment>(), in: application.engine)
/// application.add(collection: notes, at: "/v1/notes", children: "comments")
/// ```
///
/// A copy costs O(1), and a write O(log *n*) expected, where *n* is the number of parents and of the children of
/// the parent that the write changes.
public struct NestedCollection<Child: ChildResource>: Sendable {
  public typealias Parent = Child.Parent

  /// The limits of the collection.
  public private(set) var limits: CollectionLimits
  /// In the order in which they were created.
  private var parentList = ResourceList<Parent>()
  /// The children by their parents; none before the first child if the resource says that a list is missing then.
  private var families: TreeDictionary<ResourceID, Family> = [:]
  /// The ids of all children, if they are unique over all parents.
  private var childrenInUse: TreeSet<ResourceID> = []
  private var (parentIDs, childIDs) = (IDLedger(), IDLedger())
  /// The number of children of all parents.
  private var totalChildCount = 0
  /// The writes to parents and children, and the bytes of all.
  private var ledger = WriteLedger()

  private struct Family: Equatable, Sendable {
    var children: ResourceList<Child>
    var view = Child.View()

    mutating func show(_ child: Child) {
      view.put(Created(resource: child, number: children.number(child.id) ?? 0))
    }
  }

  /// Creates an empty collection.
  public init(limits: CollectionLimits = Child.limits) { self.limits = limits }
}

extension NestedCollection {
  /// The parents, in the order in which they were created.
  public var parents: KeyedSequence<Parent> { parentList.elements }

  /// Returns a page of the parents; `nil` if no parent has the id after which the page begins.
  public func parents(_ range: CollectionRange) -> CollectionPage<Parent>? {
    parentList.page(range)
  }

  /// Returns the parent with an id, and its version.
  ///
  /// - Throws: ``StoreError/missing(_:)`` if there is no such parent.
  public func parent(_ id: ResourceID) throws(StoreError) -> Versioned<Parent> {
    try parentList.element(id) { MissingElement(Child.nouns.parent) }
  }

  /// Returns the parent whose id is the key of a view model.
  ///
  /// - Throws: `ScreenLookupError` if there is none, or if it was deleted.
  public func parent(for key: Text) throws(ScreenLookupError) -> Parent {
    try parentList.element(for: key, parentIDs)
  }

  /// Returns the children of a parent in their order; `nil` if there is no such parent, or no list yet.
  public func children(of parent: ResourceID) -> KeyedSequence<Child>? {
    families[parent]?.children.elements
  }

  /// Returns the view of the children of a parent; `nil` if there is no such parent, or no list yet.
  public func view(of parent: ResourceID) -> Child.View? { families[parent]?.view }

  /// Returns a page of the children of a parent; `nil` if no child has the id after which the page begins.
  ///
  /// - Throws: ``StoreError/missing(_:)`` if there is no such parent, or no list yet.
  public func children(
    _ range: CollectionRange, of parent: ResourceID
  ) throws(StoreError) -> CollectionPage<Child>? {
    _ = try self.parent(parent)
    guard let family = families[parent] else {
      throw .missing(Child.missingList ?? Child.missingChild)
    }
    return family.children.page(range)
  }

  /// Returns the child of a parent with an id, and its version.
  ///
  /// - Throws: ``StoreError/missing(_:)`` if there is no such parent, no list yet, or no such child.
  public func child(
    _ id: ResourceID, of parent: ResourceID
  ) throws(StoreError) -> Versioned<Child> {
    _ = try self.parent(parent)
    guard let child = families[parent]?.children[id] else { throw .missing(Child.missingChild) }
    return child
  }

  /// The limits of each list of children, which take none while all parents together have as many as they may.
  private var childLimits: CollectionLimits {
    let hasRoom = totalChildCount < limits.totalChildCount
    return CollectionLimits(
      count: hasRoom ? limits.childCount : 0, byteCount: limits.byteCount)
  }

  private var parentRules: ListRules<Parent> {
    ListRules(missing: { MissingElement(Child.nouns.parent) }, limits: limits)
  }

  private func childRules(of parent: Parent, at time: Timestamp) -> ListRules<Child> {
    let id = parent.id.json
    return ListRules(
      missing: { Child.missingChild },
      limits: childLimits,
      isAlone: false, hasUniqueIDs: Child.parentMember != nil,
      isInUseElsewhere: { [childrenInUse] in childrenInUse.contains($0) },
      create: { (body, assigned) throws(JSONShapeError) in
        let child = try Child.child(body, of: id) { (body) throws(JSONShapeError) in
          try Child(body, assigned: assigned)
        }
        return Child.completed(child, at: time)
      },
      replace: { (body, current) throws(JSONShapeError) in
        try Child.child(body, of: current.parentID ?? id) { (body) throws(JSONShapeError) in
          try Child(body, replacing: current)
        }
      }, precedes: Child.precedes)
  }
}

extension NestedCollection: StoreValue {
  /// A write of a client, or of a screen.
  public enum Write: Codable, Sendable {
    /// Creates, replaces or deletes a parent; a parent is deleted with its children.
    case parent(ResourceCollection<Parent>.Write)
    /// Creates, replaces or deletes a child of a parent.
    case child(ResourceCollection<Child>.Write, of: ResourceID)
  }

  /// The answer to a write: the resource after it, or before its deletion.
  public enum Output: Codable, Sendable {
    /// The parent.
    case parent(Versioned<Parent>)
    /// The child.
    case child(Versioned<Child>)
  }

  public mutating func apply(_ write: Write, at time: Timestamp) throws(StoreError) -> Written<
    Output
  > {
    switch write {
    case .parent(let write):
      let rules = parentRules
      let (parent, outcome) = try parentList.apply(write, &parentIDs, &ledger, rules)
      let id = parent.resource.id
      switch outcome {
      case .created: start(id, version: parent.version)
      case .removed: removeChildren(of: id)
      case .changed, .moved, .none: break
      }
      return Written(.parent(parent), outcome, of: id, in: Child.causes.parents)
    case .child(let write, let id):
      let parent = try parent(id).resource
      let rules = childRules(of: parent, at: time)
      var family = families[id] ?? Family(children: ResourceList())
      let (child, outcome) = try family.children.apply(write, &childIDs, &ledger, rules)
      var made = 0
      switch outcome {
      case .created, .changed:
        if case .created = outcome { totalChildCount += 1 }
        if case .changed(let byteCount) = outcome { made = byteCount }
        family.show(child.resource)
        if Child.parentMember != nil { childrenInUse.insert(child.resource.id) }
      case .removed:
        totalChildCount -= 1
        family.view.remove(child.resource.id)
        childrenInUse.remove(child.resource.id)
      case .moved, .none: return Written(unchanged: .child(child))
      }
      families[id] = family
      return Written(.child(child), changing: [id.text], of: Child.causes.children).making(made)
    }
  }

  /// Gives a new parent an empty list, unless the list is missing until it has a child.
  private mutating func start(_ id: ResourceID, version: Int) {
    if Child.missingList == nil { families[id] = Family(children: ResourceList(version: version)) }
  }

  private mutating func removeChildren(of id: ResourceID) {
    for child in families[id]?.children.elements ?? [] {
      totalChildCount -= 1
      childrenInUse.remove(child.id)
      childIDs.release(child.id)
      ledger.release(child)
    }
    families[id] = nil
  }
}

extension NestedCollection {
  /// Reads a data file: an object with the array of the parents, and with the children in the place that
  /// ``ChildResource/arrays`` and ``ChildResource/parentMember`` define. A missing array is empty.
  ///
  /// - Parameters:
  ///   - file: The object; `nil` for an empty collection.
  ///   - limits: The limits of the collection.
  /// - Throws: `JSONShapeError` if an element is invalid, an id is used twice, the parent of a child is missing, or the
  ///   data exceed the limits.
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of parents and children.
  public init(
    reading file: JSONReader?, limits: CollectionLimits = Child.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    guard let file else { return }
    let names = Child.arrays
    var parents: [Created<Parent>] = []
    var lists: [ResourceID: [Created<Child>]] = [:]
    var (knownParents, known): (Set<ResourceID>, Set<ResourceID>) = ([], [])
    for element in try file.nullableMember(names.parents)?.elements() ?? [] {
      let isNested = Child.parentMember == nil
      let parent = try Parent(isNested ? element.omitting(names.children) : element)
      try ledger.add(parent, at: element, to: &parents, &knownParents, &parentIDs, limits)
      start(parent.id, version: ledger.version)
      guard isNested, let array = try element.nullableMember(names.children) else { continue }
      lists[parent.id] = []
      known = []
      for item in try array.elements() {
        try ledger.add(
          Child(item), at: item, to: &lists[parent.id, default: []], &known, &childIDs, childLimits)
        totalChildCount += 1
      }
    }
    parentList = try ResourceList(
      parents, version: parents.last?.number ?? 0, at: file.nullableMember(names.parents))
    if let name = Child.parentMember {
      for element in try file.nullableMember(names.children)?.elements() ?? [] {
        let child = try Child(element)
        let parent = try element.member(name)
        let id = try ResourceID(parent)
        guard knownParents.contains(id) else {
          throw parent.error("there is no \(Child.nouns.parent) of this id")
        }
        try ledger.add(
          child, at: element, to: &lists[id, default: []], &known, &childIDs, childLimits)
        totalChildCount += 1
      }
      childrenInUse = TreeSet(known)
    }
    for parent in parents.map(\.resource.id) {
      guard let list = lists[parent] else { continue }
      let version = list.last?.number ?? parentList[parent]?.version ?? 0
      do throws(JSONShapeError) {
        families[parent] = Family(
          children: try ResourceList(list.sorted(by: Child.precedes), version: version, at: file))
      } catch {
        throw file.error("the \(Child.nouns.parent) \(parent): \(error.message)")
      }
      for child in list { families[parent]?.view.put(child) }
    }
  }
}

extension NestedCollection: Codable {
  private enum CodingKeys: CodingKey {
    case limits
    case parents
    case lists
    case parentIDs
    case childIDs
    case ledger
  }

  public init(from decoder: any Decoder) throws {
    Child.declareNames()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    limits = try container.decode(CollectionLimits.self, forKey: .limits)
    parentList = try container.decode(ResourceList<Parent>.self, forKey: .parents)
    parentIDs = try container.decode(IDLedger.self, forKey: .parentIDs)
    childIDs = try container.decode(IDLedger.self, forKey: .childIDs)
    ledger = try container.decode(WriteLedger.self, forKey: .ledger)
    let lists = try container.decode([ResourceList<Child>?].self, forKey: .lists)
    guard lists.count == parents.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .lists, in: container, debugDescription: "expected a list for each parent")
    }
    ledger.count(parents)
    for (parent, list) in zip(parents, lists) {
      guard let list else { continue }
      ledger.count(list.elements)
      totalChildCount += list.elements.count
      var family = Family(children: list)
      for child in list.elements {
        family.show(child)
        if Child.parentMember != nil { childrenInUse.insert(child.id) }
      }
      families[parent.id] = family
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(limits, forKey: .limits)
    try container.encode(parentList, forKey: .parents)
    try container.encode(parentIDs, forKey: .parentIDs)
    try container.encode(childIDs, forKey: .childIDs)
    try container.encode(ledger, forKey: .ledger)
    // In the order of the parents, because the order of a dictionary differs between processes.
    try container.encode(parents.map { families[$0.id]?.children }, forKey: .lists)
  }
}

extension NestedCollection: RuledValue {
  mutating func takeRules(of program: NestedCollection) {
    limits = program.limits
    for parent in parents { families[parent.id]?.children.sort(by: Child.precedes) }
  }
}

extension NestedCollection.Write: MeasuredWrite {
  var memoryByteCount: Int {
    switch self {
    case .parent(let write): write.memoryByteCount
    case .child(let write, _): write.memoryByteCount
    }
  }
}
