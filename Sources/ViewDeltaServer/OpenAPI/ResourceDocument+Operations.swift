import CanonicalJSON
import MicroHTTP
import ViewState

extension ResourceDocument {
  func listItem(resource: JSONValue, input: JSONValue, element: JSONValue) -> JSONValue {
    var get: [Text: JSONValue] = responses(409, 413, 415, 422, but: 410, "PageGone")
    get["200"] = reply(
      notes[.list] ?? "In the order in which they were created.",
      ["type": "array", "items": element], "one", element == resource ? example.map { [$0] } : nil,
      Self.readHeaders(isPage: true))
    get["304"] = notModified(isPage: true)
    get["412"] = response("NotAmongThese")
    var post = responses(410)
    post["409"] = response("CreationConflict")
    post["422"] = response("InvalidCreation")
    let created = reply(
      "The new \(noun.singular).", resource, "created", example,
      Self.tagged("ResourceETag", "Location"))
    post["201"] = created.mergePatched(with: ["links": links])
    if let owner = nouns.dropLast().last {
      let missing = response("\(owner.name)NotFound")
      get["404"] = missing
      post["404"] = missing
    }
    let list = operation(
      .list, "The \(noun.plural)",
      parameters: ["limit", "after", "If-Match-read", "If-None-Match"], responses: get)
    let create = operation(
      .create, "Create \(noun.article)",
      "Without an `id` in the body the \(noun.singular) gets the least whole number that is greater than "
        + "all ids so far; after 2^53 it gets the least that is free and was not given to one that was deleted. Ids are compared by their texts: `1` and `\"1\"` are one id.",
      parameters: ["Idempotency-Key", "If-Match", "If-None-Match-write"],
      body: ["application/json": content(input, "least", sent)], responses: post)
    var item: [Text: JSONValue] = ["get": list, "post": create]
    if nouns.count > 1 { item["parameters"] = .array(nouns.dropLast().map(Self.parameter)) }
    return .object(item)
  }

  func resourceItem(resource: JSONValue, input: JSONValue) -> JSONValue {
    let missing = response("\(name)NotFound")
    func kept(_ tag: String, _ name: Text, _ example: JSONValue?, _ suffix: String = "")
      -> JSONValue
    {
      reply(
        "The \(noun.singular) after the write.\(suffix)", resource, name, example,
        Self.tagged(tag))
    }
    var get = responses(409, 410, 413, 415, 422)
    get["404"] = missing
    get["412"] = response("NotAmongThese")
    get["200"] = reply(
      "The \(noun.singular).", resource, Text(noun.singular), example,
      Self.readHeaders(isPage: false))
    get["304"] = notModified(isPage: false)
    var put = responses(410, but: 409, "StoreFull")
    put["404"] = missing
    var patch = put
    put["200"] = kept(
      "VerbatimETag", "replaced", example, " A body without a difference writes nothing.")
    patch["200"] = kept(
      "ResourceETag", "patched", example.flatMap { example in change.map(example.mergePatched) })
    var delete = responses(406, 409, 410, 413, 415, 422)
    delete["404"] = missing
    delete["204"] = [
      "description": "The \(noun.singular) was deleted.",
      "headers": headers(["Cache-Control": "NoStore"]),
    ]
    let merge = content(.reference(toSchema: "MergePatch"), "change", change)
    let conditions = ["If-Match", "If-None-Match-write"]
    return [
      "parameters": .array(nouns.map(Self.parameter)),
      "get": operation(
        .get, noun.article.prefix(1).uppercased() + noun.article.dropFirst(),
        parameters: ["If-Match-read", "If-None-Match"], responses: get),
      "put": operation(
        .replace, "Replace \(noun.article)",
        "The body is the whole \(noun.singular); members that it omits are removed. PUT does not create "
          + "\(noun.article). An `id` in the body must be the one in the path.",
        parameters: conditions,
        body: ["application/json": content(input, Text(noun.singular), sent)], responses: put),
      "patch": operation(
        .patch, "Change some members of \(noun.article)",
        "A JSON Merge Patch (RFC 7396) of the \(noun.singular) that GET returns.",
        parameters: conditions,
        body: ["application/json": merge, "application/merge-patch+json": merge],
        responses: patch),
      "delete": operation(
        .delete, "Delete \(noun.article)", parameters: conditions, responses: delete),
    ]
  }

  private func operation(
    _ operation: Operation, _ summary: String, _ standard: String? = nil, parameters: [String],
    body: JSONValue? = nil, responses: [Text: JSONValue]
  ) -> JSONValue {
    let name = operation == .list ? OpenAPIDocument.componentName(Text(noun.plural)) : name
    var members: [Text: JSONValue] = [
      "operationId": "\(operation.rawValue)\(name)", "tags": [.string(tag)],
      "summary": .string(summaries[operation] ?? summary),
      "parameters": .array(parameters.map { Self.reference("parameters", $0) }),
      "responses": .object(responses),
    ]
    let note = operation == .list ? nil : notes[operation]
    let description = [standard, note].compactMap(\.self).joined(separator: "\n\n")
    if !description.isEmpty { members["description"] = .string(description) }
    if let body { members["requestBody"] = ["required": true, "content": body] }
    return .object(members)
  }

