/// Detects errors in the head of a request that libmicrohttpd accepts.
///
/// libmicrohttpd uses the first of two Content-Length fields, ignores Content-Length beside
/// Transfer-Encoding, and accepts names with spaces. If a proxy decides otherwise, the two disagree
/// about the end of the request, which allows request smuggling (RFC 9112, section 11.2).
struct HeadInspector {
  /// The total size of all header fields.
  private(set) var size = 0
  /// The number of header fields.
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
  /// Whether the body is chunked, without a declared size.
  var isChunked: Bool { transferCodings > 0 }
  /// The declared size of the body, or 0.
  var declaredBodySize: Int { isChunked ? 0 : declaredLength }

  /// Creates an inspector. It points into the received head and must not outlive it.
  ///
  /// - Parameter firstLine: The address of the first field; nil if the parser moves lines.
  init(firstLine: UnsafePointer<UInt8>?) {
    lines = HeadLines(first: firstLine)
  }

  /// Inspects a method that the server does not know.
  mutating func unknownMethod(_ name: UnsafeBufferPointer<UInt8>) {
    hasBadMethod = name.isEmpty || !name.allSatisfy(ASCII.isToken)
  }

  /// Inspects the end of the head, at the address that the parser reports.
  mutating func end(at end: UnsafePointer<UInt8>) { lines.end(at: end) }

  /// Inspects a header field.
  ///
  /// - Complexity: O(n), where n is the size of the field, without an allocation.
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
      // A repeated Origin is treated as an invalid origin.
      origin = origin == nil ? value : UnsafeBufferPointer(start: nil, count: 0)
    case 14 where ASCII.equalsIgnoringCase(name, lowercase: "sec-fetch-site".utf8):
      if Self.isOther(site: value) { isCrossSite = true }
    case 14 where ASCII.equalsIgnoringCase(name, lowercase: "content-length".utf8):
      contentLengths += 1
      takeLength(value)
    case 17 where ASCII.equalsIgnoringCase(name, lowercase: "transfer-encoding".utf8):
      transferCodings += 1
      // The parser compares the value without trimming it.
      if !ASCII.equalsIgnoringCase(whole, lowercase: "chunked".utf8) { hasUnknownCoding = true }
    default: break
    }
  }

  /// Returns the problem with the head; nil if it is valid.
  func problem(isHTTP10: Bool, configuration: ServerConfiguration) -> ProblemDetails? {
    if size > ServerConfiguration.fieldSizeLimit || count > ServerConfiguration.fieldCountLimit {
      return .fieldsTooLarge(configuration)
    }
    if lines.hasGap { return .badFraming("the head has an ambiguous line") }
    if hasBadMethod { return .badFraming("the method is not a token") }
    if hasBadName { return .badField("a field name is not a token") }
    if hasBadValue { return .badField("a field value has a control character") }
    if contentLengths > 1 { return .badFraming("Content-Length is repeated") }
    if hasBadLength { return .badFraming("Content-Length is not a number") }
    if transferCodings > 1 { return .badFraming("Transfer-Encoding is repeated") }
    if transferCodings > 0, contentLengths > 0 {
      return .badFraming("a request cannot have both Transfer-Encoding and Content-Length")
    }
    if transferCodings > 0, isHTTP10 {
      return .badFraming("HTTP/1.0 has no Transfer-Encoding")
    }
    if hasUnknownCoding { return .notImplemented("chunked is the only supported transfer coding") }
    if hosts > 1 { return .badHost("Host is repeated") }
    if hosts == 0, !isHTTP10 { return .badHost("Host is missing") }
    if let host, Authority(host) == nil { return .badHost("Host is not a valid host") }
    if hasUnknownExpectation { return .expectationFailed() }
    if declaredBodySize > configuration.bodySizeLimit {
      return .bodyTooLarge(limit: configuration.bodySizeLimit)
    }
    return nil
  }

  /// Returns the problem with the origin or the host of the request; nil if both are allowed. The
  /// head must have no ``problem(isHTTP10:configuration:)``.
  ///
  /// A request without a host does not come from a browser. CONNECT is refused later, whatever its
  /// host.
  func siteProblem(
    method: RequestMethod?, target: Target, _ siteGuard: SiteGuard, _ router: Router
  ) -> ProblemDetails? {
    if method == .connect { return nil }
    let host = host.flatMap { Authority($0) }
    if let host, !siteGuard.serves(host) || !siteGuard.serves(target),
      !router.servesAnyHost(method, target)
    {
      return .foreignHost(siteGuard.serves(host) ? "of the target" : host.text)
    }
    switch method {
    case .get, .head, .options: return nil
    default:
      if let origin, siteGuard.allows(origin) { return nil }
      return isCrossSite || SiteGuard.isForeign(origin, to: host) ? .crossSite() : nil
    }
  }

  /// Returns whether a value of Sec-Fetch-Site denotes a page of another origin.
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

/// Checks that the field lines of a head follow each other in memory without a gap, as they were
/// received.
///
/// The parser of libmicrohttpd 0.9 treats a line that begins with a colon as the end of the head,
/// and reads the fields after it as another request. It also joins a folded line with the name of
/// its field, and truncates a line at a NUL. Each of these leaves a gap between the lines, but for two that leave the
/// same bytes as a CRLF: a last line of only a colon or a NUL, where one of the line ends is a bare LF, and a NUL just
/// before a bare LF.
///
/// The pointers are only compared, and only as long as the head is in memory.
struct HeadLines {
  /// The address of the next line; nil if it cannot be determined.
  private var next: UnsafePointer<UInt8>?
  /// Whether a line was not at the expected address.
  private(set) var hasGap = false

  /// Begins at the first line. If `first` is nil, because the parser moves lines, no gap is
  /// detected.
  init(first: UnsafePointer<UInt8>?) {
    next = first
  }

  /// Checks the next field.
  mutating func field(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    guard let expected = next, let start = name.baseAddress, let text = value.baseAddress else {
      return
    }
    if start != expected { hasGap = true }
    next = text + value.count + 2
  }

  /// Checks the end of the head, at the address that the parser reports.
  mutating func end(at end: UnsafePointer<UInt8>) {
    if let next, next + 2 != end { hasGap = true }
  }
}
