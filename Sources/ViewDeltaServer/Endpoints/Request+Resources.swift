import CanonicalJSON
public import MicroHTTP
public import ViewState

extension ResourceID {
  /// The id as a segment of a path, percent-encoded (RFC 3986, section 3.3).
  package var pathSegment: String {
    var segment = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        segment.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        segment += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    return segment
  }
}

extension Request {
  /// Returns the id in the path, by the parameter of its template.
  public func id(_ parameter: String = "id") -> ResourceID {
    ResourceID(named: Text(parameters[parameter] ?? ""))
  }

  /// Returns the path that a template has with the parameters of this request, with an id, if given, as one more
  /// segment. Only characters that need it are percent-encoded.
  public func path(_ template: String, of id: ResourceID? = nil) -> String {
    var path = ""
    for segment in template.utf8.split(separator: UInt8(ascii: "/")) {
      path += "/"
      if segment.first == UInt8(ascii: "{") {
        path += self.id(String(Substring(segment.dropFirst().dropLast()))).pathSegment
      } else {
        path += Substring(segment)
      }
    }
    if let id { path += "/\(id.pathSegment)" }
    return path
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
        throw .badQuery("limit is not a whole number from 1")
      }
      return min(limit, 1_000)
    }
  }
}
