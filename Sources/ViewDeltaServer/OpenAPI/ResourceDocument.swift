public import CanonicalJSON
public import ViewState

/// Describes the REST endpoints of a collection in the OpenAPI document: GET of the list, page by page, POST
/// with an `Idempotency-Key`, and GET, PUT, PATCH and DELETE of a resource with entity tags.
///
/// ```swift
/// let books = ResourceDocument(
///   path: "/v1/books", [ResourceDocument.Noun("book", id: 4)], tag: "Books",
///   schema: ["type": "object", "properties": ["id": ["type": "integer"], "title": ["type": "string"]]],
///   example: ["id": 4, "title": "The Book of Knots"], change: ["title": "Knots"])
/// application.document(books.fragment)
/// ```
public struct ResourceDocument: Sendable {
  /// A kind of resource that a parameter of the path names.
  public struct Noun: Sendable {
    let singular: String
    let plural: String
    let parameter: String
    let id: JSONValue
    let missing: MissingElement?

    /// Names a kind of resource.
    ///
    /// - Parameters:
    ///   - singular: The singular, such as `book` or `shopping list`. The names of the operations contain
    ///     it (`getBook`), and so does the code of the problem for a missing resource (`unknown-book`).
    ///   - plural: The plural, by default the singular with an `s`.
    ///   - parameter: The name of the parameter in the path.
    ///   - id: An id, for examples.
    ///   - missing: The kind of element that the store names if there is no such resource; unless given, it is made
    ///     of the singular, and of that of the noun before.
    public init(
      _ singular: String, plural: String? = nil, parameter: String = "id", id: JSONValue,
      missing: MissingElement? = nil
    ) {
      self.singular = singular
      self.plural = plural ?? singular + "s"
      self.parameter = parameter
      self.id = id
      self.missing = missing
    }

    /// The singular in upper camel case, for the names of components and operations.
    var name: Text { OpenAPIDocument.componentName(Text(singular)) }

    var article: String {
      singular.prefix(1).contains(where: "aeio".contains) ? "an \(singular)" : "a \(singular)"
    }
  }

  /// An operation on the collection or on a resource.
  public enum Operation: String, CaseIterable, Sendable {
    case list, create, get, replace, patch, delete
  }

  /// The template of the path of the list, such as `/v1/books/{id}/chapters`.
  public let path: String
  /// The kinds of resources in the path of a resource; the last one is the resource itself.
  public let nouns: [Noun]
  /// The tag under which documentation lists the operations.
  public var tag: String
  /// The JSON schema of a resource.
  public var schema: JSONValue
  /// The JSON schema of the body of POST and PUT, if it differs from that of a resource.
  public var input: JSONValue?
  /// The JSON schema of an element of the list, if it differs from that of a resource.
  public var element: JSONValue?
  /// A resource, for examples.
  public var example: JSONValue?
  /// A JSON Merge Patch that PATCH applies to the example.
  public var change: JSONValue?
  /// The summaries of operations, in place of the standard ones.
  public var summaries: [Operation: String]
  /// Further descriptions of operations. The description of the list should say how the list is ordered.
  public var notes: [Operation: String]

  /// Describes a collection.
  ///
  /// - Precondition: There is a noun for each parameter of the path, and one more. No two nouns have the same
  ///   parameter or the same singular.
  public init(
    path: String, _ nouns: [Noun], tag: String, schema: JSONValue, input: JSONValue? = nil,
    element: JSONValue? = nil, example: JSONValue? = nil, change: JSONValue? = nil,
    summaries: [Operation: String] = [:], notes: [Operation: String] = [:]
  ) {
    let parameters = path.matches(of: /{(\w+)}/).map { String($0.output.1) }
    guard parameters == nouns.dropLast().map(\.parameter) && !nouns.isEmpty else {
      fatalError("\(path) does not have the parameters of its nouns")
    }
    guard Set(nouns.map(\.parameter)).count == nouns.count else {
      fatalError("two nouns of \(path) have one parameter: \(nouns.map(\.parameter))")
    }
    guard Set(nouns.map(\.singular)).count == nouns.count else {
      fatalError("two nouns of \(path) have one singular: \(nouns.map(\.singular))")
    }
    self.path = path
    self.nouns = nouns
    self.tag = tag
    self.schema = schema
    self.input = input
    self.element = element
    self.example = example
    self.change = change
    self.summaries = summaries
    self.notes = notes
  }

