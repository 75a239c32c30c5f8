/// Checks the fields of a request's head for what libmicrohttpd lets through.
///
/// libmicrohttpd takes the first of two Content-Lengths, ignores Content-Length beside
/// Transfer-Encoding, and accepts names with spaces. Another program in front may decide otherwise,
/// and then the two disagree where a request ends: request smuggling (RFC 9112, section 11.2).
struct HeadInspector {
  /// The sum of the sizes of all field lines.
  private(set) var size = 0
  /// The number of field lines.
  private(set) var count = 0
  private var lines: HeadLines
  private var hasBadMethod = false
  private var hosts = 0
  private var contentLengths = 0
  private var transferCodings = 0
  private var declaredLength = 0
  private var host: UnsafeBufferPointer<UInt8>?
  private var origin: UnsafeBufferPointer<UInt8>?
  private var isCrossSite = false
  private var hasBadName = false
  private var hasBadValue = false
  private var hasBadLength = false
  private var hasUnknownCoding = false
  private var hasUnknownExpectation = false

  /// Whether a body follows the head.
  var hasBody: Bool { declaredLength > 0 || isChunked }
  /// Whether the body comes in chunks, without a declared size.
  var isChunked: Bool { transferCodings > 0 }
  /// The size of the body if the client declared it, otherwise 0.
  var declaredBodySize: Int { isChunked ? 0 : declaredLength }

  /// Inspects a head that lies in memory as it was received. It points into it, and must not outlive it.
  ///
  /// - Parameter firstLine: Where the first field must begin, or nil if the parser moves lines.
  init(firstLine: UnsafePointer<UInt8>? = nil) {
    lines = HeadLines(first: firstLine)
  }

  /// Takes the method. Only one that is not known needs to be looked at.
  mutating func unknownMethod(_ name: UnsafeBufferPointer<UInt8>) {
    hasBadMethod = name.isEmpty || !name.allSatisfy(ASCII.isToken)
  }

  /// Takes the end of the head: where the parser says that it ends.
  mutating func end(at end: UnsafePointer<UInt8>) { lines.end(at: end) }

  /// Takes one field.
  ///
  /// - Complexity: O(n) in the size of the field, without an allocation.
  mutating func field(name: UnsafeBufferPointer<UInt8>, value whole: UnsafeBufferPointer<UInt8>) {
    if ConnectionFields.isOwn(name) { return }
    size += name.count + whole.count + 4
    count += 1
    lines.field(name: name, value: whole)
    let value = ASCII.trimmed(whole)
    if name.isEmpty || !name.allSatisfy(ASCII.isToken) { hasBadName = true }
    for byte in value where byte < 0x20 && byte != 0x09 || byte == 0x7f { hasBadValue = true }
    switch name.count {
    case 4 where ASCII.equalsIgnoringCase(name, lowercase: "host".utf8):
      hosts += 1
      host = value
    case 6 where ASCII.equalsIgnoringCase(name, lowercase: "expect".utf8):
      if !ASCII.equalsIgnoringCase(value, lowercase: "100-continue".utf8) {
        hasUnknownExpectation = true
      }
    case 6 where ASCII.equalsIgnoringCase(name, lowercase: "origin".utf8):
      // One that is given twice names no origin.
      origin = origin == nil ? value : UnsafeBufferPointer(start: nil, count: 0)
    case 14 where ASCII.equalsIgnoringCase(name, lowercase: "sec-fetch-site".utf8):
      if Self.isOther(site: value) { isCrossSite = true }
    case 14 where ASCII.equalsIgnoringCase(name, lowercase: "content-length".utf8):
      contentLengths += 1
      takeLength(value)
    case 17 where ASCII.equalsIgnoringCase(name, lowercase: "transfer-encoding".utf8):
      transferCodings += 1
      // The parser compares the value as it came.
      if !ASCII.equalsIgnoringCase(whole, lowercase: "chunked".utf8) { hasUnknownCoding = true }
    default: break
    }
  }

  /// What is wrong with the whole head, or nil.
  func problem(isHTTP10: Bool, configuration: ServerConfiguration) -> ProblemDetails? {
    if size > configuration.headerSizeLimit || count > configuration.headerCountLimit {
      return .fieldsTooLarge(configuration)
    }
    if lines.hasGap { return .badFraming("the head has a line that cannot be read for certain") }
    if hasBadMethod { return .badFraming("the method is no token") }
    if hasBadName { return .badField("a field name is no token") }
    if hasBadValue { return .badField("a field value has a control character") }
    if contentLengths > 1 { return .badFraming("Content-Length is given twice") }
    if hasBadLength { return .badFraming("Content-Length is no number") }
    if transferCodings > 1 { return .badFraming("Transfer-Encoding is given twice") }
    if transferCodings > 0, contentLengths > 0 {
      return .badFraming("Transfer-Encoding and Content-Length exclude each other")
    }
    if transferCodings > 0, isHTTP10 {
      return .badFraming("HTTP/1.0 has no Transfer-Encoding")
    }
    if hasUnknownCoding { return .notImplemented("chunked is the only known transfer coding") }
    if hosts > 1 { return .badHost("Host is given twice") }
    if hosts == 0, !isHTTP10 { return .badHost("Host is missing") }
    if let host, Authority(host) == nil { return .badHost("Host is no host") }
    if hasUnknownExpectation { return .expectationFailed() }
    if declaredBodySize > configuration.bodySizeLimit {
      return .bodyTooLarge(limit: configuration.bodySizeLimit)
    }
    return nil
  }

  /// What is wrong with where the request comes from and goes to, or nil. Asked of a head without a
  /// ``problem(isHTTP10:configuration:)``.
  ///
  /// A request without a host comes from no browser. CONNECT is not allowed, whatever its host.
  func siteProblem(
    method: RequestMethod?, target: Target, _ siteGuard: SiteGuard
  ) -> ProblemDetails? {
    if method == .connect { return nil }
    let host = host.flatMap { Authority($0) }
    if let host, !siteGuard.serves(host) || !siteGuard.serves(target) { return .foreignHost() }
    switch method {
    case .get, .head, .options: return nil
    default:
      return isCrossSite || SiteGuard.isForeign(origin, to: host) ? .crossSite() : nil
    }
  }

  /// Whether a value of Sec-Fetch-Site says that a page of another origin made the request.
  private static func isOther(site: UnsafeBufferPointer<UInt8>) -> Bool {
    ASCII.equalsIgnoringCase(site, lowercase: "cross-site".utf8)
      || ASCII.equalsIgnoringCase(site, lowercase: "same-site".utf8)
  }

  private mutating func takeLength(_ value: UnsafeBufferPointer<UInt8>) {
    if value.isEmpty { hasBadLength = true }
    for byte in value {
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 {
        hasBadLength = true
        return
      }
      let (shifted, overflow) = declaredLength.multipliedReportingOverflow(by: 10)
      declaredLength = overflow || shifted > .max - 9 ? .max : shifted + Int(digit)
    }
  }
}
