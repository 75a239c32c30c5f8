/// Refuses requests that pages of other sites make a browser send.
///
/// A page can make the browser of its reader send requests to servers that only the reader can
/// reach, for example on loopback. Such requests differ in two values that no page can forge: the
/// host that the browser addresses, which is the name of the other site after DNS rebinding, and
/// the origin of the page.
struct SiteGuard: Sendable {
  /// The accepted names and addresses besides those of loopback, in lower case; nil if all are
  /// accepted.
  private let hosts: [String]?

  /// Creates a guard for a server with this configuration.
  init(_ configuration: ServerConfiguration) {
    hosts =
      configuration.acceptsAnyHost
      ? nil
      : configuration.hostNames.map { name in
        let host = Self.bracketed(name)
        return host.hasSuffix(".") ? String(host.dropLast()) : host
      }
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

  /// Encloses an IPv6 address in brackets, as in a Host field; returns other hosts unchanged.
  private static func bracketed(_ text: String) -> String {
    let text = text.lowercased()
    return text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text
  }
}
