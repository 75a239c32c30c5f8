public import CanonicalJSON
import HTTPTypes
public import MicroHTTP
public import ViewState

extension ResourceDocument {
  /// Describes a GET route below the path of a resource, which answers a question about the resource with its
  /// entity tag, as a fragment of the OpenAPI document.
  ///
  /// ```swift
  /// struct PageCount: FieldObject {
  ///   let count: Int
  ///   static let fields = [Field("count", \PageCount.count)]
  /// }
  /// application.document(
  ///   books.query(
  ///     "pages/count", as: "BookPageCount", PageCount(count: 320), "The number of pages",
  ///     isPaged: false))
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path after that of the resource, without a slash at its start.
  ///   - others: The kinds of resources that further parameters of the path name.
  ///   - name: The name of the operation after `get`.
  ///   - answer: An answer, for the schema and the examples.
  ///   - component: The name of the component for the schema; unless given, that of the operation.
  ///   - summary: The summary of the operation.
  ///   - note: Its description.
  ///   - isPaged: Whether the answer has a part of a list, which `limit` and `after` choose.
  ///   - missing: The name of the component for the reply if a resource of the path is missing; unless given,
  ///     the component for the resource of this description.
  public func query<Answer: FieldObject>(
    _ path: String, _ others: Noun..., as name: Text, _ answer: Answer, component: Text? = nil,
    _ summary: String, _ note: String = "", isPaged: Bool = true, missing: Text? = nil
  ) -> JSONValue {
    let component = component ?? name
    let nouns = self.nouns + others
    let names = nouns.map { "\($0.singular)ID" }
    let example = Answer.valueType.write(answer) ?? .null
    var replies = responses(409, 413, 415, 422, but: 410, isPaged ? "PageGone" : nil)
    replies["404"] = response(missing ?? "\(self.name)NotFound")
    replies["412"] = response("NotAmongThese")
    replies["200"] = reply(
      "The answer.", .reference(toSchema: component), "answer", example,
      Self.readHeaders(isPage: isPaged))
    replies["304"] = notModified(isPage: isPaged)
    let parameters = (isPaged ? ["limit", "after"] : []) + ["If-Match-read", "If-None-Match"]
    var get: [Text: JSONValue] = [
      "operationId": "get\(name)", "tags": [.string(tag)], "summary": .string(summary),
      "parameters": .array(parameters.map { Self.reference("parameters", $0) }),
      "responses": .object(replies),
    ]
    if !note.isEmpty { get["description"] = .string(note) }
    let schema = Answer.valueType.schema.mergePatched(with: [
      "additionalProperties": nil, "examples": [example],
    ])
    return [
      "paths": [
        "\(self.path)/{\(noun.parameter)}/\(path)": [
          "parameters": .array(names.map { Self.reference("parameters", $0) }),
          "get": .object(get),
        ]
      ],
      "components": [
        "schemas": [component: schema],
        "parameters": .object(
          Dictionary(zip(names.map { Text($0) }, nouns.map(Self.parameter))) { $1 }),
      ],
    ]
  }
}

extension ResourceDocument {
  /// Describes a reply with one of several problems, for `components/responses`.
  ///
  /// - Parameters:
  ///   - description: The description; unless given, the codes of the problems.
  ///   - problems: The problems, each with the path of a request that is answered with it.
  public static func reply(
    _ description: String? = nil, of problems: [(ProblemDetails, path: String)]
  ) -> JSONValue {
    var examples: [Text: JSONValue] = [:]
    for (problem, path) in problems {
      examples[Text(problem.code)] = ["value": problem.json(instance: path)]
    }
    let codes = problems.map { "`\($0.0.code)`" }.joined(separator: " or ")
    return [
      "description": .string(description ?? "\(codes)."),
      "headers": ["Cache-Control": reference("headers", "NoStore")],
      "content": [
        "application/problem+json": [
          "schema": .reference(toSchema: "ProblemDetails"), "examples": .object(examples),
        ]
      ],
    ]
  }

  /// Returns a fragment that says when problems occur; the sentences are the details of the problems.
  public static func conditions(of problems: [ProblemDetails]) -> JSONValue {
    var conditions: [Text: [Text: JSONValue]] = [:]
    for problem in problems {
      let detail = problem.detail ?? ""
      conditions["\(problem.status.code)", default: [:]][Text(problem.code)] = .string(
        Text(detail.prefix(1).uppercased() + detail.dropFirst() + "."))
    }
    return ["problems": .object(conditions.mapValues { .object($0) })]
  }
}
