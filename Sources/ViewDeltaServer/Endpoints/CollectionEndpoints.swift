public import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

/// Reads and writes a store in answer to REST requests for a collection of resources and for each resource.
///
/// - GET of the collection returns a page, by `limit` and `after`, with `Link` and `ETag`.
/// - POST to the collection creates a resource, once for each `Idempotency-Key`.
/// - All of them, and GET, PUT, PATCH and DELETE of a resource, compare the version of the collection or resource with
///   If-Match and If-None-Match, the writes when the store applies them. PATCH applies a JSON Merge Patch (RFC 7396) to
///   the resource as it is then. PUT and PATCH do not change the id.
///
/// ``ApplicationBuilder/add(collection:at:tag:example:change:)`` adds the endpoints of a
/// `ResourceCollection`. For a store that also has other writes:
///
/// ```swift
/// let notes = CollectionEndpoints<Note>(
///   path: "/v1/notes",
///   page: { (_, range) throws(StoreError) in store.value.notes.page(range) },
///   read: { (request) throws(StoreError) in try store.value.notes.element(request.id()) },
///   write: { (_, write, key) async throws(StoreError) in
///     try await store.write(.note(write), once: key)
///   })
/// application.add(notes)
/// ```
public struct CollectionEndpoints<Model: Resource>: Sendable {
  /// Reads a page of the resources. All connections of the thread wait for it, also if the reply is kept, so it must be
  /// quick: the page of a `KeyedSequence` finds its elements later.
  public typealias Page =
    @Sendable (Request, CollectionRange) throws(StoreError) -> CollectionPage<Model>?
  /// Reads the resource that a path names.
  public typealias Read = @Sendable (Request) throws(StoreError) -> Versioned<Model>
  /// Creates a resource, once for each key, or changes the one that a path names. Returns it as it is afterwards, or
  /// was before its deletion.
  public typealias Write =
    @Sendable (Request, ResourceCollection<Model>.Write, RequestKey?) async throws(StoreError) ->
    Versioned<Model>

  /// The description in the OpenAPI document.
  public let document: ResourceDocument
  private let page: Page
  private let summary: @Sendable (Model) -> JSONValue
  private let read: Read
  private let write: Write
  private let isLarge: @Sendable (Model) -> Bool

  /// Creates the endpoints of resources in a store that also has other writes.
  ///
  /// - Parameters:
  ///   - path: The template of the path of the collection, such as `/v1/users/{id}/posts`.
  ///   - parameter: The parameter for the id of a resource in its path, such as `postID`.
  ///   - page: Reads a page of the resources; returns `nil` if there is no resource with the id after which
  ///     the page begins.
  ///   - summary: Makes the element of the collection for a resource, by default the whole resource.
  ///   - read: Reads the resource that a path names.
  ///   - write: Applies a write, `.create` or `.change`: see `Store.write(_:once:)`.
  ///   - isLarge: Returns whether the document of a resource may be large. A large one is encoded outside the
  ///     threads that serve connections, and once for all clients. By default no document is.
  ///   - document: The description in the OpenAPI document; unless given, it follows from the path and the type
  ///     of the resources.
  /// - Precondition: The description is one of this path, which does not end with a slash; no two fields of the
  ///   resources have a common name, and none is named `id`.
  public init(
    path: String, parameter: String = "id", page: @escaping Page,
    summary: @escaping @Sendable (Model) -> JSONValue = { $0.json },
    read: @escaping Read, write: @escaping Write,
    isLarge: @escaping @Sendable (Model) -> Bool = { _ in false },
    document: ResourceDocument? = nil
  ) {
    let document = document ?? ResourceDocument(path: path, parameter: parameter, of: Model.self)
    guard document.path == path && document.noun.parameter == parameter else {
      fatalError(
        "the description of \(path) is one of \(document.path)/{\(document.noun.parameter)}")
    }
    // Else the resources would be at `/v1/notes//1`.
    guard !path.hasSuffix("/") else { fatalError("the path \(path) must not end with a slash") }
    Model.checkFields()
    self.document = document
    self.page = page
    self.summary = summary
    self.read = read
    self.write = write
    self.isLarge = isLarge
  }

