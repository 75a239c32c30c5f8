/// Where a started ``Server`` listens.
public struct BoundAddress: Sendable, Hashable, CustomStringConvertible {
  /// The IP address as a literal, without brackets.
  public let host: String
  /// The port, never 0.
  public let port: UInt16

  /// The address as a URL without a path, for example `http://127.0.0.1:8080`.
  ///
  /// An IPv6 address is put into brackets (RFC 3986, section 3.2.2).
  public var url: String {
    host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }

  /// The same as ``url``.
  public var description: String { url }
}
