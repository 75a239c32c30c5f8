import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots

/// Answers with the difference of two lists that the request brings: the diff of view models for clients that
/// have no library for it. It reads and changes no state of the server.
struct DifferenceEndpoint: Sendable {
  static let path = "/v1/differences"

  /// The largest body, in bytes, whatever the server allows for other bodies.
  static let bodyLimit = 1024 * 1024

  /// The largest number of elements in each list.
  static let elementLimit = 10_000

  /// Computes differences beside large replies, which others ask for.
  private let thread = ReplyThread()

  func register(in router: inout Router) {
    router.route(.post, Self.path) { [thread] (request) throws(ProblemDetails) in
      request.noteQuery()
      // A request that cannot be answered in any form is refused before it waits for others.
      _ = try request.format(among: DifferenceQuestion.formats(of: nil))
      guard request.body.count <= Self.bodyLimit else { throw .bodyTooLarge(limit: Self.bodyLimit) }
      return thread.reply(to: request) { () throws(ProblemDetails) in
        .now(try request.json(as: DifferenceQuestion.init(_:)).reply(to: request))
      }
    }
  }
}

/// The body of a request for the difference of two lists.
private struct DifferenceQuestion {
  /// The form of the reply.
  enum Form: Text, CaseIterable {
    /// The operations of a batch update.
    case changeset
    /// A JSON Patch.
    case patch
    /// The operations one by one.
    case script
  }

  let old: [IdentifiedObject]
  let new: [IdentifiedObject]
  /// The wanted form; `nil` if the media type decides.
  let form: Form?

  /// Reads a body.
  ///
  /// - Throws: `JSONShapeError` with a pointer to the member at fault.
  init(_ body: JSONReader) throws(JSONShapeError) {
    try body.rejectUnknownMembers(allowed: ["from", "to", "form"])
    form = try body.optionalMember("form").map { member throws(JSONShapeError) in
      guard let form = Form(rawValue: try member.string()) else {
        let names = Form.allCases.map(\.rawValue.string).joined(separator: ", ")
        throw member.error("expected one of \(names)")
      }
      return form
    }
    old = try Self.objects(body.member("from"))
    new = try Self.objects(body.member("to"))
  }

  private static func objects(_ list: JSONReader) throws(JSONShapeError) -> [IdentifiedObject] {
    // Counted before each element gets its pointer.
    if case .array(let values) = list.value, values.count > DifferenceEndpoint.elementLimit {
      throw list.error(
        "expected at most \(DifferenceEndpoint.elementLimit) elements, found \(values.count)")
    }
    var indexes: [JSONValue: Int] = [:]
    var objects: [IdentifiedObject] = []
    for (index, element) in try list.elements().enumerated() {
      var fields = try element.object()
      let id = try element.member("id")
      let value: JSONValue
      switch id.value {
      case .string: value = id.value
      case .integer, .number: value = .integer(try id.integer())
      default: throw id.error("expected a string or an integer, found \(id.value.kindDescription)")
      }
      if let first = indexes.updateValue(index, forKey: value) {
        throw id.error("the element at \(first) has the same id")
      }
      fields["id"] = nil
      objects.append(IdentifiedObject(id: value, fields: fields))
    }
    return objects
  }

  /// Returns the formats of a form, or of all forms.
  static func formats(of form: Form?) -> [DocumentFormat] {
    switch form {
    case .changeset, .script: [.json]
    // A patch is JSON, too.
    case .patch: [.jsonPatch, .json]
    case nil: [.json, .jsonPatch]
    }
  }

  func reply(to request: Request) throws(ProblemDetails) -> Response {
    let format = try request.format(among: Self.formats(of: form))
    let difference = ObjectListDifference(from: old, to: new)
    let document =
      switch form ?? (format == .jsonPatch ? .patch : .changeset) {
      case .changeset: difference.changeset
      case .patch: difference.patch
      case .script: difference.script
      }
    return Response.json(
      encoded: document.canonicalBytes(),
      fields: [.contentType: format.contentType, .vary: "Accept, Accept-Encoding"]
    ).coded(request.contentCoding)
  }
}
