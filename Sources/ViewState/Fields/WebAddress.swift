public import CanonicalJSON

/// An absolute URL of `http` or `https` in which every program finds the same text of the host.
///
/// ```swift
/// WebAddress("https://example.com/feed.xml")?.host.name  // "example.com"
/// WebAddress("https://example.com\\@example.org/")       // nil
/// ```
///
/// It allows less than RFC 3986, because programs read other addresses in different ways. The host is a name of
/// ASCII letters, digits, `-`, `_` and dots, or an IP address, and only a port may follow it before the path. No
/// character of the address is white space, a control character, one of `\ " < > ^ { | }`, or a grave accent. The
/// path, query and fragment may have other characters that are not ASCII (RFC 3987).
public struct WebAddress: Hashable, Sendable {
  /// The address as it was read.
  public let text: Text
  /// Whether the scheme is `https`.
  public let isSecure: Bool
  /// The host, with the port if the address names one.
  public let host: WebHost

  /// Reads an address; returns `nil` if the text is not such an address.
  public init?(_ text: Text) {
    let bytes = Array(text.utf8)
    let schemes = [("http://", false), ("https://", true)]
    let found = schemes.first { name, _ in
      bytes.count > name.utf8.count
        && String(decoding: bytes[..<name.utf8.count], as: UTF8.self).lowercased() == name
    }
    guard let (name, isSecure) = found else { return nil }
    let ends = Array("/?#".utf8)
    let authority = bytes[name.utf8.count...].prefix { !ends.contains($0) }
    guard let host = WebHost(String(decoding: authority, as: UTF8.self)),
      Self.isClear(bytes[authority.endIndex...])
    else { return nil }
    (self.text, self.isSecure, self.host) = (text, isSecure, host)
  }

  /// The port that the address names, or else that of its scheme.
  public var port: UInt16 { host.port ?? usualPort }

  /// The port of the scheme.
  fileprivate var usualPort: UInt16 { isSecure ? 443 : 80 }

  /// The address as a request has it: each byte that is not ASCII is written as `%` and two hexadecimal digits.
  public var encoded: String {
    text.utf8.reduce(into: "") { encoded, byte in
      if byte < 0x80 {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
  }

  /// Returns whether a text is a path on the same server, such as `/pictures/ada.svg`, perhaps with a query and a
  /// fragment: it begins with exactly one slash, and has none of the characters that an address cannot have.
  package static func isPath(_ text: Text) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.first == UInt8(ascii: "/") && bytes.dropFirst().first != UInt8(ascii: "/")
      && isClear(bytes[...])
  }

  /// Returns whether no character is one that some programs remove, or read as another one.
  private static func isClear(_ bytes: ArraySlice<UInt8>) -> Bool {
    let confusing = Array(#"\"<>^`{|}"#.unicodeScalars)
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && !confusing.contains(scalar)
        && ![.control, .format].contains(scalar.properties.generalCategory)
    }
  }
}

/// A host of web addresses, which an operator names, such as `example.com` or `127.0.0.1:8081`.
///
/// ```swift
/// WebHost("example.com")?.includes(WebAddress("https://example.com/feed.xml")!)  // true
/// ```
public struct WebHost: Hashable, Sendable, LosslessStringConvertible {
  /// The name in lower case, or the IP address; one of version 6 has brackets.
  public let name: String
  /// The port; `nil` for those of the schemes, 80 and 443.
  public let port: UInt16?

  /// Reads a name or an IP address, with or without a port; returns `nil` for any other text.
  public init?(_ text: String) {
    // Letters of other scripts may have lower cases that are ASCII.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let bytes = Array(text.lowercased().utf8)
    let isBracketed = bytes.first == UInt8(ascii: "[")
    let end: Int
    if isBracketed {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bracket + 1
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
    }
    let digits = bytes[end...].dropFirst()
    guard isBracketed ? Self.isAddress(bytes[..<end]) : Self.isName(bytes[..<end]),
      end == bytes.count || bytes[end] == UInt8(ascii: ":"),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    name = String(decoding: bytes[..<end], as: UTF8.self)
    if end == bytes.count {
      port = nil
    } else {
      guard let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0 else {
        return nil
      }
      port = number
    }
  }

  /// Whether the name is an IP address of version 6.
  package var isIPv6: Bool { name.hasPrefix("[") }

  /// The name, and the port if there is one: `example.com:8081`.
  public var description: String { port.map { "\(name):\($0)" } ?? name }

  /// Returns whether an address is on the host: it has the name of the host, and its port or, if the host has none,
  /// the usual port of the scheme.
  public func includes(_ address: WebAddress) -> Bool {
    name == address.host.name && (port ?? address.usualPort) == address.port
  }

  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    let marks = Array("-_.".utf8)
    return (1...253).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
      && bytes.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || marks.contains(byte)
      }
  }

  private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    let marks = Array(":.".utf8)
    return bytes.count > 3
      && bytes.dropFirst().dropLast().allSatisfy { byte in
        (0x61...0x66).contains(byte) || (0x30...0x39).contains(byte) || marks.contains(byte)
      }
  }
}

extension ValueType<Text> {
  /// The longest address, in bytes.
  private static let longestAddress = 2_048

  /// Returns the type of addresses on the web of at most 2,048 bytes; see ``WebAddress``.
  ///
  /// ```swift
  /// Field("pictureURL", \Member.pictureURL, .optional(.webAddress(orPath: true)))
  /// ```
  ///
  /// - Parameter allowsPaths: Whether a path of this server, such as `/pictures/ada.svg`, is one, too.
  public static func webAddress(orPath allowsPaths: Bool = false) -> ValueType {
    let path = allowsPaths ? ", or a path of this server that begins with one slash" : ""
    return ValueType(
      schema: [
        "type": "string", "maxLength": .integer(longestAddress),
        "pattern": .string(
          #"^[Hh][Tt][Tt][Pp][Ss]?://[^\s\\]+$"# + (allowsPaths ? #"|^/([^/\s\\][^\s\\]*)?$"# : "")),
      ],
      read: { (json) throws(JSONShapeError) in
        let text = try json.string()
        guard text.byteCount <= longestAddress else {
          throw json.error("expected at most \(longestAddress) bytes of text")
        }
        guard WebAddress(text) != nil || allowsPaths && WebAddress.isPath(text) else {
          throw json.error("expected an http or https URL\(path)")
        }
        return text
      },
      write: { .string($0) }
    ).described("An absolute http or https URL\(path). At most \(longestAddress) bytes.")
  }
}