  func register(in router: inout Router, _ replies: ResourceReplies) {
    let path = document.path
    router.route(.get, path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try pageReply(request, replies)
    }
    router.write(.post, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (key, body) = (try request.idempotencyKey, try request.json().value)
      let condition = try replies.condition(of: request)
      // What has no condition is recorded without one.
      let write = ResourceCollection<Model>.Write.create(
        body, if: condition == .any ? nil : condition)
      let created = try await written(request, write, once: key)
      return replies.reply(
        created, status: .created, location: request.path(path, of: created.resource.id))
    }
    registerResource(in: &router, "\(path)/{\(document.noun.parameter)}", replies)
  }

  private func registerResource(in router: inout Router, _ path: String, _ replies: ResourceReplies)
  {
    router.route(.get, path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let current = try current(request)
      guard isLarge(current.resource) else {
        return .now(
          try request.conditionalReply(coded: .identity) { _ in replies.reply(current) })
      }
      return try replies.document(to: request, at: request.path(path), version: current.version) {
        () throws(ProblemDetails) in (try current.resource.json.replyBytes(), [:])
      }
    }
    router.write(.put, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let body = try request.json().value
      let written = try await changed(request, .replace(body), replies)
      // With a tag the client may take the content that it sent for the kept one (RFC 9110, section 9.3.4).
      return replies.reply(written, hasTag: body == written.resource.json)
    }
    router.write(.patch, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let patch = try request.json(["application/json", "application/merge-patch+json"]).value
      return replies.reply(try await changed(request, .patch(patch), replies))
    }
    router.write(.delete, path, through: replies.engine) { (request) async throws(ProblemDetails) in
      _ = try await changed(request, .delete, replies)
      return .done
    }
  }

  /// The largest document of a page, in bytes, unless it has one element only.
  private static var largestPage: Int { 1024 * 1024 }

  private func pageReply(
    _ request: Request, _ replies: ResourceReplies
  ) throws(ProblemDetails) -> Reply {
    let range = try CollectionRange(request)
    let page: CollectionPage<Model>?
    do throws(StoreError) {
      page = try self.page(request, range)
    } catch {
      throw ProblemDetails(error)
    }
    guard let page else { throw .afterGone }
    return try replies.page(
      to: request, at: request.path(document.path), range, version: page.version
    ) {
      () throws(ProblemDetails) in
      var writer = JSONWriter()
      var last: Model?
      for resource in page.elements {
        let document = try summary(resource).replyBytes()
        if let last, writer.bytes.count + document.count + 2 > Self.largestPage {
          writer.raw("]")
          return (writer.bytes, last.id)
        }
        writer.raw(last == nil ? "[" : ",")
        writer.raw(document)
        last = resource
      }
      writer.raw(last == nil ? "[]" : "]")
      return (writer.bytes, page.hasMore ? last?.id : nil)
    }
  }

  private func current(_ request: Request) throws(ProblemDetails) -> Versioned<Model> {
    do { return try read(request) } catch { throw ProblemDetails(error) }
  }

  private func changed(
    _ request: Request, _ kind: ResourceChange.Kind, _ replies: ResourceReplies
  ) async throws(ProblemDetails) -> Versioned<Model> {
    let change = ResourceChange(kind, if: try replies.condition(of: request))
    return try await written(request, .change(request.id(document.noun.parameter), change))
  }

  private func written(
    _ request: Request, _ write: ResourceCollection<Model>.Write, once key: RequestKey? = nil
  ) async throws(ProblemDetails) -> Versioned<Model> {
    do {
      return try await self.write(request, write, key)
    } catch {
      throw ProblemDetails(error)
    }
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
      CollectionEndpoints<Model>(
        path: path, page: { (_, range) throws(StoreError) in store.value.page(range) },
        read: { (request) throws(StoreError) in try store.value.element(request.id()) },
        write: { (_, write, key) async throws(StoreError) in try await store.write(write, once: key)
        },
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
        path: path, page: { (_, range) throws(StoreError) in store.value.parents(range) },
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
        page: { (request, range) throws(StoreError) in
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
