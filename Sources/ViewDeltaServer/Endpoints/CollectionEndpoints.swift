public import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// Reads and writes a store in answer to REST requests for a collection of resources and for each resource.
///
/// - GET of the collection returns a page, by `limit` and `after`, with `Link` and `ETag`.
/// - POST to the collection creates a resource, once for each `Idempotency-Key`.
/// - For GET, PUT, PATCH and DELETE of a resource see ``ResourceEndpoints``.
///
/// ``ApplicationBuilder/add(collection:at:tag:example:change:)`` adds the endpoints of a
/// `ResourceCollection`. For another kind of store:
///
/// ```swift
/// let notes = CollectionEndpoints<Note>(
///   path: "/v1/notes",
///   part: { (_, range) throws(StoreError) in
///     store.value.notes.part(range, version: store.value.version) { $0 }
///   },
///   create: { (_, body, key) async throws(StoreError) in
///     try await store.write(.create(body.value), once: key)
///   },
///   resource: ResourceEndpoints(
///     read: { (request) throws(StoreError) in try store.value.note(request.id()) },
///     change: { (request, change) async throws(StoreError) in
///       try await store.write(.change(request.id(), change))
///     }))
/// application.add(notes)
/// ```
public struct CollectionEndpoints<Resource: StoredResource>: Sendable {
  /// Reads a part of the resources.
  public typealias Part =
    @Sendable (Request, CollectionRange) throws(StoreError) -> CollectionPart<Resource>?
  /// Creates the resource in a body, once for each key.
  public typealias Create =
    @Sendable (Request, JSONReader, RequestKey?) async throws(StoreError) -> Versioned<Resource>

  /// The description in the OpenAPI document.
  public let document: ResourceDocument
  private let path: String
  private let parameter: String
  private let part: Part
  private let summary: @Sendable (Resource) -> JSONValue
  private let create: Create
  private let resource: ResourceEndpoints<Resource>

  /// Creates the endpoints.
  ///
  /// - Parameters:
  ///   - path: The template of the path of the collection, such as `/v1/users/{id}/posts`.
  ///   - parameter: The parameter for the id of a resource in its path, such as `postID`.
  ///   - part: Reads a part of the resources; returns `nil` if there is no resource with the id after which
  ///     the part begins.
  ///   - summary: Makes the element of the collection for a resource, by default the whole resource.
  ///   - create: Creates the resource in a body, once for each key: see `Store.write(_:once:)`.
  ///   - resource: The endpoints of each resource.
  ///   - document: The description in the OpenAPI document; unless given, it follows from the path and the type
  ///     of the resources.
  /// - Precondition: The description is one of this path.
  public init(
    path: String, parameter: String = "id", part: @escaping Part,
    summary: @escaping @Sendable (Resource) -> JSONValue = { $0.json },
    create: @escaping Create, resource: ResourceEndpoints<Resource>,
    document: ResourceDocument? = nil
  ) {
    let document =
      document ?? ResourceDocument(path: path, parameter: parameter, of: Resource.self)
    precondition(
      document.path == path && document.noun.parameter == parameter,
      "the description of \(path) is one of \(document.path)/{\(document.noun.parameter)}")
    self.document = document
    self.path = path
    self.parameter = parameter
    self.part = part
    self.summary = summary
    self.create = create
    self.resource = resource
  }

  func register(in router: inout Router, _ replies: ResourceReplies) {
    // As a task, because encoding a page may take too long for the thread that serves connections.
    router.on(.get, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try page(request, replies)
    }
    router.write(.post, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let created = try await created(request)
      return replies.reply(
        created, status: .created, location: request.path(path, of: created.resource.id))
    }
    resource.register(in: &router, path: "\(path)/{\(parameter)}", replies: replies)
  }

  /// The largest document of a page, in bytes, unless it has one element only.
  private static var largestPage: Int { 1024 * 1024 }