  /// Describes a collection of resources with the schemas that follow from their fields.
  ///
  /// - Precondition: There is a noun for each parameter of the path, and one more. No two nouns have the same
  ///   parameter or the same singular.
  public init<Model: Resource>(
    path: String, _ nouns: [Noun], tag: String, of model: Model.Type,
    example: JSONValue? = nil, change: JSONValue? = nil, summaries: [Operation: String] = [:],
    notes: [Operation: String] = [:]
  ) {
    let schema = Model.schema.mergePatched(with: ["examples": example.map { [$0] } ?? nil])
    self.init(
      path: path, nouns, tag: tag, schema: schema, input: Model.inputSchema, example: example,
      change: change, summaries: summaries, notes: notes)
  }

  /// Describes a collection by its names and the fields of its resources.
  init<Model>(
    path: String, of collection: ResourceCollection<Model>, tag: String?, example: JSONValue?,
    change: JSONValue?
  ) {
    let id = example.flatMap { example in JSONPointer("/id").flatMap { example.value(at: $0) } }
    let noun = Noun(collection.noun.string, plural: collection.plural.string, id: id ?? 1)
    self.init(
      path: path, [noun], tag: tag ?? collection.plural.capitalized.string, of: Model.self,
      example: example, change: change)
  }

  /// Describes a collection by its path: `/v1/shelves/{id}/books` has a `shelve` and, in it, a `book`.
  init<Model: Resource>(path: String, parameter: String, of model: Model.Type) {
    var nouns: [Noun] = []
    var plural: String?
    for segment in "\(path)/{\(parameter)}".split(separator: "/") {
      guard let name = segment.wholeMatch(of: /{(\w+)}/)?.output.1 else {
        plural = String(segment)
        continue
      }
      let words = plural?.replacing("-", with: " ") ?? String(name)
      plural = nil
      let singular = words.hasSuffix("s") ? String(words.dropLast()) : words
      nouns.append(Noun(singular, plural: words, parameter: String(name), id: 1))
    }
    self.init(
      path: path, nouns, tag: Text(nouns[nouns.count - 1].plural).capitalized.string, of: model)
  }

  /// The description as a fragment of the OpenAPI document. A schema that is not a reference to a component
  /// becomes a component with the name of the noun (`Book`, `BookInput`, `BookSummary`).
  public var fragment: JSONValue {
    var schemas: [Text: JSONValue] = [:]
    func component(_ schema: JSONValue, _ suffix: String) -> JSONValue {
      if case .object(let members) = schema, members["$ref"] != nil { return schema }
      let name: Text = "\(name)\(suffix)"
      schemas[name] = schema
      return .reference(toSchema: name)
    }
    let resource = component(schema, "")
    let input = input.map { component($0, "Input") } ?? resource
    let element = element.map { component($0, "Summary") } ?? resource
    let fragment: JSONValue = [
      "tags": [["name": .string(tag)]],
      "paths": [
        Text(path): listItem(resource: resource, input: input, element: element),
        Text("\(path)/{\(noun.parameter)}"): resourceItem(resource: resource, input: input),
      ],
      "components": ["schemas": .object(schemas), "responses": .object(missing)],
    ]
    return fragment.mergePatched(with: Self.conditions(of: problems))
  }

  var noun: Noun { nouns[nouns.count - 1] }
  var name: Text { noun.name }
}
