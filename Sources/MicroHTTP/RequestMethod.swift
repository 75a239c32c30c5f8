import HTTPTypes

/// The methods that a server knows. Method names are case-sensitive (RFC 9110, section 9.1).
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

  /// The method of this name, or nil.
  ///
  /// The first bytes decide which one it can be, so that at most one name is compared.
  init?(name: UnsafeBufferPointer<UInt8>) {
    guard name.count >= 3 else { return nil }
    let candidate: RequestMethod
    switch (name[0], name[1]) {
    case (UInt8(ascii: "G"), _): candidate = .get
    case (UInt8(ascii: "H"), _): candidate = .head
    case (UInt8(ascii: "P"), UInt8(ascii: "O")): candidate = .post
    case (UInt8(ascii: "P"), UInt8(ascii: "U")): candidate = .put
    case (UInt8(ascii: "P"), _): candidate = .patch
    case (UInt8(ascii: "D"), _): candidate = .delete
    case (UInt8(ascii: "O"), _): candidate = .options
    case (UInt8(ascii: "T"), _): candidate = .trace
    case (UInt8(ascii: "C"), _): candidate = .connect
    default: return nil
    }
    guard name.elementsEqual(candidate.name.utf8) else { return nil }
    self = candidate
  }

  /// The known method equal to a general one, or nil.
  init?(_ method: HTTPRequest.Method) {
    guard let known = Self.allCases.first(where: { $0.name == method.rawValue }) else { return nil }
    self = known
  }

  /// The method in terms of HTTPTypes.
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

  /// The name as it is sent.
  var name: String { method.rawValue }
}