  private func page(
    _ request: Request, _ replies: ResourceReplies
  ) throws(ProblemDetails) -> Response {
    let range = try CollectionRange(request)
    let part: CollectionPart<Resource>?
    do throws(StoreError) {
      part = try self.part(request, range)
    } catch {
      throw ProblemDetails(error)
    }
    guard let part else { throw .afterGone }
    return try replies.page(to: request, at: request.path(path), range, version: part.version) {
      () throws(JSONShapeError) in
      var writer = JSONWriter()
      var last: Resource?
      for resource in part.elements {
        let document = try summary(resource).checkedBytes()
        if let last, writer.bytes.count + document.count + 2 > Self.largestPage {
          writer.raw("]")
          return (writer.bytes, last.id)
        }
        writer.raw(last == nil ? "[" : ",")
        writer.raw(document)
        last = resource
      }
      writer.raw(last == nil ? "[]" : "]")
      return (writer.bytes, part.hasMore ? last?.id : nil)
    }
  }

  private func created(_ request: Request) async throws(ProblemDetails) -> Versioned<Resource> {
    let (key, body) = (try request.idempotencyKey, try request.json())
    do {
      return try await create(request, body, key)
    } catch {
      throw ProblemDetails(error)
    }
  }
}

extension CollectionEndpoints where Resource: ViewState.Resource {
  /// Writes to the resources that a path names, once for each key.
  public typealias Write =
    @Sendable (Request, ResourceCollection<Resource>.Write, RequestKey?) async throws(StoreError) ->
    Versioned<Resource>

  /// Creates the endpoints of resources in a store that also has other writes.
  ///
  /// - Parameters:
  ///   - path: The template of the path of the collection, such as `/v1/users/{id}/posts`.
  ///   - parameter: The parameter for the id of a resource in its path, such as `postID`.
  ///   - part: Reads a part of the resources; returns `nil` if there is no resource with the id after which
  ///     the part begins.
  ///   - summary: Makes the element of the collection for a resource, by default the whole resource.
  ///   - read: Reads the resource that a path names.
  ///   - write: Writes to the resources that a path names, once for each key.
  ///   - isLarge: Returns whether the document of a resource may be large; by default none is.
  ///   - document: The description in the OpenAPI document; unless given, it follows from the path and the type
  ///     of the resources.
  public init(
    path: String, parameter: String = "id", part: @escaping Part,
    summary: @escaping @Sendable (Resource) -> JSONValue = { $0.json },
    read: @escaping ResourceEndpoints<Resource>.Read, write: @escaping Write,
    isLarge: @escaping @Sendable (Resource) -> Bool = { _ in false },
    document: ResourceDocument? = nil
  ) {
    self.init(
      path: path, parameter: parameter, part: part, summary: summary,
      create: { (request, body, key) async throws(StoreError) in
        try await write(request, .create(body.value), key)
      },
      resource: ResourceEndpoints(
        read: read,
        change: { (request, change) async throws(StoreError) in
          try await write(request, .change(request.id(parameter), change), nil)
        }, isLarge: isLarge),
      document: document)
  }

  /// Creates the endpoints of a collection.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - path: The path of the collection, without parameters.
  ///   - document: The description in the OpenAPI document; unless given, it follows from the names and the
  ///     fields of the resources.
  public init(
    _ store: Store<ResourceCollection<Resource>>, at path: String,
    document: ResourceDocument? = nil
  ) {
    self.init(
      path: path, part: { (_, range) throws(StoreError) in store.value.part(range) },
      read: { (request) throws(StoreError) in try store.value.element(request.id()) },
      write: { (_, write, key) async throws(StoreError) in try await store.write(write, once: key)
      },
      document: document ?? ResourceDocument(path: path, of: store.value))
  }
}

