import CanonicalJSON
public import MicroHTTP
public import ViewState

extension ResourceID {
  /// The id as one segment of a path (RFC 3986, section 3.3).
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
  /// Returns the id that the path has for a parameter of its template.
  public func id(_ parameter: String = "id") -> ResourceID {
    ResourceID(named: Text(parameters[parameter] ?? ""))
  }

  /// Returns the path that this request has for a template, with an id as one more segment if there is
  /// one. Only characters that must be escaped are escaped.
  public func path(_ template: String, of id: ResourceID? = nil) -> String {
    let segments = template.split(separator: "/").map { segment in
      segment.first == "{"
        ? self.id(String(segment.dropFirst().dropLast())).pathSegment : String(segment)
    }
    return "/" + (segments + (id.map { [$0.pathSegment] } ?? [])).joined(separator: "/")
  }
}
