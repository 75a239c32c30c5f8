public import CanonicalJSON
public import ViewState

/// Short forms of what tests read of parents and children, and of what they write to them.
extension Store {
  /// Adds a store with the name of the children.
  public convenience init<Child>(_ data: NestedCollection<Child>, in engine: Engine)
  where Value == NestedCollection<Child> {
    self.init(Child.arrays.children, data, in: engine)
  }

  /// Returns all children of a parent.
  public func children<Child>(of parent: ResourceID) throws(StoreError) -> [Child]
  where Value == NestedCollection<Child> {
    try value.children(CollectionRange(limit: .max), of: parent)?.elements ?? []
  }

  @discardableResult
  public func createParent<Child>(
    _ body: JSONValue, once key: RequestKey? = nil
  ) async throws(StoreError) -> Versioned<Child.Parent> where Value == NestedCollection<Child> {
    try await parent(.create(body), once: key)
  }

  @discardableResult
  public func replace<Child>(
    _ parent: Child.Parent
  ) async throws(StoreError) -> Versioned<Child.Parent> where Value == NestedCollection<Child> {
    try await self.parent(.replace(parent))
  }

  public func deleteParent<Child>(_ id: ResourceID) async throws(StoreError)
  where Value == NestedCollection<Child> {
    _ = try await write(.parent(.delete(id)))
  }

  @discardableResult
  public func createChild<Child>(
    _ body: JSONValue, of parent: ResourceID, once key: RequestKey? = nil
  ) async throws(StoreError) -> Versioned<Child> where Value == NestedCollection<Child> {
    try await child(.create(body), of: parent, once: key)
  }

  /// Creates a child that is made with the id that it gets.
  @discardableResult
  public func createChild<Child>(
    of parent: ResourceID, _ make: (ResourceID) throws -> Child
  ) async throws -> Versioned<Child> where Value == NestedCollection<Child> {
    let placeholder: ResourceID = "placeholder"
    let child = try make(placeholder)
    var members = try JSONReader(child.json).object()
    if child.id == placeholder { members["id"] = nil }
    return try await createChild(.object(members), of: parent)
  }

  @discardableResult
  public func replace<Child>(
    _ child: Child, of parent: ResourceID
  ) async throws(StoreError) -> Versioned<Child> where Value == NestedCollection<Child> {
    try await self.child(.replace(child), of: parent)
  }

  public func deleteChild<Child>(_ id: ResourceID, of parent: ResourceID) async throws(StoreError)
  where Value == NestedCollection<Child> {
    _ = try await write(.child(.delete(id), of: parent))
  }

  private func parent<Child>(
    _ write: ResourceCollection<Child.Parent>.Write, once key: RequestKey? = nil
  ) async throws(StoreError) -> Versioned<Child.Parent> where Value == NestedCollection<Child> {
    guard case .parent(let parent) = try await self.write(.parent(write), once: key) else {
      throw .missing(MissingElement(Child.nouns.parent))
    }
    return parent
  }

  private func child<Child>(
    _ write: ResourceCollection<Child>.Write, of parent: ResourceID, once key: RequestKey? = nil
  ) async throws(StoreError) -> Versioned<Child> where Value == NestedCollection<Child> {
    let output = try await self.write(.child(write, of: parent), once: key)
    guard case .child(let child) = output else { throw .missing(Child.missingChild) }
    return child
  }
}
