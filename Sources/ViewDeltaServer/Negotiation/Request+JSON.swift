public import CanonicalJSON
import HTTPTypes
public import MicroHTTP

extension Request {
  /// Reads the body as JSON.
  ///
  /// The body must have a media type: a page of another site can send a body without a type, or with some other types,
  /// but not with that of JSON.
  ///
  /// - Parameter types: The media types that are accepted.
  /// - Throws: A 415 problem if the type is missing or another one, and if the body is compressed; a 400
  ///   problem for a charset other than UTF-8, for malformed JSON, with a pointer to the error, and for a part of the
  ///   content in a PUT.
  public func json(
    _ types: Set<String> = ["application/json"]
  ) throws(ProblemDetails) -> JSONReader {
    // A part must not replace the whole (RFC 9110, section 14.5).
    if method == .put, self[.contentRange] != nil {
      throw .badField("send the whole content, without Content-Range")
    }
    guard let mediaType, types.contains(mediaType.essence) else {
      throw .unsupportedMediaType(accepted: types.sorted(), method: method)
    }
    guard mediaType.charset ?? "utf-8" == "utf-8" else {
      throw ProblemDetails(
        status: .badRequest, code: "bad-charset", detail: "JSON is UTF-8 (RFC 8259, section 8.1)")
    }
    guard (self[.contentEncoding] ?? "identity").lowercased() == "identity" else {
      throw ProblemDetails(
        status: .unsupportedMediaType, code: "unsupported-content-coding",
        detail: "send the JSON as it is, without a Content-Encoding",
        fields: [.acceptEncoding: "identity"])
    }
    do throws(JSONParseError) {
      return JSONReader(try JSONValue(parsing: body))
    } catch {
      throw ProblemDetails(
        status: .badRequest, code: "bad-json", detail: error.message,
        pointer: error.pointer.description)
    }
  }

  /// Reads the body as a value.
  ///
  /// - Throws: The problems of ``json(_:)``, and a 422 problem with a pointer to the member at fault.
  func json<Value>(
    as read: (JSONReader) throws(JSONShapeError) -> Value
  ) throws(ProblemDetails) -> Value {
    let body = try json()
    do { return try read(body) } catch { throw ProblemDetails(error) }
  }
}

extension ProblemDetails {
  /// The refusal of a body, which names the accepted types (RFC 9110, section 15.5.16; RFC 5789, section 2.2).
  fileprivate static func unsupportedMediaType(
    accepted types: [String], method: HTTPRequest.Method
  ) -> ProblemDetails {
    let list = types.joined(separator: ", ")
    var fields: HTTPFields = [.accept: list]
    if method == .patch { fields[.acceptPatch] = list }
    return ProblemDetails(
      status: .unsupportedMediaType, code: "unsupported-media-type",
      detail: "send \(types.joined(separator: " or "))", fields: fields)
  }

  /// Creates the 422 problem for JSON that does not have the expected shape.
  public init(_ error: JSONShapeError) {
    self.init(
      status: .unprocessableContent, code: "invalid-member", detail: error.message,
      pointer: error.pointer.description)
  }
}