  /// Describes the parameter of a path that names a resource.
  static func parameter(_ noun: Noun) -> JSONValue {
    [
      "name": .string(noun.parameter), "in": "path", "required": true,
      "description": .string("The id of \(noun.article) as text, percent-encoded."),
      "schema": ["type": "string", "minLength": 1, "maxLength": 128],
      "example": .string(noun.id.asText),
    ]
  }

  /// The links from the reply to a POST to the operations on the new resource.
  private var links: JSONValue {
    let parameters = nouns.enumerated().map { index, noun -> (Text, JSONValue) in
      let source =
        index == nouns.count - 1 ? "$response.body#/id" : "$request.path.\(noun.parameter)"
      return (Text(noun.parameter), .string(source))
    }
    func link(_ operation: Operation) -> JSONValue {
      [
        "operationId": "\(operation.rawValue)\(name)",
        "parameters": .object(Dictionary(uniqueKeysWithValues: parameters)),
      ]
    }
    return ["read": link(.get), "change": link(.patch), "remove": link(.delete)]
  }
}

extension ResourceDocument {
  /// Returns the replies of all operations, without those that this one does not have.
  func responses(
    _ others: Int..., but status: Int? = nil, _ name: Text? = nil
  ) -> [Text: JSONValue] {
    var names: [Int: Text] = [
      400: "BadRequest", 403: "Forbidden", 405: "MethodNotAllowed", 406: "NotAcceptable",
      412: "PreconditionFailed", 413: "BodyTooLarge", 414: "TargetTooLong",
      415: "UnsupportedMediaType", 417: "ExpectationFailed", 422: "InvalidMember",
      431: "FieldsTooLarge", 500: "ServerFault", 501: "NotImplemented", 503: "ShuttingDown",
    ]
    for other in others { names[other] = nil }
    if let status { names[status] = name }
    return Dictionary(uniqueKeysWithValues: names.map { ("\($0.key)", response($0.value)) })
  }

  /// The replies for missing resources, by the names of the components.
  var missing: [Text: JSONValue] {
    let examples = zip(problems, nouns.indices.map(exampleOfMissing)).map { ($0, path: $1) }
    var responses: [Text: JSONValue] = [:]
    for index in nouns.indices {
      responses["\(nouns[index].name)NotFound"] = Self.reply(of: Array(examples[...index]))
    }
    return responses
  }

  /// The problems for missing resources, in the order of the nouns.
  var problems: [ProblemDetails] {
    nouns.indices.map { index in
      let owner = index == 0 ? nil : Text(nouns[index - 1].singular)
      let missing = nouns[index].missing
      return (missing ?? MissingElement(Text(nouns[index].singular), of: owner)).problem
    }
  }

  /// Returns an example of the path of a missing resource.
  private func exampleOfMissing(_ index: Int) -> String {
    var path = "\(path)/{\(noun.parameter)}"
    for (other, noun) in nouns.enumerated() {
      guard let range = path.firstRange(of: "{\(noun.parameter)}") else { continue }
      if other == index {
        path.replaceSubrange(range.lowerBound..., with: "99")
      } else if other < index {
        path.replaceSubrange(range, with: noun.id.asText)
      }
    }
    return path
  }

  func reply(
    _ description: String, _ schema: JSONValue, _ name: Text, _ example: JSONValue?,
    _ headers: [Text: String]
  ) -> JSONValue {
    [
      "description": .string(description), "headers": self.headers(headers),
      "content": ["application/json": content(schema, name, example)],
    ]
  }

  /// The headers of a 200 to a read, and of the 304 in its place.
  static func readHeaders(isPage: Bool) -> [Text: String] {
    isPage ? tagged("PageETag", "Link") : tagged("ResourceETag")
  }

  /// The headers of a reply with an entity tag, by the names of their components.
  private static func tagged(_ tag: String, _ others: Text...) -> [Text: String] {
    let common: [Text: String] = ["ETag": tag, "Cache-Control": "NoCache", "Vary": "Vary"]
    return others.reduce(into: common) { $0[$1] = $1.string }
  }

  /// The 304 to a read.
  func notModified(isPage: Bool) -> JSONValue {
    [
      "description": .string(
        isPage
          ? "The client has this page already."
          : "The client has this representation already. The header is that of the 200."),
      "headers": headers(Self.readHeaders(isPage: isPage)),
    ]
  }

  private func content(_ schema: JSONValue, _ name: Text, _ example: JSONValue?) -> JSONValue {
    guard let example else { return ["schema": schema] }
    return ["schema": schema, "examples": [name: ["value": example]]]
  }

  /// The example without its id, as a client sends it.
  private var sent: JSONValue? { example?.mergePatched(with: ["id": nil]) }

  func headers(_ names: [Text: String]) -> JSONValue {
    .object(names.mapValues { Self.reference("headers", $0) })
  }

  func response(_ name: Text) -> JSONValue { Self.reference("responses", name.string) }

  static func reference(_ kind: String, _ name: String) -> JSONValue {
    ["$ref": .string("#/components/\(kind)/\(name)")]
  }
}

extension JSONValue {
  /// The id as text.
  fileprivate var asText: String {
    if case .string(let text) = self { text.string } else { description }
  }
}
