import HTTPTypes

/// Refuses requests that pages of other sites make a browser send, and lets those of allowed origins read the replies.
///
/// A page can make the browser of its reader send requests to servers that only the reader can
/// reach, for example on loopback. Such requests differ in two values that no page can forge: the
/// host that the browser addresses, which is the name of the other site after DNS rebinding, and
/// the origin of the page.
struct SiteGuard: Sendable {
  /// The accepted names and addresses besides those of loopback, in lower case; nil if all are
  /// accepted.
  private let hosts: [String]?
  /// The origins whose pages may read and write.
  private let origins: [String]

  /// Creates a guard for a server with this configuration.
  init(_ configuration: ServerConfiguration) {
    hosts =
      configuration.acceptsAnyHost
      ? nil
      : configuration.hostNames.map { name in
        let host = Self.bracketed(name)
        return host.hasSuffix(".") ? String(host.dropLast()) : host
      }
    origins = configuration.allowedOrigins
  }

  /// Returns whether pages of an origin may read and write.
  ///
  /// - Parameter origin: The value of Origin.
  /// - Complexity: O(n), where n is the number of allowed origins.
  func allows(_ origin: some Sequence<UInt8>) -> Bool {
    // By bytes, because Swift takes some texts of different bytes for equal.
    origins.contains { $0.utf8.elementsEqual(origin) }
  }

  /// Whether pages of other origins can be allowed to read replies.
  var sharesReplies: Bool { !origins.isEmpty }

  /// The size of the fields that `shared(_:with:)` adds to the reply to a change, in bytes.
  var sharedSize: Int { origins.map { $0.utf8.count + 128 }.max() ?? 0 }

  /// Returns the fields of a reply with those that let a page of an allowed origin read it, or send the request for
  /// which this is the preflight (WHATWG Fetch Standard, section 3.3).
  ///
  /// If the server allows origins, all replies name Origin in Vary, so that no cache gives a page a reply that it cannot
  /// read.
  func shared(_ fields: HTTPFields, with request: RequestStorage) -> HTTPFields {
    guard sharesReplies else { return fields }
    var fields = fields
    let vary = fields[.vary]
    if vary != "*" { fields[.vary] = vary.map { "\($0), Origin" } ?? "Origin" }
    let given = request.values(for: "origin")
    guard given.count == 1, allows(given[0].utf8) else { return fields }
    fields[.accessControlAllowOrigin] = given[0]
    fields[.accessControlExposeHeaders] = "*"
    guard request.method == .options, let methods = fields[.allow],
      !request.values(for: "access-control-request-method").isEmpty
    else { return fields }
    fields[.accessControlAllowMethods] = methods
    // The asterisk does not include this name.
    fields[.accessControlAllowHeaders] = "*, Authorization"
    // In seconds: the longest time that browsers accept.
    fields[.accessControlMaxAge] = "7200"
    return fields
  }

  /// Returns whether requests for a host are accepted.
  ///
  /// - Complexity: O(n), where n is the number of host names.
  func serves(_ authority: Authority) -> Bool {
    guard let hosts else { return true }
    return authority.isLoopback || hosts.contains(where: authority.isHost)
  }

  /// Returns whether requests for a target are accepted. Only the absolute form names a host.
  func serves(_ target: Target) -> Bool {
    guard let range = target.authority else { return true }
    return target.bytes.withUnsafeBufferPointer { bytes in
      Authority(UnsafeBufferPointer(rebasing: bytes[range])).map(serves) ?? false
    }
  }

  /// Returns whether a request comes from a page of another origin than the one that it is sent to,
  /// according to its fields (RFC 6454; W3C Fetch Metadata Request Headers).
  ///
  /// - Parameters:
  ///   - origin: The value of Origin; nil if there is none.
  ///   - host: The host that the request is sent to.
  static func isForeign(_ origin: UnsafeBufferPointer<UInt8>?, to host: Authority?) -> Bool {
    guard let origin else { return false }
    guard let host else { return true }
    for (scheme, defaultPort) in [("http://", "80"), ("https://", "443")]
    where origin.count > scheme.utf8.count
      && ASCII.equalsIgnoringCase(
        UnsafeBufferPointer(rebasing: origin[..<scheme.utf8.count]), lowercase: scheme.utf8)
    {
      let rest = UnsafeBufferPointer(rebasing: origin[scheme.utf8.count...])
      guard let other = Authority(rest) else { return true }
      func port(_ authority: Authority) -> [UInt8] {
        authority.port.isEmpty ? Array(defaultPort.utf8) : Array(authority.port)
      }
      let isSameHost = other.host.elementsEqual(host.host) {
        ASCII.lowercased($0) == ASCII.lowercased($1)
      }
      return !isSameHost || port(other) != port(host)
    }
    return true
  }

  /// Returns whether a text is valid as a configured host name: a name or an IP address, without a
  /// port and without `*`, which would match no host.
  static func isHostName(_ text: String) -> Bool {
    if text.contains("*") { return false }
    return Array(bracketed(text).utf8).withUnsafeBufferPointer {
      Authority($0)?.host.count == $0.count
    }
  }

  /// Returns whether a text is valid as a configured origin: one that a browser could send (RFC 6454, section 6.2), and
  /// not `null`, which pages of many origins send.
  static func isOrigin(_ text: String) -> Bool {
    guard let parts = text.wholeMatch(of: /([a-z][a-z0-9+.\-]*):\/\/([^A-Z*]+)/)?.output else {
      return false
    }
    let defaultPort = ["http": "80", "https": "443"][parts.1]
    return Array(parts.2.utf8).withUnsafeBufferPointer { bytes in
      guard let authority = Authority(bytes), bytes.last != UInt8(ascii: ":") else { return false }
      return defaultPort.map { !authority.port.elementsEqual($0.utf8) } ?? true
    }
  }

  /// Encloses an IPv6 address in brackets, as in a Host field; returns other hosts unchanged.
  private static func bracketed(_ text: String) -> String {
    let text = text.lowercased()
    return text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text
  }
}
