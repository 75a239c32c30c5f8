/// Refuses what pages of other sites make a browser send.
///
/// Whoever can open a page can make its reader's browser send requests to servers that only the reader
/// reaches, such as one on loopback. Two things tell them apart, and no page can forge either: the host
/// that the browser believes to talk to, which another site's name points here after DNS rebinding, and
/// the site that the request comes from.
struct SiteGuard: Sendable {
  /// The names and addresses that are served beside those of loopback, in lower case; nil if all are.
  private let hosts: [String]?

  /// Makes a guard for a server of this configuration.
  init(_ configuration: ServerConfiguration) {
    let address = SocketAddress(host: configuration.host, port: configuration.port)
    let isOpen = address?.isLoopback == false && configuration.hostNames.isEmpty
    hosts = isOpen ? nil : configuration.hostNames.map(Self.bracketed)
  }

  /// Whether requests for a host are served.
  ///
  /// - Complexity: O(n) in the number of host names.
  func serves(_ authority: Authority) -> Bool {
    guard let hosts else { return true }
    return authority.isLoopback || hosts.contains(where: authority.isHost)
  }

  /// Whether requests for a target are served; in all forms but the absolute one it names no host.
  func serves(_ target: Target) -> Bool {
    guard let range = target.authority else { return true }
    return target.bytes.withUnsafeBufferPointer { bytes in
      Authority(UnsafeBufferPointer(rebasing: bytes[range])).map(serves) ?? false
    }
  }

  /// Whether a request comes from a page of another origin than the one that it goes to, as far as its
  /// fields tell (RFC 6454; W3C Fetch Metadata Request Headers).
  ///
  /// - Parameters:
  ///   - origin: The value of Origin; nil if there is none.
  ///   - host: The host that the request goes to.
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

  /// Whether a text can be a host name of a configuration: a name or an IP address, without a port.
  static func isHostName(_ text: String) -> Bool {
    Array(bracketed(text).utf8).withUnsafeBufferPointer { Authority($0)?.host.count == $0.count }
  }

  /// Puts an IPv6 address in brackets, as the Host field has it; leaves other hosts as they are.
  private static func bracketed(_ text: String) -> String {
    let text = text.lowercased()
    return text.contains(":") && !text.hasPrefix("[") ? "[\(text)]" : text
  }
}
