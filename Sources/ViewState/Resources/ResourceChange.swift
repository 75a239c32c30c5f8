public import CanonicalJSON

/// A change of one resource by a client. The store checks the condition when it applies the write, so no other write
/// can come in between.
///
/// ```swift
/// let change = ResourceChange(.patch(["title": "Bread"]), if: .oneOf([7]))
/// let todo = try await todos.write(.change(1, change))
/// ```
public struct ResourceChange: Codable, Hashable, Sendable {
  /// The kinds of changes.
  public enum Kind: Codable, Hashable, Sendable {
    /// Replaces the resource by the one in a body. If the body has no id, the id stays.
    case replace(JSONValue)
    /// Applies a JSON Merge Patch (RFC 7396) to the JSON of the resource.
    case patch(JSONValue)
    /// Deletes the resource.
    case delete
  }

  /// The kind of the change.
  public let kind: Kind
  /// The versions of the resource that may be changed.
  public let condition: VersionCondition

  /// Creates a change, by default of any version.
  public init(_ kind: Kind, if condition: VersionCondition = .any) {
    self.kind = kind
    self.condition = condition
  }

  /// The estimated memory of the body, in bytes.
  var memoryByteCount: Int {
    switch kind {
    case .replace(let body), .patch(let body): body.memoryByteCount
    case .delete: 0
    }
  }

  /// Checks the condition, and applies the change.
  ///
  /// - Parameters:
  ///   - current: The resource before the change.
  ///   - read: Reads a body that replaces the resource.
  /// - Returns: The resource after the change; `nil` if the change deletes it.
  /// - Throws: ``StoreError/changedMeanwhile`` if the condition excludes the version of the resource, and
  ///   ``StoreError/malformed(_:)`` for an invalid body and for one with the id of another resource.
  public func applied<Model: Resource>(
    to current: Versioned<Model>, read: (JSONReader, Model) throws(JSONShapeError) -> Model
  ) throws(StoreError) -> Model? {
    var madeByteCount = 0
    return try applied(to: current, making: &madeByteCount, read: read)
  }

  /// Checks the condition, and applies the change.
  ///
  /// - Parameter madeByteCount: Gets the memory of what a patch makes beside its body, in bytes, estimated: the whole
  ///   resource is read again, and shares only its texts.
  func applied<Model: Resource>(
    to current: Versioned<Model>, making madeByteCount: inout Int,
    read: (JSONReader, Model) throws(JSONShapeError) -> Model
  ) throws(StoreError) -> Model? {
    try condition.check(current.version)
    let body: JSONValue
    switch kind {
    case .delete: return nil
    case .replace(let new): body = new
    case .patch(let patch):
      body = current.resource.json.mergePatched(with: Model.withOwnNames(patch))
      madeByteCount = body.placesByteCount
    }
    do throws(JSONShapeError) {
      let resource = try read(
        JSONReader(Self.withID(of: current.resource, body)), current.resource)
      guard resource.id == current.resource.id else {
        throw JSONShapeError(["id"], "expected the id in the path")
      }
      return resource
    } catch {
      guard case .patch(let patch) = kind else { throw .malformed(error) }
      throw .malformed(Model.error(error, in: patch))
    }
  }

  /// Returns the body with the id of the resource: `6` and `"6"` are one id, and a write does not change
  /// which of the two it is.
  private static func withID(of current: some Resource, _ body: JSONValue) -> JSONValue {
    guard case .object(var members) = body, let id = members["id"], id != current.id.json,
      (try? ResourceID(JSONReader(id))) == current.id
    else { return body }
    members["id"] = current.id.json
    return .object(members)
  }
}

/// The versions of a resource or collection that a write may change, as If-Match and If-None-Match name them (RFC 9110,
/// sections 13.1.1 and 13.1.2).
public enum VersionCondition: Codable, Hashable, Sendable {
  /// Only these versions; no version if there are none.
  case oneOf([Int])
  /// All versions except these.
  case noneOf([Int])

  /// All versions.
  public static var any: VersionCondition { .noneOf([]) }

  /// Checks that a write may change a version.
  ///
  /// - Throws: ``StoreError/changedMeanwhile`` if it may not.
  public func check(_ version: Int) throws(StoreError) {
    let isAllowed =
      switch self {
      case .oneOf(let versions): versions.contains(version)
      case .noneOf(let versions): !versions.contains(version)
      }
    if !isAllowed { throw .changedMeanwhile }
  }
}