extension ApplicationBuilder {
  /// Adds the REST endpoints of a collection of resources, and documents them.
  ///
  /// ```swift
  /// let todos = Store("todos", ResourceCollection<Todo>("todo"), in: application.engine)
  /// application.add(collection: todos, at: "/v1/todos", example: ["id": 1, "title": "Milk"])
  /// ```
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - path: The path of the collection, without parameters.
  ///   - tag: The tag of the operations in the document, by default the plural.
  ///   - example: A resource, for the document.
  ///   - change: A JSON Merge Patch on the example, for the document.
  /// - Precondition: No other endpoint has its paths.
  public mutating func add<Model: Resource>(
    collection store: Store<ResourceCollection<Model>>, at path: String, tag: String? = nil,
    example: JSONValue? = nil, change: JSONValue? = nil
  ) {
    add(
      CollectionEndpoints(
        store, at: path,
        document: ResourceDocument(
          path: path, of: store.value, tag: tag, example: example, change: change)))
    document(causesNaming: [store.value.plural])
  }

  /// Adds the REST endpoints of parents and of the children of each parent, and documents their writes as causes of
  /// revisions.
  ///
  /// ```swift
  /// let notes = Store("notes", NestedCollection<Comment>(), in: application.engine)
  /// application.add(collection: notes, at: "/v1/notes", children: "comments")
  /// // /v1/notes, /v1/notes/{id}, /v1/notes/{id}/comments, /v1/notes/{id}/comments/{commentID}
  /// ```
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - path: The path of the parents, without parameters.
  ///   - children: The last segment of the path of the children, after the path of their parent.
  /// - Precondition: No other endpoint has its paths.
  public mutating func add<Child>(
    collection store: Store<NestedCollection<Child>>, at path: String, children: String
  ) {
    let parameter = "\(Child.nouns.child)ID"
    add(
      CollectionEndpoints<Child.Parent>(
        path: path, part: { (_, range) throws(StoreError) in store.value.parents(range) },
        read: { (request) throws(StoreError) in try store.value.parent(request.id()) },
        write: { (_, write, key) async throws(StoreError) in
          guard case .parent(let parent) = try await store.write(.parent(write), once: key) else {
            throw .missing(MissingElement(Child.nouns.parent))
          }
          return parent
        }))
    add(
      CollectionEndpoints<Child>(
        path: "\(path)/{id}/\(children)", parameter: parameter,
        part: { (request, range) throws(StoreError) in
          try store.value.children(range, of: request.id())
        },
        read: { (request) throws(StoreError) in
          try store.value.child(request.id(parameter), of: request.id())
        },
        write: { (request, write, key) async throws(StoreError) in
          let output = try await store.write(.child(write, of: request.id()), once: key)
          guard case .child(let child) = output else { throw .missing(Child.missingChild) }
          return child
        }))
    document(causesNaming: [Child.causes.children, Child.causes.parents].sorted())
  }

  /// Adds the names of sources of writes to the examples of causes of revisions in the OpenAPI document.
  public mutating func document(causesNaming sources: [Text]) {
    document([
      "components": [
        "schemas": [
          "StoreWriteCause": [
            "properties": ["source": ["examples": .array(sources.map(JSONValue.string))]]
          ]
        ]
      ]
    ])
  }
}

extension CollectionRange {
  /// Reads the query of a request for a page: `limit` is the number of elements, at most 1,000 and by
  /// default 100; `after` is the id of the element after which the page begins.
  ///
  /// - Throws: A 400 problem for a parameter that is empty or given twice, and for a `limit` that is not a
  ///   whole number from 1.
  public init(_ request: Request) throws(ProblemDetails) {
    let after = try request.query.single("after")
    self.init(
      after: after.map { ResourceID(named: Text($0)) },
      limit: try request.pageLimit)
  }

  /// Returns the target of the page, the same for all requests for it.
  func target(at path: String) -> String {
    "\(path)?limit=\(limit)" + (after.map { "&after=\($0.pathSegment)" } ?? "")
  }
}

extension Request {
  /// The parameter `limit`, the largest number of elements of a page: at most 1,000, and 100 if it is
  /// absent.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, or not a whole number from 1.
  var pageLimit: Int {
    get throws(ProblemDetails) {
      guard let text = try query.single("limit") else { return 100 }
      let limit = Int(text) ?? .max
      guard text.hasOnlyDigits, limit > 0 else {
        throw .badParameter("limit is not a whole number from 1")
      }
      return min(limit, 1_000)
    }
  }
}
