import HTTPTypes

/// The methods that the server knows. Method names are case-sensitive (RFC 9110, section 9.1).
enum RequestMethod: UInt8, Sendable, CaseIterable {
  case get
  case head
  case post
  case put
  case patch
  case delete
  case options
  case trace
  case connect

  /// Finds the method of this name; returns nil if it is unknown.
  ///
  /// The first bytes select the only candidate, so that at most one name is compared.
  init?(name: UnsafeBufferPointer<UInt8>) {
    guard name.count >= 3 else { return nil }
    let (candidate, text): (RequestMethod, StaticString)
    switch (name[0], name[1]) {
    case (UInt8(ascii: "G"), _): (candidate, text) = (.get, "GET")
    case (UInt8(ascii: "H"), _): (candidate, text) = (.head, "HEAD")
    case (UInt8(ascii: "P"), UInt8(ascii: "O")): (candidate, text) = (.post, "POST")
    case (UInt8(ascii: "P"), UInt8(ascii: "U")): (candidate, text) = (.put, "PUT")
    case (UInt8(ascii: "P"), _): (candidate, text) = (.patch, "PATCH")
    case (UInt8(ascii: "D"), _): (candidate, text) = (.delete, "DELETE")
    case (UInt8(ascii: "O"), _): (candidate, text) = (.options, "OPTIONS")
    case (UInt8(ascii: "T"), _): (candidate, text) = (.trace, "TRACE")
    case (UInt8(ascii: "C"), _): (candidate, text) = (.connect, "CONNECT")
    default: return nil
    }
    guard name.count == text.utf8CodeUnitCount else { return nil }
    for index in name.indices where name[index] != text.utf8Start[index] { return nil }
    self = candidate
  }

  /// Converts a method of HTTPTypes; returns nil if it is unknown.
  init?(_ method: HTTPRequest.Method) {
    guard let known = Self.allCases.first(where: { $0.name == method.rawValue }) else { return nil }
    self = known
  }

  /// The method as a value of HTTPTypes.
  var method: HTTPRequest.Method {
    switch self {
    case .get: .get
    case .head: .head
    case .post: .post
    case .put: .put
    case .patch: .patch
    case .delete: .delete
    case .options: .options
    case .trace: .trace
    case .connect: .connect
    }
  }

  /// Whether requests with the method may change something.
  var isWrite: Bool {
    switch self {
    case .post, .put, .patch, .delete: true
    default: false
    }
  }

  /// The name as sent on the wire.
  var name: String { method.rawValue }
}
