import Glibc

/// A host with an optional port, as in a Host field, an origin or the absolute form of a target
/// (RFC 3986, sections 3.2.2 and 3.2.3).
///
/// It points into borrowed memory and must not outlive it.
struct Authority {
  /// A name, an IPv4 address, or an IPv6 address in brackets.
  let host: UnsafeBufferPointer<UInt8>
  /// The digits after the colon; empty if there are none.
  let port: UnsafeBufferPointer<UInt8>

  /// Parses an authority without user information.
  ///
  /// - Returns: nil if the host is empty or malformed, or the port is not a number up to 65535.
  /// - Complexity: O(n), where n is the number of bytes.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let first = bytes.first else { return nil }
    let end: Int
    if first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bracket + 1
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
    }
    host = UnsafeBufferPointer(rebasing: bytes[..<end])
    port = UnsafeBufferPointer(rebasing: bytes[min(end + 1, bytes.count)...])
    guard end == bytes.count || bytes[end] == UInt8(ascii: ":"), Self.isPort(port),
      first == UInt8(ascii: "[") ? address?.family == AF_INET6 : Self.isName(host)
    else { return nil }
  }

  /// The host without the dot at the end of a name, which makes it no other name (RFC 1034, section 3.1).
  private var name: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: host.last == UInt8(ascii: ".") ? host.dropLast() : host[...])
  }

  /// The first characters of the host, which are enough for any name (RFC 1035, section 2.3.4).
  var text: String { String(decoding: host.prefix(255), as: UTF8.self) }

  /// Returns whether the host equals `other`, which must be in lower case and have no dot at its end.
  func isHost(_ other: String) -> Bool {
    ASCII.equalsIgnoringCase(name, lowercase: other.utf8)
  }

  /// Whether the host always denotes this machine: `localhost`, a name below it (RFC 6761, section
  /// 6.3), an address of 127.0.0.0/8, or `[::1]`.
  var isLoopback: Bool {
    let local = "localhost"
    if isHost("127.0.0.1") || isHost(local) { return true }
    let tail = UnsafeBufferPointer(rebasing: name.suffix(local.utf8.count + 1))
    return ASCII.equalsIgnoringCase(tail, lowercase: ".\(local)".utf8)
      || address?.isLoopback ?? false
  }

  /// The host as an address; nil if it is a name.
  private var address: SocketAddress? {
    let isBracketed = host.first == UInt8(ascii: "[")
    return SocketAddress(
      host: String(decoding: isBracketed ? host.dropFirst().dropLast() : host[...], as: UTF8.self),
      port: 0)
  }

  /// Returns whether the bytes are the digits of a valid port, or empty.
  private static func isPort(_ digits: UnsafeBufferPointer<UInt8>) -> Bool {
    var port = 0
    for digit in digits {
      guard ASCII.isDigit(digit) else { return false }
      port = 10 * port + Int(digit - UInt8(ascii: "0"))
      guard port <= UInt16.max else { return false }
    }
    return true
  }

  /// Returns whether all bytes are allowed in a host name and all percent-escapes are complete.
  private static func isName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, ASCII.hexValue(bytes[index + 1]) != nil,
          ASCII.hexValue(bytes[index + 2]) != nil
        else { return false }
        index += 2
      } else if !ASCII.isHostName(bytes[index]) {
        return false
      }
      index += 1
    }
    return !bytes.isEmpty
  }
}
